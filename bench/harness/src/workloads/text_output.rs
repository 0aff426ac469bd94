//! [`TextOutput`]: runs `varvite query`, which writes all nodes as CSV or JSON lines.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value};

use super::Answer;
use super::checksum::Crc32;
use crate::Failure;

/// The format in which the nodes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A header, and a line for each node.
    Csv,
    /// A JSON object for each node, each on its own line.
    JsonLines,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }
}

/// A command line of `varvite`, ready to run. The output of the first run is read for the answer; later runs
/// discard theirs.
pub struct TextOutput {
    program: PathBuf,
    arguments: Vec<std::ffi::OsString>,
    values: Vec<i64>,
}

impl TextOutput {
    /// Runs the command once, and computes the answer from its output.
    ///
    /// # Errors
    /// The command was not built beside this program, or fails.
    pub fn prepare(format: Format, file: &Path, plan: &Path, threads: usize) -> Result<Self, Failure> {
        let program = std::env::current_exe()?.with_file_name("varvite");
        let options = ["--format", format.name(), "--threads", &threads.to_string()].map(Into::into);
        let named = ["query".into(), file.into(), plan.into()];
        let mut output =
            Self { program, arguments: named.into_iter().chain(options).collect(), values: Vec::new() };
        let written = output.command().stderr(Stdio::inherit()).output()?;
        if !written.status.success() {
            return Err(output.failed());
        }
        output.values = match format {
            Format::Csv => of_csv(&written.stdout)?,
            Format::JsonLines => of_json_lines(&written.stdout)?,
        };
        Ok(output)
    }

    /// Runs the command.
    ///
    /// # Errors
    /// The command fails.
    pub fn ask(&self) -> Result<Answer, Failure> {
        match self.command().stdout(Stdio::null()).status()?.success() {
            true => Ok(Answer { values: self.values.clone(), operations: 1 }),
            false => Err(self.failed()),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }

    fn failed(&self) -> Failure {
        Failure(format!("{} query failed", self.program.display()))
    }
}

/// The number of rows after the header, and the CRC-32 of their cells, which are joined by tabs. Absent
/// values count as empty texts, because engines write them differently.
fn of_csv(text: &[u8]) -> Result<Vec<i64>, Failure> {
    let (mut rows, mut crc) = (0, Crc32::default());
    for record in csv::Reader::from_reader(text).byte_records() {
        let record = record?;
        crc.add(&record.iter().collect::<Vec<_>>().join(&b'\t'));
        crc.add(b"\n");
        rows += 1;
    }
    Ok(vec![rows, crc.value()])
}

/// The number of JSON lines, and the CRC-32 of their cells. The cells of a row are sorted by name, because
/// engines write them in different orders.
fn of_json_lines(text: &[u8]) -> Result<Vec<i64>, Failure> {
    let (mut rows, mut crc) = (0, Crc32::default());
    for row in serde_json::Deserializer::from_slice(text).into_iter::<Map<String, Value>>() {
        let row = row?;
        crc.add(row.values().map(cell).collect::<Vec<_>>().join("\t").as_bytes());
        crc.add(b"\n");
        rows += 1;
    }
    Ok(vec![rows, crc.value()])
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_that_quote_otherwise_give_the_same() {
        let plain = b"label,CODE\nCALL,f()\nBLOCK,\n";
        let quoted = b"\"label\",\"CODE\"\r\n\"CALL\",\"f()\"\r\n\"BLOCK\",\"\"\r\n";
        assert_eq!(of_csv(plain).unwrap(), of_csv(quoted).unwrap());
        assert_eq!(of_csv(plain).unwrap()[0], 2);
        assert_ne!(of_csv(plain).unwrap(), of_csv(b"label,CODE\nCALL,g()\nBLOCK,\n").unwrap());
    }

    #[test]
    fn objects_are_alike_in_any_order_of_their_names() {
        let [one, two] = [&br#"{"ORDER":1,"CODE":null}"#[..], br#"{"CODE":"","ORDER":1}"#];
        assert_eq!(of_json_lines(one).unwrap(), of_json_lines(two).unwrap());
        assert_eq!(of_json_lines(one).unwrap()[0], 1);
        assert_ne!(of_json_lines(one).unwrap(), of_json_lines(br#"{"ORDER":2,"CODE":""}"#).unwrap());
    }
}
