//! [`Verdict`]: the result of comparing an installation of Joern with Varvite's classes, and its file in the
//! user's cache.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite_store::vfs::RealVfs;
use varvite_store::{IfExists, StagedFile};

use super::super::error::JoernError;
use super::super::jar_file::JarFile;
use super::super::replacement::cache;
use super::Lack;

/// The first line of a verdict's file. A verdict by other rules has another line.
const HEADER: &str = "members 1";
/// Maximum length of a verdict's file in bytes.
const LEN_MAX: u64 = 64 << 10;

/// Uses of Joern that need different classes of Varvite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Opening graph files.
    Graphs,
    /// Making a graph by a frontend.
    Frontend,
    /// The start from which Java learns.
    Training,
}

/// For each purpose, a sentence about what is missing; `None` if nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    lacks: [Option<String>; 3],
    /// Whether the verdict comes from the cache.
    pub(crate) is_cached: bool,
}

impl Purpose {
    /// The only purpose for which a class of Varvite is used.
    pub(super) fn of_class(name: &[u8]) -> Self {
        match name {
            b"varvite/joern/start/Overlays" => Self::Frontend,
            b"varvite/joern/start/Training" => Self::Training,
            _ => Self::Graphs,
        }
    }
}

impl Verdict {
    /// The verdict about graphs by what Joern's classes lack.
    pub(super) fn new(lacks: &[Lack]) -> Self {
        let mut verdict = Self::default();
        verdict.add(Purpose::Graphs, lacks);
        verdict
    }

    /// Adds what is missing for a purpose. The sentence is about the first one.
    pub(super) fn add(&mut self, purpose: Purpose, lacks: &[Lack]) {
        let sentence = &mut self.lacks[purpose as usize];
        let more = match lacks.len() {
            0 | 1 => String::new(),
            count => format!(", and more ({} in all)", count),
        };
        if let (None, Some(first)) = (&sentence, lacks.first()) {
            *sentence = Some(format!("{} needs {}, which is missing{more}", first.user, first.what));
        }
    }

    /// The sentence about what is missing for a purpose; `None` if nothing is.
    pub(crate) fn lack(&self, purpose: Purpose) -> Option<&str> {
        self.lacks[purpose as usize].as_deref()
    }

    /// The content of the verdict's file: a header, and a line for each purpose.
    fn text(&self) -> String {
        let lines = self.lacks.iter().map(|lack| lack.as_deref().unwrap_or_default());
        [HEADER].into_iter().chain(lines).flat_map(|line| [line, "\n"]).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        if lines.next() != Some(HEADER) {
            return None;
        }
        let lacks: Vec<Option<String>> =
            lines.map(|line| (!line.is_empty()).then(|| line.to_owned())).collect();
        Some(Self { lacks: lacks.try_into().ok()?, is_cached: true })
    }
}

/// The place of a verdict in the user's cache; without a cache, nothing is loaded or stored.
pub(super) struct Cached(Option<PathBuf>);

impl Cached {
    /// The place of the verdict about an installation's jars and Varvite's jar.
    ///
    /// # Errors
    /// [`JoernError::Jar`] if a file is not a jar; [`JoernError::Unreadable`].
    pub(super) fn of(jars: &[PathBuf], ours: &Path) -> Result<Self, JoernError> {
        let mut hasher = DefaultHasher::new();
        for jar in jars.iter().map(PathBuf::as_path).chain([ours]) {
            // The names of jars are in the sentences.
            jar.file_name().hash(&mut hasher);
            JarFile::directory(jar)?.hash(&mut hasher);
        }
        let name = format!("members-{:016x}", hasher.finish());
        Ok(Self(cache().ok().map(|folder| folder.join(name))))
    }

    /// The stored verdict; `None` if there is none, or its file is damaged.
    pub(super) fn load(&self) -> Option<Verdict> {
        let path = self.0.as_ref()?;
        let is_short = fs::metadata(path).is_ok_and(|data| data.len() <= LEN_MAX);
        Verdict::parse(&fs::read_to_string(path).ok().filter(|_| is_short)?)
    }

    /// Stores a verdict. If this fails, the next start compares again.
    pub(super) fn store(&self, verdict: &Verdict) {
        let Some(path) = &self.0 else { return };
        let _ = RealVfs.create_private_folder(path.parent().unwrap_or(Path::new("")));
        if let Ok(mut file) = StagedFile::create(Arc::new(RealVfs), path, IfExists::Replace)
            && file.write_all_at(0, verdict.text().as_bytes()).is_ok()
        {
            let _ = file.commit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_read_as_it_was_written() {
        let lack = |user: &str| Lack { user: user.to_owned(), what: "int a.B.c()".to_owned() };
        let mut verdict = Verdict::new(&[lack("x.Y in z.jar"), lack("x.Z in z.jar")]);
        verdict.add(Purpose::Training, &[lack("Varvite's T")]);
        let read = Verdict::parse(&verdict.text()).unwrap();
        assert_eq!(read, Verdict { is_cached: true, ..verdict });
        let said = "x.Y in z.jar needs int a.B.c(), which is missing, and more (2 in all)";
        assert_eq!(read.lack(Purpose::Graphs), Some(said));
        assert_eq!(read.lack(Purpose::Frontend), None);
    }

    #[test]
    fn a_file_that_is_cut_short_is_no_verdict() {
        let text = Verdict::default().text();
        (0..text.len()).for_each(|len| assert_eq!(Verdict::parse(&text[..len]), None, "{len}"));
    }
}
