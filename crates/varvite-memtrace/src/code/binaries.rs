//! [`Binaries`]: finds the binaries of a trace's modules.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use varvite::Budget;
use varvite_trace::Module;

use super::binary::Binary;
use super::build_id::build_id_of;
use super::error::BinaryError;

/// A source of binaries.
pub trait Binaries {
    /// The binary that contains a module.
    ///
    /// # Errors
    /// The reason why the binary can't be used.
    fn find(&self, module: &Module) -> Result<Rc<Binary>, BinaryError>;
}

/// Binaries in the file system, at the paths that the trace names or at paths that the user gives, with the
/// debug information that distributions install separately.
///
/// Since a trace could name every file of the system, the total length of the files that are read is limited
/// to [`Budget::default_bytes`].
#[derive(Default)]
pub struct FileBinaries {
    replacements: Vec<(PathBuf, Result<Rc<Binary>, BinaryError>)>,
    /// Total length of the files read so far.
    held: Cell<u64>,
}

/// The folder in which distributions install debug information, in files named by build id.
const DEBUG_FOLDER: &str = "/usr/lib/debug/.build-id";
/// Maximum length of a binary in bytes.
const LEN_MAX: u64 = 4 << 30;

impl Binaries for FileBinaries {
    fn find(&self, module: &Module) -> Result<Rc<Binary>, BinaryError> {
        let path = PathBuf::from(String::from_utf8_lossy(&module.path).into_owned());
        let mut other = None;
        for (replacement, binary) in &self.replacements {
            let binary = binary.as_ref().map_err(Clone::clone)?;
            let has_id = !module.build_id.is_empty() && !binary.build_id().is_empty();
            if has_id && binary.build_id() == module.build_id
                || !has_id && replacement.file_name() == path.file_name()
            {
                return Ok(Rc::clone(binary));
            }
            if has_id && replacement.file_name() == path.file_name() {
                other = Some(other_build(module, binary));
            }
        }
        if let Some(other) = other {
            return Err(other);
        }
        self.hold(&path)?;
        let binary = Self::read(&path)?;
        if !module.build_id.is_empty() && binary.build_id() != module.build_id {
            return Err(other_build(module, &binary));
        }
        Ok(Rc::new(binary))
    }
}

impl FileBinaries {
    /// Uses each of these files in place of the modules that have the same build id or, if the module or the
    /// file has no build id, the same file name. Each file is read only once.
    pub fn with_replacements(files: Vec<PathBuf>) -> Self {
        let read = |file: PathBuf| {
            let binary = Self::read(&file).map(Rc::new);
            (file, binary)
        };
        Self { replacements: files.into_iter().map(read).collect(), held: Cell::new(0) }
    }

    /// Adds the length of a file that will be read to the total. Fails if the total exceeds the limit.
    fn hold(&self, path: &Path) -> Result<(), BinaryError> {
        let limit = Budget::default_bytes() as u64;
        let held = self.held.get().saturating_add(fs::metadata(path)?.len());
        if held > limit {
            return Err(BinaryError::TooMuch { limit });
        }
        self.held.set(held);
        Ok(())
    }

    /// Reads a binary and, if it has no source lines, the debug information that is installed for it.
    ///
    /// # Errors
    /// The errors of [`Binary::parse`], and [`BinaryError::Io`].
    pub fn read(path: &Path) -> Result<Binary, BinaryError> {
        let bytes = read(path)?;
        let binary = Binary::parse(&bytes, None)?;
        if binary.lines.is_some() {
            return Ok(binary);
        }
        match debug_bytes(binary.build_id()) {
            Some(debug) => Binary::parse(&bytes, Some(&debug)),
            None => Ok(binary),
        }
    }

    /// The build id of a file; `None` if the file is not a binary or has no build id.
    ///
    /// **Cost**: reads the headers of the file, and at most a megabyte.
    pub fn build_id(path: &Path) -> Option<Vec<u8>> {
        build_id_of(path)
    }
}

fn debug_bytes(build_id: &[u8]) -> Option<Vec<u8>> {
    let (first, rest) = build_id.split_first()?;
    read(Path::new(&format!("{DEBUG_FOLDER}/{first:02x}/{}.debug", hex(rest)))).ok()
}

/// Reads a file. A trace may name anything, for example a device that never ends, or a system file that
/// reports a wrong length.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let data = fs::metadata(path)?;
    if !data.is_file() || data.len() > LEN_MAX {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file that could be a binary"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(data.len()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn other_build(module: &Module, binary: &Binary) -> BinaryError {
    BinaryError::OtherBuild { expected: hex(&module.build_id), found: hex(binary.build_id()) }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
