//! [`Section`]: the sections of a report.

/// A section of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Section {
    /// What is in the graph.
    Contents,
    /// The functions that are the largest, the most called, the most complex.
    Functions,
    /// The files by size.
    Files,
    /// Functions that no call reaches.
    Dead,
    /// Places that a reviewer looks at.
    Findings,
    /// What ran, and what it cost.
    Runs,
    /// The differences from another graph; only if there is one.
    Changes,
    /// The user's questions; only if there are any.
    Questions,
    /// How the report was made.
    Made,
}

impl Section {
    /// All sections in the order of a report.
    pub const ALL: [Self; 9] = [
        Self::Contents,
        Self::Functions,
        Self::Files,
        Self::Dead,
        Self::Findings,
        Self::Runs,
        Self::Changes,
        Self::Questions,
        Self::Made,
    ];

    /// The name of the section, which is its address in the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contents => "contents",
            Self::Functions => "functions",
            Self::Files => "files",
            Self::Dead => "dead",
            Self::Findings => "findings",
            Self::Runs => "runs",
            Self::Changes => "changes",
            Self::Questions => "questions",
            Self::Made => "made",
        }
    }

    /// The title of the section.
    pub fn title(self) -> &'static str {
        match self {
            Self::Contents => "What is in the graph",
            Self::Functions => "Functions",
            Self::Files => "Files",
            Self::Dead => "Code that nothing calls",
            Self::Findings => "Findings",
            Self::Runs => "What ran, and what it cost",
            Self::Changes => "What changed",
            Self::Questions => "Own questions",
            Self::Made => "How this report was made",
        }
    }
}
