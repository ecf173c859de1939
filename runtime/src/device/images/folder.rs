//! Whether a folder, and a file in it, can only have been written by this user.
//!
//! What lies in the cache is executed on the device, in this process's memory. A checksum tells a damaged file from a whole one, not a
//! stranger's from ours, for a stranger can compute it too. So the folder has to belong to the user and be closed to the others' writing,
//! and so has each file once it is open: what its path leads to may have been exchanged after the folder was looked at.
//!
//! Elsewhere than on Unix the system's place for caches belongs to the user by itself, and nothing is checked.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Why what is there is not used.
#[derive(Debug)]
pub(super) enum Refusal {
    /// There is nothing.
    Missing,
    /// It is somebody else's, or others may write to it.
    Open(String),
    /// The system does not say.
    Unknown(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        match error.kind() {
            io::ErrorKind::NotFound => Refusal::Missing,
            _ => Refusal::Unknown(error),
        }
    }
}

/// Checks a folder.
pub(super) fn check(folder: &Path) -> Result<(), Refusal> {
    let facts = fs::symlink_metadata(folder)?;
    let refused = |why: &str| Err(Refusal::Open(why.to_owned()));
    if facts.is_symlink() {
        return refused("it is a link; name the folder that it leads to in ACCRUE_CACHE_DIR");
    }
    if !facts.is_dir() {
        return refused("it is no folder");
    }
    check_owner(&facts)
}

/// Checks a file that has been opened.
pub(super) fn check_file(file: &File) -> Result<(), Refusal> {
    let facts = file.metadata()?;
    if !facts.is_file() {
        return Err(Refusal::Open("it is no file".to_owned()));
    }
    check_owner(&facts)
}

#[cfg(unix)]
fn check_owner(facts: &fs::Metadata) -> Result<(), Refusal> {
    use std::os::unix::fs::MetadataExt;
    judge(facts.uid(), facts.mode(), user())
}

#[cfg(not(unix))]
fn check_owner(_: &fs::Metadata) -> Result<(), Refusal> {
    Ok(())
}

/// The judgement on an owner and a mode.
#[cfg(unix)]
fn judge(owner: u32, mode: u32, user: u32) -> Result<(), Refusal> {
    /// Writing by the group and by others.
    const OTHERS: u32 = 0o022;
    if owner != user {
        return Err(Refusal::Open(format!(
            "it belongs to user {owner}, and this process is user {user}'s"
        )));
    }
    if mode & OTHERS != 0 {
        return Err(Refusal::Open(format!(
            "others may write to it (mode {:o}); `chmod go-w` closes it",
            mode & 0o7777
        )));
    }
    Ok(())
}

/// The effective user of this process.
#[cfg(unix)]
fn user() -> u32 {
    unsafe extern "C" {
        fn geteuid() -> u32;
    }
    // SAFETY: POSIX's `uid_t geteuid(void)`, which always succeeds; `uid_t` has 32 bits wherever Rust's `MetadataExt::uid` has, and the
    // C library is the one that std is linked with.
    unsafe { geteuid() }
}

/// Creates a folder, if there is none, that only this user can read and write.
pub(super) fn create(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates a file that only this user can read and write, and that was not there.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_the_users_own_and_closed_will_do() {
        for mode in [0o40700, 0o40755, 0o100_600, 0o100_644, 0o42750] {
            assert!(judge(1000, mode, 1000).is_ok(), "{mode:o}");
        }
        for mode in [0o40777, 0o40770, 0o41777, 0o40702, 0o100_666, 0o100_664] {
            let Err(Refusal::Open(why)) = judge(1000, mode, 1000) else {
                panic!("{mode:o} is taken");
            };
            assert!(why.contains("others may write to it"), "{why}");
        }
        // Nobody else's, and not the superuser's either: who runs as somebody else has a cache of their own.
        for (owner, user) in [(1000, 0), (0, 1000), (1000, 1001)] {
            let Err(Refusal::Open(why)) = judge(owner, 0o40700, user) else {
                panic!("{owner}'s is taken by {user}");
            };
            assert!(why.contains(&format!("belongs to user {owner}")), "{why}");
        }
    }

    #[test]
    fn the_user_is_who_owns_what_this_process_creates() {
        use std::os::unix::fs::MetadataExt;
        let path = std::env::temp_dir().join(format!("accrue-test-{}-owner", std::process::id()));
        let _ = fs::remove_file(&path);
        let file = create_file(&path).unwrap();
        assert_eq!(file.metadata().unwrap().uid(), user());
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
        assert_eq!(
            create_file(&path).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
        fs::remove_file(path).unwrap();
    }
}
