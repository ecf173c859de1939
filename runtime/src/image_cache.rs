//! Machine code kept on disk, so that the driver's compiler runs once for a kernel and not once for a process.
//!
//! A file holds one image under a key made of the PTX, the device's target, the driver and accrue's version.
//! Files are written under another name and renamed, so a reader never sees half of one; a file that does
//! not check out is ignored and written anew. Nothing here fails a call: without the cache, the compiler runs.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Bytes that the folder may hold; the files used longest ago go first.
const CAPACITY: u64 = 64 << 20;

/// What a file starts with; the number is the format's.
const MAGIC: &[u8; 8] = b"accrue 1";

/// A folder of images.
#[derive(Debug)]
pub(crate) struct ImageCache {
    folder: PathBuf,
    capacity: u64,
}

/// 128 bits of a text: FNV-1a, which is the same everywhere and tomorrow.
pub(crate) fn fingerprint(parts: &[&[u8]]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut hash = BASIS;
    for part in parts {
        // The length keeps the parts apart.
        for byte in (part.len() as u64).to_le_bytes().iter().chain(*part) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }
    hash
}

/// The key of a PTX text on a target.
pub(crate) fn key(ptx: &str, target: &str) -> u128 {
    fingerprint(&[
        ptx.as_bytes(),
        target.as_bytes(),
        env!("CARGO_PKG_VERSION").as_bytes(),
    ])
}

impl ImageCache {
    /// The user's cache: the folder that `ACCRUE_CACHE_DIR` names (none, if it is empty), else `accrue` in the system's
    /// place for caches.
    pub(crate) fn of_user() -> Option<ImageCache> {
        let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let set = |name: &str| path(name).filter(|p| p.is_absolute());
        let folder = match path("ACCRUE_CACHE_DIR") {
            Some(folder) if folder.as_os_str().is_empty() => return None,
            Some(folder) => folder,
            None => set("XDG_CACHE_HOME")
                .or_else(|| set("LOCALAPPDATA"))
                .or_else(|| {
                    let place = if cfg!(target_os = "macos") {
                        "Library/Caches"
                    } else {
                        ".cache"
                    };
                    Some(set("HOME")?.join(place))
                })?
                .join("accrue"),
        };
        Some(ImageCache::new(folder, CAPACITY))
    }

    /// A cache in a folder, which need not exist yet.
    pub(crate) fn new(folder: PathBuf, capacity: u64) -> ImageCache {
        ImageCache { folder, capacity }
    }

    fn path(&self, key: u128) -> PathBuf {
        self.folder.join(format!("{key:032x}.bin"))
    }

    /// The image of a key, if it is there and whole.
    pub(crate) fn get(&self, key: u128) -> Option<Vec<u8>> {
        let path = self.path(key);
        let bytes = fs::read(&path).ok()?;
        let image = decode(key, &bytes);
        match &image {
            // The time of last use decides who stays; that it cannot be noted harms nobody.
            Some(_) => drop(
                fs::File::options()
                    .append(true)
                    .open(&path)
                    .and_then(|f| f.set_modified(SystemTime::now())),
            ),
            None => {
                log::warn!("ignoring {}, which is damaged", path.display());
                let _ = fs::remove_file(&path);
            }
        }
        image
    }

    /// Keeps an image.
    pub(crate) fn put(&self, key: u128, image: &[u8]) {
        if let Err(e) = self.write(key, image) {
            log::debug!(
                "cannot keep a compiled kernel in {}: {e}",
                self.folder.display()
            );
        }
    }

    fn write(&self, key: u128, image: &[u8]) -> io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        create_private(&self.folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let draft = self
            .folder
            .join(format!("{}-{number}.tmp", std::process::id()));
        let done =
            fs::write(&draft, encode(key, image)).and_then(|()| fs::rename(&draft, self.path(key)));
        if done.is_err() {
            let _ = fs::remove_file(&draft);
        }
        done?;
        self.shrink()
    }

    /// Removes the cache's files used longest ago until the rest of them fit. Others' files in the folder are left alone.
    fn shrink(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            // A file that another process has just removed is no concern of ours.
            let Ok(facts) = entry.metadata() else {
                continue;
            };
            if facts.is_file() && is_ours(&entry.file_name()) {
                let used = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                files.push((used, facts.len(), entry.path()));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in files {
            if total <= self.capacity {
                break;
            }
            let _ = fs::remove_file(path);
            total -= bytes;
        }
        Ok(())
    }
}

/// Whether a file has a name that the cache gives: an image, `<32 hexadecimal digits>.bin`, or a draft that was not
/// finished, `<process>-<number>.tmp`.
fn is_ours(name: &OsStr) -> bool {
    let Some((stem, kind)) = name.to_str().and_then(|name| name.rsplit_once('.')) else {
        return false;
    };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match kind {
        "bin" => {
            let hexadecimal = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
            stem.len() == 32 && stem.bytes().all(hexadecimal)
        }
        "tmp" => stem
            .split_once('-')
            .is_some_and(|(process, draft)| number(process) && number(draft)),
        _ => false,
    }
}

/// Magic, key, checksum of the image, image.
fn encode(key: u128, image: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(image.len() + 40);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&key.to_le_bytes());
    bytes.extend_from_slice(&fingerprint(&[image]).to_le_bytes());
    bytes.extend_from_slice(image);
    bytes
}

fn decode(key: u128, bytes: &[u8]) -> Option<Vec<u8>> {
    let rest = bytes
        .strip_prefix(MAGIC)?
        .strip_prefix(&key.to_le_bytes())?;
    let (sum, image) = rest.split_at_checked(16)?;
    (sum == fingerprint(&[image]).to_le_bytes()).then(|| image.to_vec())
}

/// Creates a folder that only this user can write: what lies in it is executed on the device.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("accrue-test-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_is_put_is_got_and_other_keys_are_not() {
        let folder = scratch("roundtrip");
        let cache = ImageCache::new(folder.clone(), 1 << 20);
        let (a, b) = (key("text", "sm_90"), key("text", "sm_80"));
        assert_ne!(a, b);
        assert_eq!(cache.get(a), None);
        cache.put(a, b"machine code");
        assert_eq!(cache.get(a).as_deref(), Some(&b"machine code"[..]));
        assert_eq!(cache.get(b), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn damaged_files_are_ignored_and_replaced() {
        let folder = scratch("damage");
        let cache = ImageCache::new(folder.clone(), 1 << 20);
        cache.put(1, b"machine code");
        let good = fs::read(cache.path(1)).unwrap();
        let mut flipped = good.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for bad in [&b""[..], b"accrue 1", &good[..good.len() - 1], &flipped] {
            fs::write(cache.path(1), bad).unwrap();
            assert_eq!(cache.get(1), None);
            cache.put(1, b"machine code");
            assert_eq!(cache.get(1).as_deref(), Some(&b"machine code"[..]));
        }
        // An image under another's name is not taken for it.
        fs::copy(cache.path(1), cache.path(2)).unwrap();
        assert_eq!(cache.get(2), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_folder_stays_within_its_capacity_and_keeps_what_was_used_last() {
        let folder = scratch("capacity");
        fs::create_dir_all(&folder).unwrap();
        // Files of others are neither counted nor removed; a draft that a process has left is.
        let others = [
            "photo.jpg",
            "0123.bin",
            "notes-1.tmp",
            "1-2-3.tmp",
            "README",
        ];
        for name in others {
            fs::write(folder.join(name), [1; 900]).unwrap();
        }
        let draft = folder.join("4711-0.tmp");
        fs::write(&draft, [2; 900]).unwrap();
        let long_ago = fs::File::options().append(true).open(&draft).unwrap();
        long_ago.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let cache = ImageCache::new(folder.clone(), 1000);
        for key in 0..10u64 {
            cache.put(key.into(), &[0; 260]);
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + key);
            if let Ok(file) = fs::File::options()
                .append(true)
                .open(cache.path(key.into()))
            {
                file.set_modified(time).unwrap();
            }
        }
        let left: Vec<u128> = (0..10).filter(|&key| cache.path(key).exists()).collect();
        assert_eq!(left, [7, 8, 9]);
        assert!(!draft.exists(), "the draft was kept");
        for name in others {
            assert_eq!(fs::read(folder.join(name)).unwrap(), [1; 900], "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_costs_nothing_but_the_cache() {
        let file = scratch("file");
        fs::write(&file, b"in the way").unwrap();
        let cache = ImageCache::new(file.join("below"), 1000);
        cache.put(1, b"machine code");
        assert_eq!(cache.get(1), None);
        fs::remove_file(file).unwrap();
    }
}
