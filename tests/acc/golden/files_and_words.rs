//! Translated by acc2rs from `files_and_words.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use std::process::ExitCode;

mod c;

fn parse_line(line: &mut [i8], out: &mut [f64]) -> i32 {
    let mut n: i32 = 0;
    {
        let mut tok: usize = c::strtok(line, 0, " ,\t\n");
        while tok != usize::MAX {
            out[n as usize] = c::atof(&c::text(&line[tok..]));
            n += 1;
            tok = c::strtok(line, usize::MAX, " ,\t\n");
        }
    }
    n
}

fn main() -> ExitCode {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let mut line: [i8; 128] = [
        49, 46, 53, 44, 32, 50, 46, 53, 32, 51, 32, 52, 101, 50, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let mut p: usize = 0;
    let mut v: [f64; 16] = [0.0; 16];
    let n: i32 = parse_line(&mut line, &mut v);
    for i in 0..n {
        println!("{}", c::general(v[i as usize], 6));
    }
    c::set_text(&mut line, "name = value # comment");
    if {
        p = c::strchr(&line, 0, b'#');
        p != usize::MAX
    } {
        line[p] = 0 as i8;
    }
    p = c::strchr(&line, 0, b'=');
    if p != usize::MAX {
        line[p] = 0 as i8;
        p += 1;
        while line[p] as i32 == b' ' as i32 {
            p += 1;
        }
        println!("[{}] -> [{}]", &c::text(&line), &c::text(&line[p..]));
    }
    if c::strstr(c::text(&line).as_bytes(), 0, "am") != usize::MAX {
        println!("has am");
    }
    let dot: usize = c::strrchr(&line, 0, b'e');
    if !(dot != usize::MAX) {
        println!("none");
    } else {
        println!("at {}", dot as i64 as i32);
    }
    for i in 1..argc {
        let eq: &str = c::rest(
            argv[i as usize],
            c::strchr(argv[i as usize].as_bytes(), 0, b'='),
        );
        if !eq.is_empty() {
            println!("{}", &eq[1..]);
        }
    }
    if c::strcasecmp("ABC", "abc") == 0 {
        println!("same");
    }
    let mut a: i32 = 0;
    let mut b: i32 = 0;
    let mut f: f32 = 0.0;
    let mut w: [i8; 8] = [0; 8];
    if ({
        let found = c::sscanf("12,-7 3.25 word!", "%d,%d %f %7[a-z]");
        if let Some(value2) = found.integer(0) {
            a = value2 as i32;
        }
        if let Some(value3) = found.integer(1) {
            b = value3 as i32;
        }
        if let Some(value4) = found.float(2) {
            f = value4 as f32;
        }
        if let Some(value5) = found.text(3) {
            c::set_text(&mut w, value5);
        }
        found.count
    }) == 4
    {
        println!("{} {} {:.2} {}", a, b, c::Float(f as f64), &c::text(&w));
    }
    let mut fp: c::File = c::fopen("/tmp/files_and_words.txt", "w");
    if fp.is_null() {
        eprintln!("fopen");
        return ExitCode::FAILURE;
    }
    for i in 0..5 {
        c::fputs(&format!("{} {:.3}\n", i, i as f64 * 0.5), fp);
    }
    c::fput_bytes(
        &format!("{}{}{}", char::from(200), char::from(65), char::from(255)),
        fp,
    );
    c::fclose(fp);
    fp = c::fopen("/tmp/files_and_words.txt", "r");
    let mut k: i32 = 0;
    let mut d: f64 = 0.0;
    let mut count: i32 = 0;
    while ({
        let found6 = c::fscanf(fp, "%d %lf");
        if let Some(value7) = found6.integer(0) {
            k = value7 as i32;
        }
        if let Some(value8) = found6.float(1) {
            d = value8 as f64;
        }
        found6.count
    }) == 2
    {
        count += k;
        v[k as usize] = d;
    }
    println!("{} {} {}", count, c::general(v[4], 6), c::general(d, 6));
    c::rewind(fp);
    let mut lines: i32 = 0;
    let mut c_: i32 = 0;
    while ({
        c_ = c::fgetc(fp);
        c_
    }) != -1
    {
        if c_ == b'\n' as i32 {
            lines += 1;
        }
    }
    println!("lines {} at {}", lines, c::ftell(fp));
    c::fseek(fp, 0, 0);
    while c::fgets(&mut line, size_of::<[i8; 128]>() as i32 as usize, fp) {
        line[c::strcspn(&c::text(&line), "\n")] = 0;
        if ({
            let found9 = c::sscanf(&c::text(&line), "%d");
            if let Some(value10) = found9.integer(0) {
                k = value10 as i32;
            }
            found9.count
        }) != 1
        {
            break;
        }
        print!("<{}>", &c::text(&line));
    }
    println!("");
    c::fclose(fp);
    let w8: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
    let mut r8: [f64; 4] = [0.0; 4];
    fp = c::fopen("/tmp/files_and_words.bin", "wb+");
    let put: usize = c::fwrite(&w8, size_of::<f64>(), 4, fp);
    c::fwrite(std::slice::from_ref(&count), size_of::<i32>(), 1, fp);
    c::fseek(fp, 8, 0);
    let got: usize = c::fread(&mut r8, size_of::<f64>(), 3, fp);
    let mut back: i32 = 0;
    if c::fread(std::slice::from_mut(&mut back), size_of::<i32>(), 1, fp) != 1 {
        println!("short");
    }
    println!(
        "{} {} {} {} {} {}",
        put,
        got,
        c::general(r8[0], 6),
        c::general(r8[2], 6),
        back,
        c::feof(fp)
    );
    c::fclose(fp);
    c::remove("/tmp/files_and_words.bin");
    if c::fopen("/nonexistent/x", "r").is_null() {
        print!("no file\n");
    }
    ExitCode::SUCCESS
}
