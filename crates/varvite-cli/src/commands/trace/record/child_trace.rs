//! [`ChildTrace`]: the trace of a process that a recorded program has started.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use varvite_memtrace::valgrind::RunReport;

use crate::output::{Column, Format, begin_rows, counted, remark, shown, write_line};

/// The trace of a process, or of a program that a process has executed.
pub(super) struct ChildTrace {
    pub(super) file: PathBuf,
    pub(super) process: u32,
    /// The process from which this one was forked; `None` if it has executed its program.
    pub(super) parent: Option<u32>,
    /// The path of the program.
    pub(super) program: String,
    pub(super) report: RunReport,
}

impl ChildTrace {
    /// The trace as a part of a summary.
    pub(super) fn document(&self) -> Json {
        let RunReport { counts, modifies, is_whole, exit_code, .. } = self.report;
        json!({
            "file": self.file.to_string_lossy(), "process": self.process, "forked_from": self.parent,
            "program": self.program, "records": counts.records, "instructions": counts.instructions,
            "loads": counts.reads, "stores": counts.writes, "modifies": modifies, "whole": is_whole,
            "exit_code": exit_code,
        })
    }

    /// Lists traces in a table. Writes nothing if there are none.
    pub(super) fn write_all(traces: &[Self]) -> io::Result<()> {
        if traces.is_empty() {
            return Ok(());
        }
        write_line("\nOther processes and programs")?;
        let columns = [
            Column::number("process"),
            Column::text("program"),
            Column::number("records"),
            Column::text("file"),
        ];
        let mut rows = begin_rows(Format::Table, columns.into())?;
        for trace in traces {
            let (process, records) = (trace.process.into(), trace.report.counts.records.into());
            rows.push(vec![process, trace.program.clone().into(), records, shown(&trace.file).into()])?;
        }
        rows.finish()
    }

    /// Writes a remark on each trace whose process was killed, or that lacks mapped files.
    pub(super) fn remark_all(traces: &[Self]) {
        for trace in traces {
            remark_left_out(&trace.file, trace.report.modules_left_out);
        }
        for trace in traces.iter().filter(|trace| !trace.report.is_whole) {
            let (file, process) = (shown(&trace.file), trace.process);
            remark(&format!(
                "{file} is not whole: process {process} was killed, or is still running; the last records of \
                 each thread may be missing"
            ));
        }
    }
}

/// Writes a remark on a trace that lacks mapped files.
pub(super) fn remark_left_out(file: &Path, modules: u32) {
    if modules > 0 {
        let modules = counted(modules.into(), "mapped file");
        remark(&format!(
            "{} lacks {modules}, because there are too many: code there has no names",
            shown(file)
        ));
    }
}
