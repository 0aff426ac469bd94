//! Tests of errors with sources: if a program prints an error and then its sources, each cause is printed
//! only once.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::GraphError;
use varvite::change::ChangeError;
use varvite::error::StoreError;
use varvite::pipeline::PipelineError;
use varvite::walk::WalkError;
use varvite_codec::frame::{FrameError, FrameProblem};
use varvite_codec::{Codec, CodecError};
use varvite_cpg::CpgError;
use varvite_format::FormatError;
use varvite_generate::GenerateError;
use varvite_import::flatgraph::{FlatgraphError, Part};
use varvite_import::{ExportError, ImportError};
use varvite_store::Operation;
use varvite_trace::TraceError;

const CAUSE: &str = "the cause";

fn path() -> PathBuf {
    "code.varvite".into()
}

fn io() -> io::Error {
    io::Error::other(CAUSE)
}

fn codec() -> CodecError {
    CodecError::Damaged { codec: Codec::Zstd, detail: CAUSE }
}

fn format() -> FormatError {
    FormatError::Block { part: "segment 1".into(), block: 2, r#source: codec() }
}

fn stores() -> Vec<StoreError> {
    let io_error = StoreError::io(Operation::Read, Path::new("code.varvite"), io());
    vec![
        StoreError::NoLocks { path: path(), reason: Arc::new(io()) },
        StoreError::Poisoned { first: Arc::new(io_error.clone()) },
        StoreError::NotDurable { path: path(), reason: Arc::new(io_error.clone()) },
        StoreError::format(Path::new("code.varvite"), format()),
        io_error,
    ]
}

fn flatgraph() -> FlatgraphError {
    FlatgraphError::Io { part: Part::Header, offset: 0, r#source: io() }
}

fn trace() -> TraceError {
    TraceError::Codec { block: 1, offset: 2, r#source: codec() }
}

fn frame(problem: FrameProblem) -> FrameError {
    FrameError { format: "zip", offset: 3, problem }
}

/// One error of each kind that has a source. [`PipelineError::Graph`] is missing: it needs a step, which only
/// a run can provide.
fn all() -> Vec<Box<dyn Error>> {
    let mut all: Vec<Box<dyn Error>> = vec![
        Box::new(format()),
        Box::new(frame(FrameProblem::Io(io()))),
        Box::new(frame(FrameProblem::Codec(codec()))),
        Box::new(trace()),
        Box::new(TraceError::Compress(codec())),
        Box::new(TraceError::Io { what: "read", offset: 0, r#source: io() }),
        Box::new(GraphError::Unsound { path: path(), problems: vec![CAUSE.into()] }),
        Box::new(GraphError::from(format())),
        Box::new(PipelineError::NotAPlan { reason: CAUSE.into() }),
        Box::new(CpgError::Pipeline(PipelineError::NotAPlan { reason: CAUSE.into() })),
        Box::new(GenerateError::Io { what: "create", path: path(), r#source: io() }),
        Box::new(flatgraph()),
        Box::new(ImportError::Source { path: path(), error: flatgraph() }),
        Box::new(ImportError::Io { path: path(), r#source: io() }),
        Box::new(ExportError::Column(flatgraph())),
    ];
    for error in stores() {
        all.push(Box::new(WalkError::Graph(error.clone().into())));
        all.push(Box::new(CpgError::Graph(error.clone().into())));
        all.push(Box::new(GenerateError::Graph(error.clone().into())));
        all.push(Box::new(ImportError::from(error.clone())));
        all.push(Box::new(ExportError::from(error.clone())));
        all.push(Box::new(GraphError::from(error.clone())));
        all.push(Box::new(ChangeError::from(error.clone())));
        all.push(Box::new(error));
    }
    all
}

/// Prints an error and all its sources, as a program would.
fn chain(error: &(dyn Error + 'static)) -> String {
    let (mut chain, mut source) = (error.to_string(), error.source());
    while let Some(error) = source {
        chain = format!("{chain}: {error}");
        source = error.source();
    }
    chain
}

#[test]
fn every_cause_is_told_once() {
    for error in all() {
        assert_eq!(chain(&*error).matches(CAUSE).count(), 1, "{error:?}: {}", chain(&*error));
    }
}

#[test]
fn a_message_alone_tells_the_cause() {
    for error in all() {
        assert!(error.to_string().contains(CAUSE), "{error:?}: {error}");
    }
}
