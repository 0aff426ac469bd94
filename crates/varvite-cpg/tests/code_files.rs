//! Tests of the files of a graph: the flag that ends their reading.

use varvite::{Budget, Cancel, ErrorCode, Task};
use varvite_cpg::CodeFiles;

use crate::zlib;

#[test]
fn the_reading_of_files_ends_once_it_is_cancelled() {
    let (graph, budget, cancel) = (zlib(), Budget::of(&Task::new()), Cancel::default());
    let files = CodeFiles::of_cancellable(graph, &budget, &cancel).unwrap();
    assert_eq!(files.files().len(), CodeFiles::of(graph, &budget).unwrap().files().len());
    cancel.cancel();
    let error = CodeFiles::of_cancellable(graph, &budget, &cancel).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Cancelled, "{error}");
}
