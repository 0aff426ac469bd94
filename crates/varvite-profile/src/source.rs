//! [`ProfileSource`]: a file that may be a profile. It is read only once, so it may be a pipe.

use std::fs::File;
use std::io::{self, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

use varvite_codec::frame::Expansion;

use crate::bytes::plain::{Plain, is_compressed, len_of, open_file};
use crate::bytes::understood::{PLAIN_HEAD, Understood};
use crate::events::EventSink;
use crate::{Limits, Profile, ProfileError, ProfileFormat, Roots, heaptrack};

/// Number of stored bytes that are enough to detect the format of a file. They contain at least a whole block
/// of zstd.
const HEAD: u64 = 256 << 10;

/// An open file that may be a profile, with its first bytes in memory.
#[derive(Debug)]
pub struct ProfileSource {
    path: PathBuf,
    head: Vec<u8>,
    rest: File,
}

impl ProfileSource {
    /// Opens a file, and reads its first 256 KiB. The file may be a pipe.
    ///
    /// # Errors
    /// [`ProfileError::Open`], [`ProfileError::Io`].
    pub fn open(path: &Path) -> Result<Self, ProfileError> {
        let (mut rest, mut head) = (open_file(path)?, Vec::new());
        rest.by_ref().take(HEAD).read_to_end(&mut head)?;
        Ok(Self { path: path.to_owned(), head, rest })
    }

    /// Whether the first bytes are probably those of a profile, even if this crate does not read its format.
    /// True for all compressed files, since the format is known only once they are read.
    pub fn is_profile(&self) -> bool {
        let head = &self.head[..self.head.len().min(PLAIN_HEAD as usize)];
        is_compressed(head)
            || ProfileFormat::of_bytes(head).is_some()
            || !matches!(ProfileFormat::why_not(head), ProfileError::Unknown { .. })
    }

    /// Whether the file begins with these bytes.
    pub fn begins_with(&self, bytes: &[u8]) -> bool {
        self.head.starts_with(bytes)
    }

    /// Whether the file can be read only once, because it is a pipe or a terminal.
    pub fn is_stream(&self) -> bool {
        self.rest.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The format, detected from the first plain bytes; `None` if they are not those of a profile.
    ///
    /// # Errors
    /// [`ProfileError::Frame`] if the first compressed bytes are already damaged.
    pub fn format(&self) -> Result<Option<ProfileFormat>, ProfileError> {
        Ok(ProfileFormat::of_bytes(&self.plain_head()?))
    }

    fn plain_head(&self) -> Result<Vec<u8>, ProfileError> {
        let mut head = Vec::new();
        match Plain::of(&self.head[..], Expansion::default())?.take(PLAIN_HEAD).read_to_end(&mut head) {
            // The bytes before the error are enough to detect the format. The error is returned later, when
            // the file is read.
            Err(error) if head.is_empty() => Err(ProfileError::of_stream(error)),
            _ => Ok(head),
        }
    }

    /// Reads the profile, which may be plain or compressed with gzip or zstd. If `format` is `None`, the
    /// format is detected from the first bytes. Also returns a digest of the file's stored bytes, which
    /// identifies the file.
    ///
    /// # Errors
    /// [`ProfileError`]
    pub fn read(
        self,
        format: Option<ProfileFormat>,
        limits: &Limits,
    ) -> Result<(Profile, [u8; 32]), ProfileError> {
        let (form, limits) = (self.form(format)?, self.bound(limits));
        if limits.roots != Roots::None && form != ProfileFormat::Perf {
            return Err(ProfileError::NoThreads { title: form.title() });
        }
        let (profile, digest) = self.hashed(|source| form.read(source, &limits))?;
        let (lines, bad) = (profile.lines, profile.noticed.bad_lines);
        let all = Understood { known: lines.saturating_sub(bad), lines };
        match format.is_some() || lines == 0 || all.is_enough() {
            true => Ok((profile, digest)),
            // The rest of the file does not have the format of its beginning.
            false => Err(form.doubtful(all)),
        }
    }

    /// Reads a heaptrack profile as [`ProfileSource::read`] does, and passes its events to a sink.
    ///
    /// # Errors
    /// [`ProfileError`]. It is [`ProfileError::NoEvents`] for other formats.
    pub fn read_events(
        self,
        format: Option<ProfileFormat>,
        limits: &Limits,
        sink: &mut impl EventSink,
    ) -> Result<(Profile, [u8; 32]), ProfileError> {
        let limits = self.bound(limits);
        match self.form(format)? {
            form if limits.roots != Roots::None => Err(ProfileError::NoThreads { title: form.title() }),
            ProfileFormat::Heaptrack => self.hashed(|source| heaptrack::read_events(source, &limits, sink)),
            _ => Err(ProfileError::NoEvents),
        }
    }

    /// The limits for a compressed profile with the length of this file.
    fn bound(&self, limits: &Limits) -> Limits {
        limits.of_len(len_of(&self.rest))
    }

    fn form(&self, told: Option<ProfileFormat>) -> Result<ProfileFormat, ProfileError> {
        if let Some(told) = told {
            return Ok(told);
        }
        let head = self.plain_head()?;
        ProfileFormat::of_bytes(&head).ok_or_else(|| ProfileFormat::why_not(&head))
    }

    fn hashed(
        self,
        read: impl FnOnce(&mut Hashed) -> Result<Profile, ProfileError>,
    ) -> Result<(Profile, [u8; 32]), ProfileError> {
        let source = Cursor::new(self.head).chain(self.rest);
        let mut hashed = Hashed { source, hasher: blake3::Hasher::new() };
        let profile = read(&mut hashed)?;
        // The digest includes bytes after the profile.
        io::copy(&mut hashed, &mut io::sink())?;
        Ok((profile, *hashed.hasher.finalize().as_bytes()))
    }
}

/// A file that is hashed while it is read.
struct Hashed {
    source: Chain<Cursor<Vec<u8>>, File>,
    hasher: blake3::Hasher,
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.source.read(buffer)?;
        self.hasher.update(&buffer[..len]);
        Ok(len)
    }
}

/// Reads the profile at a path, which may be plain or compressed with gzip or zstd. If `format` is `None`,
/// the format is detected from the first bytes.
///
/// # Errors
/// [`ProfileError`]
pub fn open(path: &Path, format: Option<ProfileFormat>, limits: &Limits) -> Result<Profile, ProfileError> {
    Ok(ProfileSource::open(path)?.read(format, limits)?.0)
}
