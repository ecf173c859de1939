//! What every example is asked on its command line, and where its files go.

use std::path::{Path, PathBuf};

use accrue::{Device, offload};
use anyhow::{Context, Result, ensure};
use image::RgbImage;

/// The options of every example; each flattens them into its own.
#[derive(Clone, Debug, clap::Args)]
pub struct Common {
    /// Where the loops run: `auto`, `seq`, `cpu`, `cuda`, ..
    #[arg(long, default_value = "auto")]
    pub device: Device,
    /// How they run there, as in `ACCRUE_STRATEGY`: `private:workers=2`, `gang_shared:copies=4`, ..
    #[arg(long)]
    pub strategy: Option<String>,
    /// How many turns the sequential loop and the offloaded one take; by default some, for half a second.
    #[arg(long)]
    pub repeat: Option<usize>,
    /// A file for the time of each turn.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// The picture to write; by default in the examples' folder `out`.
    #[arg(short, long, value_name = "PICTURE")]
    pub output: Option<PathBuf>,
    /// A picture that the one written must equal, pixel by pixel.
    #[arg(long, value_name = "PICTURE")]
    pub expect: Option<PathBuf>,
}

#[offload(histogram)]
fn probe(keys: &[u8], bins: &mut [u32; 2]) {
    for &key in keys {
        bins[key as usize] += 1;
    }
}

impl Common {
    /// Looks at the options that concern the whole program. To be called first in `main`.
    ///
    /// # Errors
    ///
    /// If an option has a value that cannot be used, or the device does not open.
    pub fn begin(&self) -> Result<()> {
        ensure!(self.repeat != Some(0), "--repeat 0 measures nothing");
        if let Some(strategy) = &self.strategy {
            // SAFETY: `main` has started no other thread yet.
            unsafe { std::env::set_var("ACCRUE_STRATEGY", strategy) };
        }
        // A plain call runs on the CPU where the device is missing. Who asks for one wants to know.
        let mut bins = [0; 2];
        accrue::with_device(self.device, || probe::try_call(&[0, 1, 1], &mut bins))?;
        ensure!(bins == [1, 2], "the device counts wrongly: {bins:?}");
        Ok(())
    }

    /// Writes the picture where it is asked for, says where that is, and compares it with the expected one.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or is not the expected one.
    pub fn picture(&self, example: &str, picture: &RgbImage) -> Result<()> {
        let path = match &self.output {
            Some(path) => path.clone(),
            None => out(&format!("{example}.png")),
        };
        write_picture(&path, picture)?;
        println!("picture     {}", shown(&path));
        let Some(expected) = &self.expect else {
            return Ok(());
        };
        let kept = image::open(expected)
            .with_context(|| format!("cannot read the picture {}", expected.display()))?
            .to_rgb8();
        ensure!(
            kept.dimensions() == picture.dimensions(),
            "the picture has {:?} pixels, and {} has {:?}",
            picture.dimensions(),
            shown(expected),
            kept.dimensions()
        );
        let pixels = picture.pixels().zip(kept.pixels());
        let differing = pixels.filter(|(a, b)| a != b).count();
        ensure!(
            differing == 0,
            "{differing} pixels are not those of {}",
            shown(expected)
        );
        println!("check       the picture equals {}", shown(expected));
        Ok(())
    }
}

/// A file of the examples' `data` folder, which the repository ships.
pub fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(file)
}

/// A file of the examples' `out` folder, for what they write.
pub fn out(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("out").join(file)
}

/// Reads a photograph.
///
/// # Errors
///
/// If the file is not there or no picture.
pub fn photograph(path: &Path) -> Result<RgbImage> {
    let photo =
        image::open(path).with_context(|| format!("cannot read the picture {}", path.display()))?;
    Ok(photo.to_rgb8())
}

/// Writes a picture, and the folder that it goes to.
///
/// # Errors
///
/// If one of them cannot be written.
pub fn write_picture(path: &Path, picture: &RgbImage) -> Result<()> {
    make_folder_of(path)?;
    picture
        .save(path)
        .with_context(|| format!("cannot write the picture {}", path.display()))
}

/// Makes the folder that a file is to be written to.
///
/// # Errors
///
/// If it cannot be made.
pub fn make_folder_of(path: &Path) -> Result<()> {
    match path.parent() {
        Some(folder) => std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display())),
        None => Ok(()),
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
    use clap::Parser;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        common: Common,
    }

    fn parse(args: &[&str]) -> Result<Common> {
        let words = std::iter::once("plot").chain(args.iter().copied());
        Ok(Options::try_parse_from(words)?.common)
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(parse(&["--fast"]).is_err());
        assert!(parse(&["--device", "abacus"]).is_err());
        assert!(parse(&["--repeat", "0"]).unwrap().begin().is_err());
        assert!(parse(&["--device", "cpu"]).unwrap().begin().is_ok());
    }

    #[test]
    fn a_picture_is_written_where_it_is_asked_for_and_compared() {
        let folder = std::env::temp_dir().join(format!("accrue-args-{}", std::process::id()));
        let path = folder.join("deep/picture.png").display().to_string();
        let picture = RgbImage::from_pixel(3, 2, image::Rgb([1, 2, 3]));
        let common = parse(&["-o", path.as_str()]).unwrap();
        common.picture("plot", &picture).unwrap();
        assert_eq!(photograph(Path::new(&path)).unwrap(), picture);
        let common = parse(&["-o", path.as_str(), "--expect", path.as_str()]).unwrap();
        common.picture("plot", &picture).unwrap();
        let kept = folder.join("kept.png");
        write_picture(&kept, &RgbImage::new(3, 2)).unwrap();
        let mut common = common;
        common.expect = Some(kept);
        let error = common.picture("plot", &picture).unwrap_err().to_string();
        assert!(error.starts_with("6 pixels are not those of"), "{error}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
