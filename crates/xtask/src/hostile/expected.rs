//! The table of expected endings of runs. Each line is about one file: first the ending for most questions
//! (commands that are run on the file), then each other ending with its questions.
//!
//! ```text
//! two-hubs-of-600000.varvite: 0 | 3 verify facts | 6 query-paths
//! ```

use std::collections::BTreeMap;
use std::fmt::Write;

/// The ending of each question about each file, by the name of the file and then by the name of the question.
pub(super) type Endings = BTreeMap<String, BTreeMap<String, String>>;

const HEADER: &str = "\
# The end of each command on each hostile file: that of most files, then those with another.
# The names are those of crates/xtask/src/hostile/questions.rs. Written by `BLESS=1 cargo xtask hostile`; read the diff.
";

/// Writes the table as text.
pub(super) fn write(endings: &Endings) -> String {
    let mut text = HEADER.to_owned();
    for (file, answers) in endings {
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        answers.iter().for_each(|(question, ending)| groups.entry(ending).or_default().push(question));
        let most = groups.iter().max_by_key(|(_, questions)| questions.len()).map(|(ending, _)| *ending);
        let most = most.unwrap_or_default();
        let _ = write!(text, "{file}: {most}");
        for (ending, questions) in groups.iter().filter(|(ending, _)| **ending != most) {
            let _ = write!(text, " | {ending} {}", questions.join(" "));
        }
        text.push('\n');
    }
    text
}

/// The expected ending of each question, by file.
#[derive(Debug)]
pub(super) struct Expected(BTreeMap<String, (String, BTreeMap<String, String>)>);

impl Expected {
    /// Reads a table.
    pub(super) fn read(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self(
            lines
                .filter_map(|line| Some((line.split_once(": ")?.0.to_owned(), row(line.split_once(": ")?.1))))
                .collect(),
        )
    }

    /// The expected ending of a question; `None` if the file is not in the table.
    pub(super) fn of(&self, file: &str, question: &str) -> Option<&str> {
        let (most, others) = self.0.get(file)?;
        Some(others.get(question).unwrap_or(most))
    }
}

fn row(text: &str) -> (String, BTreeMap<String, String>) {
    let mut parts = text.split(" | ");
    let most = parts.next().unwrap_or_default().to_owned();
    let others = parts.flat_map(|part| {
        let mut words = part.split(' ');
        let ending = words.next().unwrap_or_default().to_owned();
        words.map(move |question| (question.to_owned(), ending.clone())).collect::<Vec<_>>()
    });
    (most, others.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_was_written_is_read_back() {
        let answers = [("info", "0"), ("find", "0"), ("verify", "3"), ("path", "6")];
        let answers = answers.map(|(question, ending)| (question.to_owned(), ending.to_owned()));
        let text = write(&BTreeMap::from([("a.varvite".to_owned(), answers.clone().into())]));
        assert!(text.ends_with("a.varvite: 0 | 3 verify | 6 path\n"), "{text}");
        let expected = Expected::read(&text);
        for (question, ending) in &answers {
            assert_eq!(expected.of("a.varvite", question), Some(ending.as_str()));
        }
        assert_eq!(expected.of("b.varvite", "info"), None);
    }
}
