//! Checks the targets of `fuzz`, which no other build compiles. Each target calls one function of this crate;
//! the function accepts any bytes.

use std::collections::BTreeMap;
use std::path::Path;

use varvite_model::SplitMix64;
use varvite_testing::targets::*;

/// The number of inputs for each target. The inputs are the same in every run. The tests of each crate
/// generate more meaningful inputs.
const INPUTS: usize = 100;

/// Lists the files of `fuzz/fuzz_targets`, each with the function that it calls.
macro_rules! targets {
    ($($name:literal: $module:ident::$function:ident)*) => {
        [$((
            $name,
            concat!(stringify!($module), "::", stringify!($function)),
            $module::$function as fn(&[u8]),
        )),*]
    };
}

/// The name of a target, the name of its function, and the function.
type Target = (&'static str, &'static str, fn(&[u8]));

const TARGETS: [Target; 26] = targets! {
    "binary": binary::read_binary
    "codec": blocks::code_block
    "collapsed": profiles::read_collapsed
    "columns": columns::read_columns
    "diff_bytes": small_graphs::diff_bytes
    "diff_operations": small_graphs::diff_operations
    "diff_text": small_graphs::diff_text
    "digest": read_digest::read_digest
    "drmemtrace": drmemtrace::read_drmemtrace
    "flatgraph": foreign::read_flatgraph
    "frames": frames::read_frames
    "graphml": text_graphs::import_graphml
    "heaptrack": heaptrack::read_heaptrack
    "kernels": kernels::compare_kernels
    "lackey": lackey::read_lackey
    "log": small_graphs::open_log
    "open_raw": file::open_file
    "open_repaired": small_graphs::open_repaired
    "perf": profiles::read_perf
    "perf_mem": perf_mem::read_perf_mem
    "pprof": profiles::read_pprof
    "scip": scip::import_scip
    "speedscope": profiles::read_speedscope
    "tables": text_graphs::import_tables
    "text": text::read_query
    "trace": trace::read_trace_and_repaired
};

#[test]
fn a_fuzz_target_calls_one_function_and_no_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let files = std::fs::read_dir(folder.join("fuzz_targets")).unwrap().map(|file| {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<String> =
            text.lines().filter(|line| !line.starts_with("//!")).map(str::to_owned).collect();
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), code.join("\n").trim().to_owned())
    });
    let files: BTreeMap<String, String> = files.collect();
    let expected = TARGETS.map(|(name, function, _)| {
        let call = format!("|bytes: &[u8]| varvite_testing::targets::{function}(bytes)");
        (name.to_owned(), format!("#![no_main]\n\nlibfuzzer_sys::fuzz_target!({call});"))
    });
    assert_eq!(files, BTreeMap::from(expected));
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, ..) in TARGETS {
        assert!(
            manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n")),
            "{name}"
        );
    }
}

#[test]
fn every_fuzz_target_takes_any_bytes() {
    for (_, _, target) in TARGETS {
        let mut random = SplitMix64::new(1);
        target(&[]);
        for _ in 0..INPUTS {
            let len = random.below(300);
            let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            target(&bytes);
        }
    }
}
