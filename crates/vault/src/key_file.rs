//! The master key of an installation that was given none: made at the first start, kept in its data folder.

use crate::master_key::{KeyError, LENGTH, MasterKey};
use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};
use zeroize::Zeroizing;

const NAME: &str = "master.key";

impl MasterKey {
    /// Never replaces a file that is there: whatever was sealed with it would be lost.
    pub fn load_or_create(folder: &Path) -> Result<Self, KeyError> {
        let path = folder.join(NAME);
        match File::open(&path) {
            Ok(file) => read(file, &path),
            Err(error) if error.kind() == ErrorKind::NotFound => create(folder, &path),
            Err(error) => Err(failed(&path)(error)),
        }
    }
}

/// The file gets its name when it is whole, and only if nobody was faster: then theirs counts.
fn create(folder: &Path, path: &Path) -> Result<MasterKey, KeyError> {
    let key = MasterKey::random();
    match write(&key, folder, path) {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            read(File::open(path).map_err(failed(path))?, path)
        }
        Err(error) => Err(failed(path)(error)),
    }
}

fn write(key: &MasterKey, folder: &Path, path: &Path) -> io::Result<()> {
    let owner_only = fs::Permissions::from_mode(0o600);
    let mut file =
        tempfile::Builder::new().prefix(".master.key-").permissions(owner_only).tempfile_in(folder)?;
    file.write_all(key.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    // The name has to survive a power cut as well.
    File::open(folder)?.sync_all()
}

fn read(mut file: File, path: &Path) -> Result<MasterKey, KeyError> {
    let about = file.metadata().map_err(failed(path))?;
    if about.permissions().mode() & 0o077 != 0 {
        return Err(KeyError::OpenToOthers { path: path.to_owned() });
    }
    if about.len() != LENGTH as u64 {
        return Err(KeyError::WrongLength { path: path.to_owned(), length: about.len() });
    }
    let mut bytes = Zeroizing::new([0; LENGTH]);
    file.read_exact(&mut *bytes).map_err(failed(path))?;
    MasterKey::from_bytes(&*bytes).ok_or(KeyError::NotAKey)
}

fn failed(path: &Path) -> impl Fn(io::Error) -> KeyError {
    move |source| KeyError::File { path: path.to_owned(), source }
}
