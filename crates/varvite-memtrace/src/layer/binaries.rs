//! The source of the bytes of binaries.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use varvite::Budget;
use varvite_trace::Module;

use super::binary::{self, Binary};
use super::error::BinaryError;

/// Finds binaries.
pub trait Binaries {
    /// The binary that a module is a part of.
    ///
    /// # Errors
    /// The reason why it can't be used.
    fn find(&self, module: &Module) -> Result<Rc<Binary>, BinaryError>;
}

/// Binaries from the file system, at the paths in the trace or at paths that the user gives, with debug
/// information as distributions install it.
///
/// A trace names files, and could name all that there are: those that are read may be as long as
/// [`Budget::default_bytes`] together.
#[derive(Default)]
pub struct FileBinaries {
    replacements: Vec<(PathBuf, Result<Rc<Binary>, BinaryError>)>,
    /// Bytes of the files that were read.
    held: Cell<u64>,
}

/// The folder in which distributions put debug information, by build id.
const DEBUG_FOLDER: &str = "/usr/lib/debug/.build-id";
/// Most bytes of a binary.
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
    /// Binaries to take in place of modules with their build id or, if one of both has none, the name of
    /// their file. Each is read once.
    pub fn with_replacements(files: Vec<PathBuf>) -> Self {
        let read = |file: PathBuf| {
            let binary = Self::read(&file).map(Rc::new);
            (file, binary)
        };
        Self { replacements: files.into_iter().map(read).collect(), held: Cell::new(0) }
    }

    /// Counts a file that is about to be read.
    fn hold(&self, path: &Path) -> Result<(), BinaryError> {
        let limit = Budget::default_bytes() as u64;
        let held = self.held.get().saturating_add(fs::metadata(path)?.len());
        if held > limit {
            return Err(BinaryError::TooMuch { limit });
        }
        self.held.set(held);
        Ok(())
    }

    /// Reads one binary, and the debug information that is installed for it.
    ///
    /// # Errors
    /// As [`Binary::parse`], and [`BinaryError::Io`].
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

    /// The build id of a file, if it is a binary that has one.
    pub fn build_id(path: &Path) -> Option<Vec<u8>> {
        binary::build_id(&read(path).ok()?)
    }
}

fn debug_bytes(build_id: &[u8]) -> Option<Vec<u8>> {
    let (first, rest) = build_id.split_first()?;
    read(Path::new(&format!("{DEBUG_FOLDER}/{first:02x}/{}.debug", hex(rest)))).ok()
}

/// The bytes of a file. Traces name files, so it may be anything: devices without an end, or files of the
/// system that have no real size.
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
