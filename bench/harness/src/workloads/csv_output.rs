//! [`CsvOutput`]: the nodes as CSV, as `varvite query` writes them for whoever runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Answer;
use super::checksum::Crc32;
use crate::Failure;

/// The command, ready to be run: what it writes goes nowhere, but for the first time, when it is read.
pub struct CsvOutput {
    program: PathBuf,
    arguments: Vec<std::ffi::OsString>,
    values: Vec<i64>,
}

impl CsvOutput {
    /// Runs the command once and reads what it writes.
    ///
    /// # Errors
    /// The command was not built beside this program, or fails.
    pub fn prepare(file: &Path, plan: &Path, threads: usize) -> Result<Self, Failure> {
        let program = std::env::current_exe()?.with_file_name("varvite");
        let options = ["--format", "csv", "--threads", &threads.to_string()].map(Into::into);
        let named = ["query".into(), file.into(), plan.into()];
        let mut output =
            Self { program, arguments: named.into_iter().chain(options).collect(), values: Vec::new() };
        let written = output.command().stderr(Stdio::inherit()).output()?;
        if !written.status.success() {
            return Err(output.failed());
        }
        output.values = checksum(&written.stdout)?;
        Ok(output)
    }

    /// Runs the command.
    ///
    /// # Errors
    /// It fails.
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

/// How many rows there are below the header, and the CRC-32 of their cells between tabs; absent values and empty texts
/// are alike, since writers differ there.
fn checksum(text: &[u8]) -> Result<Vec<i64>, Failure> {
    let (mut rows, mut crc) = (0, Crc32::default());
    for record in csv::Reader::from_reader(text).byte_records() {
        let record = record?;
        crc.add(&record.iter().collect::<Vec<_>>().join(&b'\t'));
        crc.add(b"\n");
        rows += 1;
    }
    Ok(vec![rows, crc.value()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_that_quote_otherwise_give_the_same() {
        let plain = b"label,CODE\nCALL,f()\nBLOCK,\n";
        let quoted = b"\"label\",\"CODE\"\r\n\"CALL\",\"f()\"\r\n\"BLOCK\",\"\"\r\n";
        assert_eq!(checksum(plain).unwrap(), checksum(quoted).unwrap());
        assert_eq!(checksum(plain).unwrap()[0], 2);
        assert_ne!(checksum(plain).unwrap(), checksum(b"label,CODE\nCALL,g()\nBLOCK,\n").unwrap());
    }
}
