//! [`SectionWord`]: the words of `--sections`.

use clap::ValueEnum;
use varvite_report::Section;

/// A section of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SectionWord {
    /// What is in the graph: labels, edges, files, sources, layers
    Contents,
    /// The largest, most called and most complex functions
    Functions,
    /// The files by size, with the heat of what ran in them
    Files,
    /// Functions that no call reaches
    Dead,
    /// Places that a reviewer looks at, by everyday questions
    Findings,
    /// What ran and what it cost: flame graph, timeline, source lines
    Runs,
    /// What changed since the graph of --diff
    Changes,
    /// The answers to the questions of --plans
    Questions,
    /// How the report was made
    Made,
}

impl SectionWord {
    pub(super) fn section(self) -> Section {
        match self {
            Self::Contents => Section::Contents,
            Self::Functions => Section::Functions,
            Self::Files => Section::Files,
            Self::Dead => Section::Dead,
            Self::Findings => Section::Findings,
            Self::Runs => Section::Runs,
            Self::Changes => Section::Changes,
            Self::Questions => Section::Questions,
            Self::Made => Section::Made,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_section_has_its_name_as_its_word() {
        let words = SectionWord::value_variants().iter();
        let words: Vec<_> = words
            .map(|word| (word.section(), word.to_possible_value().map(|value| value.get_name().to_owned())))
            .collect();
        assert_eq!(words, Section::ALL.map(|section| (section, Some(section.name().to_owned()))));
    }
}
