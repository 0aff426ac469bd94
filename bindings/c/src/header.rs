//! Holds `include/varvite.h`, and the headers that it includes, to the functions, structs and constants of
//! this crate: text for text, but for white space.

use std::collections::BTreeSet;

use varvite::write::Codec;
use varvite::{Cardinality, ErrorCode, Profile, ValueType};
use varvite_format::{Encoding, NONE};

use crate::new_file::{import, new_graph};
use crate::status::Status;
use crate::{
    adjacency, apply, arrow, callback, columns, cpg, diff, error, fill_or_pin, graph, graph_log, holders,
    labels, library, memory, parameter, property, recorder, run, schema, shared_budget, table, verify, walk,
};

const HEADER: &str = concat!(
    include_str!("../include/varvite.h"),
    include_str!("../include/varvite_arrow.h"),
    include_str!("../include/varvite_change.h"),
    include_str!("../include/varvite_cpg.h"),
    include_str!("../include/varvite_new_graph.h"),
    include_str!("../include/varvite_recorder.h"),
    include_str!("../include/varvite_run.h"),
    include_str!("../include/varvite_walk.h")
);

#[test]
fn the_header_declares_the_functions_of_the_library() {
    let exported = [
        library::prototypes(),
        holders::prototypes(),
        graph::prototypes(),
        schema::prototypes(),
        labels::prototypes(),
        adjacency::prototypes(),
        property::prototypes(),
        columns::prototypes(),
        cpg::prototypes(),
        diff::prototypes(),
        apply::prototypes(),
        graph_log::prototypes(),
        import::prototypes(),
        new_graph::prototypes(),
        fill_or_pin::prototypes(),
        memory::prototypes(),
        shared_budget::prototypes(),
        verify::prototypes(),
        recorder::prototypes(),
        parameter::prototypes(),
        run::prototypes(),
        table::prototypes(),
        walk::prototypes(),
    ];
    compare(exported.into_iter().flatten(), |statement| {
        statement.contains('(') && !statement.contains('{') && !statement.trim_start().starts_with("typedef")
    });
}

#[test]
fn the_header_declares_the_structs_of_the_library() {
    let structs = [
        error::Error::declaration(),
        graph::OpenSettings::declaration(),
        graph::GraphInfo::declaration(),
        schema::CLabel::declaration(),
        schema::CEdgeLabel::declaration(),
        schema::CProperty::declaration(),
        schema::CLayer::declaration(),
        columns::CColumn::declaration(),
        columns::CSegment::declaration(),
        cpg::CSite::declaration(),
        diff::COwner::declaration(),
        diff::CValue::declaration(),
        apply::ApplySettings::declaration(),
        apply::CApplied::declaration(),
        graph_log::LogSettings::declaration(),
        import::ImportSettings::declaration(),
        import::Imported::declaration(),
        new_graph::NewGraphSettings::declaration(),
        new_graph::Made::declaration(),
        memory::Memory::declaration(),
        shared_budget::BudgetUse::declaration(),
        verify::Verified::declaration(),
        callback::CSink::declaration(),
        callback::CAllocator::declaration(),
        recorder::CField::declaration(),
        parameter::CParameter::declaration(),
        run::RunSettings::declaration(),
        run::CBatch::declaration(),
        run::CEdge::declaration(),
        run::CResultColumn::declaration(),
        run::CElement::declaration(),
        recorder::TraceSettings::declaration(),
        walk::CVisit::declaration(),
        walk::CStep::declaration(),
        walk::CCounts::declaration(),
    ];
    let arrow = arrow::DECLARATIONS.map(str::to_owned);
    let stream = arrow::STREAM_DECLARATION.to_owned();
    compare(structs.into_iter().chain(arrow).chain([stream]), |statement| statement.contains('{'));
}

#[test]
fn the_header_declares_the_callbacks_of_the_library() {
    compare(callback::typedefs().into_iter().map(str::to_owned), |statement| {
        statement.contains("(*") && !statement.contains('{')
    });
}

#[test]
fn the_header_defines_the_constants_of_the_library() {
    let expected: BTreeSet<String> =
        constants().into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    let lines = HEADER.lines().filter_map(|line| line.strip_prefix("#define VARVITE_"));
    let found = lines.filter_map(|line| {
        let line = line.split("/*").next()?;
        let (name, value) = line.split_once(' ')?;
        let value = value.trim().trim_start_matches('(').trim_end_matches([')', 'u']);
        (!name.ends_with("_INIT")).then(|| format!("{name} {value}"))
    });
    assert_eq!(found.collect::<BTreeSet<_>>(), expected);
}

#[test]
fn the_page_of_errors_has_every_error() {
    let rows = include_str!("../../../docs/errors.md").lines().filter(|line| line.starts_with("| -"));
    let found = rows.map(|row| row.split(" | ").take(3).collect::<Vec<_>>().join(" | "));
    let expected = |code: &ErrorCode| format!("| {} | `{}` | {}", code.number(), code.name(), code.meaning());
    assert_eq!(found.collect::<Vec<_>>(), ErrorCode::ALL.iter().map(expected).collect::<Vec<_>>());
}

/// The exceptions of Java that have a number of their own.
const EXCEPTIONS: [(&str, ErrorCode); 16] = [
    ("CancelledException", ErrorCode::Cancelled),
    ("DamagedFileException", ErrorCode::Damaged),
    ("GraphBusyException", ErrorCode::Handle),
    ("GraphClosedException", ErrorCode::Handle),
    ("NativeLibraryException", ErrorCode::UnknownFeature),
    ("NativeRequiredException", ErrorCode::UnknownFeature),
    ("NoSuchNodeException", ErrorCode::NoSuchNode),
    ("NotAFileException", ErrorCode::NotAFile),
    ("NotVarviteException", ErrorCode::NotVarvite),
    ("OverBudgetException", ErrorCode::OverBudget),
    ("ReplacedFileException", ErrorCode::Replaced),
    ("TimedOutException", ErrorCode::Cancelled),
    ("TruncatedFileException", ErrorCode::Truncated),
    ("UnknownNameException", ErrorCode::Unknown),
    ("WalkException", ErrorCode::Argument),
    ("WrongTypeException", ErrorCode::WrongType),
];

#[test]
fn java_has_the_numbers_of_the_errors_that_it_throws() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../java/varvite/src/main/java/varvite/error");
    let numbers = std::fs::read_dir(folder).unwrap().filter_map(|file| {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let number = text.split_once("return -")?.1.split_once(';')?.0.to_owned();
        Some((path.file_stem().unwrap().to_string_lossy().into_owned(), format!("-{number}")))
    });
    let expected = EXCEPTIONS.map(|(name, code)| (name.to_owned(), code.number().to_string()));
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort();
    assert_eq!(numbers, expected);
}

#[test]
fn java_has_the_numbers_of_the_errors_that_it_looks_for() {
    let java = concat!(
        include_str!("../../java/ffi/src/main/java/varvite/ffi/Call.java"),
        include_str!("../../java/varvite/src/main/java/varvite/error/UnsupportedFileException.java")
    );
    for (name, code) in [
        ("STALE_HANDLE", ErrorCode::Handle),
        ("TOO_SMALL", ErrorCode::TooSmall),
        ("REPLACED", ErrorCode::Replaced),
        ("NEWER_FORMAT", ErrorCode::NewerFormat),
        ("UNKNOWN_FEATURE", ErrorCode::UnknownFeature),
        ("TOO_LARGE", ErrorCode::TooLarge),
    ] {
        assert!(java.contains(&format!(" static final int {name} = {};", code.number())), "{name}");
    }
}

#[test]
fn the_library_is_named_after_its_major_version() {
    let name = format!("libvarvite.so.{}\"", library::ABI_MAJOR);
    assert!(include_str!("../build.rs").contains(&name));
    assert!(include_str!("../../../crates/xtask/src/c.rs").contains(&name));
}

fn constants() -> Vec<(String, String)> {
    let upper = |name: &str| name.to_uppercase().replace('-', "_");
    let mut all = vec![("NONE".to_owned(), "UINT32_MAX".to_owned())];
    assert_eq!(NONE, u32::MAX);
    let mut add = |name: &str, value: i64| all.push((name.to_owned(), value.to_string()));
    add("ABI_MAJOR", library::ABI_MAJOR.into());
    add("ABI_MINOR", library::ABI_MINOR.into());
    Status::ALL.iter().for_each(|(status, name)| add(name, *status as i64));
    ErrorCode::ALL.iter().for_each(|code| add(&format!("E_{}", code.name()), code.number().into()));
    add("MAPPED", graph::MAPPED.into());
    add("BUFFERED", graph::BUFFERED.into());
    add("OUT", adjacency::OUT.into());
    add("IN", adjacency::IN.into());
    Profile::ALL.iter().for_each(|profile| add(&upper(profile.name()), profile.to_number().into()));
    let types = (0..).map_while(ValueType::from_number);
    types.for_each(|value_type| add(&upper(value_type.name()), value_type as i64));
    let cardinalities = (0..).map_while(Cardinality::from_number);
    cardinalities.for_each(|cardinality| add(&upper(cardinality.name()), cardinality as i64));
    for encoding in Encoding::ALL {
        let suffix = if (*encoding as u16) < Encoding::Constant as u16 { "_SET" } else { "" };
        add(&format!("{}{suffix}", upper(encoding.name())), *encoding as i64);
    }
    let flags = ["RELATIVE", "SORTED", "SIGNED", "SLOPED"];
    flags.iter().zip(0..).for_each(|(name, bit)| add(name, 1 << bit));
    for codec in Codec::ALL {
        let name = if codec == Codec::None { "NO_CODEC".to_owned() } else { upper(codec.name()) };
        add(&name, codec as i64);
    }
    table::TABLES.iter().zip(0..).for_each(|(name, number)| add(name, number));
    cpg::KNOWN.iter().for_each(|(name, bit)| add(name, (*bit).into()));
    run::ROWS.iter().zip(0..).for_each(|(name, number)| add(name, number));
    recorder::SPLITS.iter().zip(0..).for_each(|(name, number)| add(name, number));
    recorder::CLOCKS.iter().zip(0..).for_each(|((name, _), number)| add(name, number));
    add("NEW_NODE", diff::NEW_NODE as i64);
    add("NEW_EDGE", diff::NEW_EDGE as i64);
    graph_log::DURABILITIES.iter().zip(0..).for_each(|((name, _), number)| add(name, number));
    all.push(("DEFAULT_LEVEL".to_owned(), "INT32_MIN".to_owned()));
    all.push(("NO_OPERATION".to_owned(), "UINT64_MAX".to_owned()));
    assert_eq!(error::NO_OPERATION, u64::MAX);
    all
}

/// Compares the statements of the header that `is_one` picks with those that the library has.
fn compare(exported: impl Iterator<Item = String>, is_one: fn(&str) -> bool) {
    let expected: BTreeSet<String> = exported.map(|statement| tight(&statement)).collect();
    let found: BTreeSet<String> =
        statements(HEADER).into_iter().filter(|statement| is_one(statement)).map(|it| tight(&it)).collect();
    let missing: Vec<_> = expected.difference(&found).collect();
    let extra: Vec<_> = found.difference(&expected).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "not in the header: {missing:#?}\nonly there: {extra:#?}"
    );
}

/// The statements of C text: comments and directives go, and a semicolon outside of braces ends one.
fn statements(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let text = text.replace("#ifdef __cplusplus\n}\n#endif", "");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut rest = without_comments(&lines.join("\n"));
    rest = rest.replace("extern \"C\" {", "");
    let (mut all, mut current, mut depth) = (Vec::new(), String::new(), 0);
    for letter in rest.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        current.push(letter);
        if letter == ';' && depth == 0 {
            all.push(std::mem::take(&mut current));
        }
    }
    assert_eq!((current.trim(), depth), ("", 0), "an unfinished statement");
    all
}

fn without_comments(text: &str) -> String {
    let parts = text.split("/*").enumerate();
    parts
        .map(|(i, part)| if i == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) })
        .collect()
}

/// One space between words, none elsewhere.
fn tight(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let mut text = words.join(" ");
    for mark in ["*", "(", ")", "{", "}", ";", ","] {
        text = text.replace(&format!(" {mark}"), mark).replace(&format!("{mark} "), mark);
    }
    text
}
