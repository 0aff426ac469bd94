//! `varvite import --format neo4j-csv`: makes a graph from tables of nodes and relationships.

use std::path::Path;
use std::sync::Arc;

use clap::{ArgAction, Args, ValueEnum};
use varvite_import::neo4j_csv::{CsvFormat, CsvGroup, CsvImport, IdType, files_of_list};

use super::import_target::{Target, note_counts};
use crate::disk::is_same_file;
use crate::failure::{Failure, Outcome};

/// Arguments of `varvite import --format neo4j-csv`. They have the same names as in neo4j-admin.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --format neo4j-csv")]
pub(crate) struct CsvArgs {
    /// A table of nodes: the labels that all its nodes get, and the files of the table. The first file begins
    /// with a header. Repeat the option for more tables. Files may be compressed (gzip, zstd), and a file
    /// name may be a regular expression, such as part-\d+.csv
    #[arg(long, value_name = "[LABEL:..=]FILE,..", action = ArgAction::Append, conflicts_with = "into")]
    nodes: Vec<String>,
    /// A table of relationships: the type for rows without a value in a column :TYPE, and the files of the
    /// table. Repeat the option for more tables
    #[arg(long, value_name = "[TYPE=]FILE,..", action = ArgAction::Append, requires = "nodes")]
    relationships: Vec<String>,
    /// Delimiter of fields: one character, TAB, or U+ and a hexadecimal number
    #[arg(long, value_name = "CHAR", value_parser = parse_character, default_value = ",", requires = "nodes")]
    delimiter: u8,
    /// Delimiter of the values of a list, and of labels
    #[arg(long, value_name = "CHAR", value_parser = parse_character, default_value = ";", requires = "nodes")]
    array_delimiter: u8,
    /// Quote character around fields that contain delimiters or line ends; inside such a field, it is written
    /// twice
    #[arg(long, value_name = "CHAR", value_parser = parse_character, default_value = "\"", requires = "nodes")]
    quote: u8,
    /// Type of node ids if the header does not state it
    #[arg(long, value_enum, ignore_case = true, default_value_t, requires = "nodes")]
    id_type: IdWord,
    /// Skip relationships without a type or with a missing node, and report their number
    #[arg(long, requires = "nodes")]
    skip_bad_relationships: bool,
    /// Skip nodes with the id of an earlier node, and report their number
    #[arg(long, requires = "nodes")]
    skip_duplicate_nodes: bool,
    /// Skip fields beyond the columns of the header
    #[arg(long, requires = "nodes")]
    ignore_extra_columns: bool,
    /// Read quoted empty texts as null, like empty fields without quotes
    #[arg(long, requires = "nodes")]
    ignore_empty_strings: bool,
    /// Strip blanks around texts
    #[arg(long, requires = "nodes")]
    trim_strings: bool,
    /// Skip the header that further files of a table repeat
    #[arg(long, requires = "nodes")]
    auto_skip_subsequent_headers: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum IdWord {
    /// Texts
    #[default]
    String,
    /// Whole numbers: 7 and 007 are the same id
    Integer,
}

impl CsvArgs {
    /// Runs the import, and reports the result.
    pub(super) fn import(&self, target: &Target<'_>) -> Outcome {
        let import = self.configured(target)?;
        let (report, imported) = target.run(|task| import.task(task).write_to(target.path))?;
        note_counts(&[
            (report.skipped_nodes, "node", "with the id of an earlier node left out"),
            (report.skipped_relationships, "relationship", "without a type or with a missing node left out"),
        ]);
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
            let words = "--delimiter, --array-delimiter and --quote must be three different characters";
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

/// Parses the argument for a table: labels separated by `:`, then `=`, then files separated by `,`.
fn group(word: &str, output: &Path) -> Result<CsvGroup, Failure> {
    let (labels, files) = word.split_once('=').unwrap_or(("", word));
    let files = files_of_list(files)
        .map_err(|(file, error)| Failure::source(&file, format!("cannot be read: {error}")))?;
    if files.is_empty() {
        return Err(Failure::Usage(format!("{word:?} names no file")));
    }
    if files.iter().any(|file| is_same_file(file, output)) {
        let words = "--output names one of the tables; choose another file";
        return Err(Failure::Usage(words.to_owned()));
    }
    Ok(CsvGroup::of(files).labels(labels.split(':').filter(|label| !label.is_empty())))
}

fn parse_character(word: &str) -> Result<u8, String> {
    let reason = "expected one ASCII character, TAB, or U+ and a hexadecimal number";
    CsvFormat::character(word).ok_or_else(|| reason.to_owned())
}
