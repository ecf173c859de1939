//! Machine code kept on disk, so that the driver's compiler runs once for a kernel and not once for a process.
//!
//! A file holds one image under a key made of the PTX, the device's target, the driver and accrue's version. The folder has to be the user's
//! and closed to others, see [`folder`]; a file has to be the user's too, and to carry the SHA-256 of its key and image: one that is damaged, cut
//! off or another kernel's is not given to the driver. Files are created where there was none, under another name, and renamed,
//! so a reader never sees half of one; a file that does not check out is ignored and written anew. Nothing here fails a
//! call: without the cache, the compiler runs.

mod folder;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use self::folder::Refusal;

/// Bytes that the folder may hold; the files used longest ago go first.
const CAPACITY: u64 = 64 << 20;

/// What a file starts with; the number is the format's.
const MAGIC: &[u8; 8] = b"accrue 2";

/// Bytes of a SHA-256.
const HASH: usize = 32;

/// What an image is for, as a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key([u8; HASH]);

/// A folder of images.
#[derive(Debug)]
pub(crate) struct ImageCache {
    folder: PathBuf,
    capacity: u64,
    /// Whether it has been said that the folder is not used.
    refused: AtomicBool,
}

/// 128 bits of a text, to tell texts of this process apart: FNV-1a. What is on disk has a [`Key`].
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

impl Key {
    /// The key of some texts.
    pub(crate) fn of(parts: &[&[u8]]) -> Key {
        let mut hash = Sha256::new();
        for part in parts {
            // The length keeps the parts apart.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Key(hash.finalize().into())
    }

    /// The key of a module's code on a target.
    pub(crate) fn of_code([code, number]: [&[u8]; 2], target: &str) -> Key {
        let version = env!("CARGO_PKG_VERSION");
        Key::of(&[code, number, target.as_bytes(), version.as_bytes()])
    }

    fn file_name(self) -> String {
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        digits + ".bin"
    }
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
        ImageCache {
            folder,
            capacity,
            refused: AtomicBool::new(false),
        }
    }

    fn path(&self, key: Key) -> PathBuf {
        self.folder.join(key.file_name())
    }

    /// Whether the folder is there and what lies in it is the user's alone. Where it is not, that is said once.
    fn is_trusted(&self) -> bool {
        let why = match folder::check(&self.folder) {
            Ok(()) => return true,
            Err(Refusal::Missing) => return false,
            Err(Refusal::Open(why)) => why,
            Err(Refusal::Unknown(error)) => error.to_string(),
        };
        if !self.refused.swap(true, Ordering::Relaxed) {
            let folder = self.folder.display();
            log::warn!("compiled kernels are neither read from nor kept in {folder}: {why}");
        }
        false
    }

    /// The image of a key, if it is there, the user's and whole.
    pub(crate) fn get(&self, key: Key) -> Option<Vec<u8>> {
        if !self.is_trusted() {
            return None;
        }
        let path = self.path(key);
        match read(&path, key) {
            Ok(image) => Some(image),
            Err(Refusal::Missing) => None,
            Err(why) => {
                let why = match why {
                    Refusal::Open(why) => why,
                    Refusal::Unknown(error) => error.to_string(),
                    Refusal::Missing => String::new(),
                };
                log::warn!("ignoring {}: {why}", path.display());
                let _ = fs::remove_file(&path);
                None
            }
        }
    }

    /// Keeps an image.
    pub(crate) fn put(&self, key: Key, image: &[u8]) {
        if let Err(e) = self.write(key, image) {
            log::debug!(
                "cannot keep a compiled kernel in {}: {e}",
                self.folder.display()
            );
        }
    }

    fn write(&self, key: Key, image: &[u8]) -> io::Result<()> {
        folder::create(&self.folder)?;
        if !self.is_trusted() {
            return Ok(());
        }
        let (mut file, draft) = self.draft()?;
        let written = file.write_all(&encode(key, image));
        drop(file);
        let done = written.and_then(|()| fs::rename(&draft, self.path(key)));
        if done.is_err() {
            let _ = fs::remove_file(&draft);
        }
        done?;
        self.shrink()
    }

    /// A file that nobody else has. Numbers of processes come back, and in containers all are alike, so the time tells drafts apart, and what
    /// is there already is left to whoever writes it.
    fn draft(&self) -> io::Result<(File, PathBuf)> {
        const TRIES: usize = 16;
        let mut tries = 0;
        loop {
            let time = SystemTime::now().duration_since(UNIX_EPOCH);
            let time = time.map_or(0, |time| time.as_nanos());
            let name = format!("{}-{time}.tmp", std::process::id());
            let path = self.folder.join(name);
            tries += 1;
            match folder::create_file(&path) {
                Ok(file) => return Ok((file, path)),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => {}
                Err(e) => return Err(e),
            }
        }
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

/// Reads the image of a key from a file.
fn read(path: &Path, key: Key) -> Result<Vec<u8>, Refusal> {
    let mut file = File::open(path)?;
    folder::check_file(&file)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let image = decode(key, &bytes)
        .ok_or_else(|| Refusal::Open("it is damaged, or another kernel's".to_owned()))?;
    // The time of last use decides who stays; that it cannot be noted harms nobody.
    let used = File::options().append(true).open(path);
    let _ = used.and_then(|file| file.set_modified(SystemTime::now()));
    Ok(image)
}

/// Whether a file has a name that the cache gives: an image, `<64 hexadecimal digits>.bin`, 32 in versions before, or a draft that was not
/// finished, `<process>-<number>.tmp`.
fn is_ours(name: &OsStr) -> bool {
    let Some((stem, kind)) = name.to_str().and_then(|name| name.rsplit_once('.')) else {
        return false;
    };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match kind {
        "bin" => {
            let hexadecimal = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
            matches!(stem.len(), 32 | 64) && stem.bytes().all(hexadecimal)
        }
        "tmp" => stem
            .split_once('-')
            .is_some_and(|(process, draft)| number(process) && number(draft)),
        _ => false,
    }
}

/// Magic, the SHA-256 of what follows, key, image.
fn encode(key: Key, image: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(MAGIC.len() + 2 * HASH + image.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&hash(&key.0, image));
    bytes.extend_from_slice(&key.0);
    bytes.extend_from_slice(image);
    bytes
}

fn decode(key: Key, bytes: &[u8]) -> Option<Vec<u8>> {
    let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(HASH)?;
    let image = rest.strip_prefix(&key.0)?;
    (sum == hash(&key.0, image)).then(|| image.to_vec())
}

fn hash(key: &[u8; HASH], image: &[u8]) -> [u8; HASH] {
    Sha256::new_with_prefix(key)
        .chain_update(image)
        .finalize()
        .into()
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

    fn number(n: u64) -> Key {
        Key::of(&[&n.to_le_bytes()])
    }

    #[test]
    fn what_is_put_is_got_and_other_keys_are_not() {
        let folder = scratch("roundtrip");
        let cache = ImageCache::new(folder.clone(), 1 << 20);
        let key = |target| Key::of_code([b"text", b""], target);
        let (a, b) = (key("sm_90"), key("sm_80"));
        assert_ne!(a, b);
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        assert_eq!(cache.get(a), None);
        cache.put(a, b"machine code");
        assert_eq!(cache.get(a).as_deref(), Some(&b"machine code"[..]));
        assert_eq!(cache.get(b), None);
        // Again, over what is there.
        cache.put(a, b"other code");
        assert_eq!(cache.get(a).as_deref(), Some(&b"other code"[..]));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn keys_are_sha_256() {
        // Of 24 bytes: the lengths of the parts and the parts. (`sha256sum` says the same.)
        let mut text = 3u64.to_le_bytes().to_vec();
        text.extend(b"abc");
        let expected: [u8; HASH] = Sha256::digest(&text).into();
        assert_eq!(Key::of(&[b"abc"]), Key(expected));
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.bin";
        assert_eq!(Key(Sha256::digest(b"abc").into()).file_name(), known);
    }

    #[test]
    fn damaged_files_are_ignored_and_replaced() {
        let folder = scratch("damage");
        let cache = ImageCache::new(folder.clone(), 1 << 20);
        let (one, two) = (number(1), number(2));
        cache.put(one, b"machine code");
        let good = fs::read(cache.path(one)).unwrap();
        let mut bad = vec![b"accrue 1 and so on".to_vec()];
        // Cut off anywhere, and any bit flipped; with something behind it.
        bad.extend((0..good.len()).map(|n| good[..n].to_vec()));
        bad.extend((0..good.len() * 8).map(|bit| {
            let mut flipped = good.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            flipped
        }));
        bad.push([&good[..], b"x"].concat());
        for bad in bad {
            fs::write(cache.path(one), &bad).unwrap();
            assert_eq!(cache.get(one), None, "{bad:?}");
            assert!(!cache.path(one).exists());
        }
        cache.put(one, b"machine code");
        assert_eq!(cache.get(one).as_deref(), Some(&b"machine code"[..]));
        // An image under another's name is not taken for it, nor one whose key has been exchanged.
        fs::copy(cache.path(one), cache.path(two)).unwrap();
        assert_eq!(cache.get(two), None);
        let mut other = good.clone();
        other[MAGIC.len() + HASH..][..HASH].copy_from_slice(&two.0);
        fs::write(cache.path(two), other).unwrap();
        assert_eq!(cache.get(two), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_others_can_write_to_is_not_used() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let folder = scratch("open");
        let cache = ImageCache::new(folder.clone(), 1 << 20);
        let key = number(7);
        cache.put(key, b"machine code");
        assert_eq!(
            fs::metadata(&folder).unwrap().permissions().mode() & 0o777,
            0o700
        );
        assert_eq!(
            fs::metadata(cache.path(key)).unwrap().permissions().mode() & 0o777,
            0o600
        );
        for open in [0o777, 0o770, 0o702, 0o1777] {
            mode(&folder, open);
            assert_eq!(cache.get(key), None, "{open:o}");
            cache.put(number(8), b"more code");
            assert!(!cache.path(number(8)).exists(), "{open:o}");
        }
        // Nothing has been taken away; closed again it is used again.
        mode(&folder, 0o755);
        assert!(cache.get(key).is_some());
        // A file that others can write to.
        mode(&cache.path(key), 0o666);
        assert_eq!(cache.get(key), None);
        cache.put(key, b"machine code");
        assert!(cache.get(key).is_some());
        // A link to the folder.
        let link = scratch("link");
        let _ = fs::remove_file(&link);
        symlink(&folder, &link).unwrap();
        let linked = ImageCache::new(link.clone(), 1 << 20);
        assert_eq!(linked.get(key), None);
        linked.put(number(9), b"more code");
        assert!(!cache.path(number(9)).exists());
        assert!(linked.refused.load(Ordering::Relaxed));
        fs::remove_file(link).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    /// Somebody else's folder, where this process may make one.
    #[cfg(unix)]
    #[test]
    fn what_belongs_to_somebody_else_is_not_used() {
        use std::os::unix::fs::chown;
        let folder = scratch("stranger");
        let cache = ImageCache::new(folder.clone(), 1 << 20);
        cache.put(number(1), b"machine code");
        // Only the superuser gives files away; what is judged is tested beside `judge`.
        if chown(&folder, Some(12_345), None).is_ok() {
            assert_eq!(cache.get(number(1)), None);
            cache.put(number(2), b"machine code");
            assert!(!cache.path(number(2)).exists());
            chown(&folder, Some(0), None).unwrap();
            assert!(cache.get(number(1)).is_some());
            chown(cache.path(number(1)), Some(12_345), None).unwrap();
            assert_eq!(cache.get(number(1)), None);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_draft_that_is_there_is_left_alone() {
        let folder = scratch("drafts");
        let cache = ImageCache::new(folder.clone(), 1 << 20);
        folder::create(&folder).unwrap();
        let (_, one) = cache.draft().unwrap();
        fs::write(&one, b"under way").unwrap();
        let (_, two) = cache.draft().unwrap();
        assert_ne!(one, two);
        cache.put(number(1), b"machine code");
        assert_eq!(fs::read(&one).unwrap(), b"under way");
        assert!(is_ours(one.file_name().unwrap()));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_folder_stays_within_its_capacity_and_keeps_what_was_used_last() {
        let folder = scratch("capacity");
        folder::create(&folder).unwrap();
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
            cache.put(number(key), &[0; 228]);
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + key);
            if let Ok(file) = fs::File::options()
                .append(true)
                .open(cache.path(number(key)))
            {
                file.set_modified(time).unwrap();
            }
        }
        let left: Vec<u64> = (0..10)
            .filter(|&key| cache.path(number(key)).exists())
            .collect();
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
        cache.put(number(1), b"machine code");
        assert_eq!(cache.get(number(1)), None);
        fs::remove_file(file).unwrap();
    }
}
