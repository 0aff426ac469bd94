//! `varvite import --format neo4j-csv`: tables of nodes and relationships become a graph.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use clap::{ArgAction, Args, ValueEnum};
use varvite_import::neo4j_csv::{CsvFormat, CsvGroup, CsvImport, IdType, files_of_list};

use super::import_target::{Imported, Target};
use crate::disk::is_same_file;
use crate::failure::{Failure, Outcome};
use crate::output::{counted, note};
use crate::progress::Progress;

/// Arguments of `varvite import --format neo4j-csv`, named as neo4j-admin names them.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --format neo4j-csv")]
pub(crate) struct CsvArgs {
    /// A table of nodes: files, the first of which begins with the header, and labels for all of them. May be
    /// given several times; files may be compressed (gzip, zstd), and the last part of a name may be a
    /// regular expression, such as part-\d+.csv
    #[arg(long, value_name = "[LABEL:..=]FILE,..", action = ArgAction::Append, conflicts_with = "into")]
    nodes: Vec<String>,
    /// A table of relationships, and the type of those that have none in a column :TYPE. May be given several
    /// times
    #[arg(long, value_name = "[TYPE=]FILE,..", action = ArgAction::Append, requires = "nodes")]
    relationships: Vec<String>,
    /// Between fields: one character, TAB, or U+ and its number
    #[arg(long, value_name = "CHAR", value_parser = parse_character, default_value = ",", requires = "nodes")]
    delimiter: u8,
    /// Between the values of a list, and between labels
    #[arg(long, value_name = "CHAR", value_parser = parse_character, default_value = ";", requires = "nodes")]
    array_delimiter: u8,
    /// Around fields that have delimiters or line ends in them; in such a field it is written twice
    #[arg(long, value_name = "CHAR", value_parser = parse_character, default_value = "\"", requires = "nodes")]
    quote: u8,
    /// What the ids of nodes are, where the header does not say it
    #[arg(long, value_enum, ignore_case = true, default_value_t, requires = "nodes")]
    id_type: IdWord,
    /// Pass over relationships without a type, or from or to a node that there is not, and say how many
    #[arg(long, requires = "nodes")]
    skip_bad_relationships: bool,
    /// Pass over nodes whose id an earlier one has, and say how many
    #[arg(long, requires = "nodes")]
    skip_duplicate_nodes: bool,
    /// Pass over fields for which the header has no column
    #[arg(long, requires = "nodes")]
    ignore_extra_columns: bool,
    /// Take quoted empty texts for no value, as empty fields without quotes always are
    #[arg(long, requires = "nodes")]
    ignore_empty_strings: bool,
    /// Take texts without the blanks around them
    #[arg(long, requires = "nodes")]
    trim_strings: bool,
    /// Pass over the header where a further file of a table begins with it
    #[arg(long, requires = "nodes")]
    auto_skip_subsequent_headers: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum IdWord {
    /// Texts
    #[default]
    String,
    /// Whole numbers: 7 and 007 are one
    Integer,
}

impl CsvArgs {
    /// Imports, and says what came of it.
    pub(super) fn import(&self, target: &Target<'_>) -> Outcome {
        let import = self.configured(target)?;
        let began = Instant::now();
        let report = {
            let bar = Progress::steps();
            import.task(target.task().progress(|progress| bar.show(progress))).write_to(target.path)?
        };
        let skipped = [
            (report.skipped_nodes, "node", "whose ids earlier ones have"),
            (
                report.skipped_relationships,
                "relationship",
                "without a type, or from or to nodes that there are not",
            ),
        ];
        for (count, what, why) in skipped.into_iter().filter(|(count, ..)| *count > 0) {
            note(&format!("{} passed over, {why}", counted(count, what)));
        }
        let imported = Imported {
            nodes: report.nodes,
            edges: report.edges,
            file_len: report.file_len,
            source_len: report.source_len,
            seconds: began.elapsed().as_secs_f64(),
        };
        let skipped = vec![
            ("skipped_nodes", report.skipped_nodes.into()),
            ("skipped_relationships", report.skipped_relationships.into()),
        ];
        target.report(&imported, skipped)
    }

    fn configured(&self, target: &Target<'_>) -> Result<CsvImport<'static>, Failure> {
        let format =
            CsvFormat { delimiter: self.delimiter, array_delimiter: self.array_delimiter, quote: self.quote };
        if !format.is_sound() {
            let words = "--delimiter, --array-delimiter and --quote must be three characters";
            return Err(Failure::Usage(words.to_owned()));
        }
        let mut import = CsvImport::new()
            .format(format)
            .id_type(match self.id_type {
                IdWord::String => IdType::String,
                IdWord::Integer => IdType::Integer,
            })
            .skip_bad_relationships(self.skip_bad_relationships)
            .skip_duplicate_nodes(self.skip_duplicate_nodes)
            .ignore_extra_columns(self.ignore_extra_columns)
            .ignore_empty_strings(self.ignore_empty_strings)
            .trim_strings(self.trim_strings)
            .skip_subsequent_headers(self.auto_skip_subsequent_headers)
            .profile(target.profile)
            .codec(target.codec)
            .if_exists(target.if_exists)
            .expansion(target.expansion)
            .vfs(Arc::clone(&target.disk));
        for word in &self.nodes {
            import = import.nodes(group(word, target.path)?);
        }
        for word in &self.relationships {
            import = import.relationships(group(word, target.path)?);
        }
        let import = target.indexes.iter().fold(import, |import, name| import.index(name));
        Ok(target.tree.into_iter().fold(import, CsvImport::tree))
    }
}

/// The table that a word stands for: labels with `:` between them, `=`, and files with `,` between them.
fn group(word: &str, output: &Path) -> Result<CsvGroup, Failure> {
    let (labels, files) = word.split_once('=').unwrap_or(("", word));
    let files = files_of_list(files)
        .map_err(|(file, error)| Failure::source(&file, format!("cannot be read: {error}")))?;
    if files.is_empty() {
        return Err(Failure::Usage(format!("{word:?} names no file")));
    }
    if files.iter().any(|file| is_same_file(file, output)) {
        let words = "the new file would replace one of the tables; choose another --output";
        return Err(Failure::Usage(words.to_owned()));
    }
    Ok(CsvGroup::of(files).labels(labels.split(':').filter(|label| !label.is_empty())))
}

fn parse_character(word: &str) -> Result<u8, String> {
    let reason = "one character of ASCII, TAB, or U+ and its number in hexadecimal";
    CsvFormat::character(word).ok_or_else(|| reason.to_owned())
}
