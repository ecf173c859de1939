//! The command line of an example that reads one file and draws one picture: `[INPUT] [-o PICTURE]`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// What to read and what to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Args {
    /// The file to read.
    pub input: PathBuf,
    /// The picture to write.
    pub output: PathBuf,
}

impl Args {
    /// Reads the command line. Without an input, it is `default` in the examples' `data` folder, and the
    /// picture goes to their `out` folder; otherwise the picture goes beside the input.
    ///
    /// # Errors
    ///
    /// If there is an option other than `-o` or more than one input.
    pub fn parse(example: &str, default: &str, args: impl Iterator<Item = String>) -> Result<Args> {
        let (mut input, mut output) = (None, None);
        let mut args = args;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "-o" | "--output" => {
                    let path = args
                        .next()
                        .with_context(|| format!("`{arg}` needs a file name"))?;
                    output = Some(PathBuf::from(path));
                }
                option if option.starts_with('-') => {
                    bail!("unknown option `{option}`\nusage: {example} [INPUT] [-o PICTURE]");
                }
                path if input.is_none() => input = Some(PathBuf::from(path)),
                path => bail!("one input only, not also `{path}`"),
            }
        }
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let beside = match &input {
            Some(input) => input.with_extension(format!("{example}.png")),
            None => here.join("out").join(format!("{example}.png")),
        };
        let input = input.unwrap_or_else(|| here.join("data").join(default));
        Ok(Args {
            input,
            output: output.unwrap_or(beside),
        })
    }
}

/// A path as people like to read it: from the current folder, if it is below that.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here)
        .unwrap_or(path)
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Args> {
        Args::parse("plot", "photo.png", args.iter().map(ToString::to_string))
    }

    #[test]
    fn the_picture_goes_beside_the_input() {
        let args = parse(&["a/b.jpg"]).unwrap();
        assert_eq!(args.output, Path::new("a/b.plot.png"));
        assert_eq!(
            parse(&["-o", "c.png", "b.jpg"]).unwrap().output,
            Path::new("c.png")
        );
    }

    #[test]
    fn without_an_input_the_shipped_photograph_is_read() {
        let args = parse(&[]).unwrap();
        assert!(args.input.ends_with("data/photo.png"));
        assert!(args.output.ends_with("out/plot.png"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(
            parse(&["--fast"])
                .unwrap_err()
                .to_string()
                .contains("unknown option `--fast`")
        );
        assert!(parse(&["a", "b"]).is_err());
        assert!(parse(&["-o"]).is_err());
    }
}
