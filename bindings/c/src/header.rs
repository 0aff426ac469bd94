//! Tests that compare the declarations in `include/*.h` with the functions, structs and constants of this
//! crate. The texts must be equal except for white space.
//!
//! `exports!`, `plain_exports!` and `c_struct!` generate a test for each item, which looks for the item's
//! declaration ([`has_declared`]). The tests of this module check that the headers declare nothing else.
//! `java` generates Java's method handles from the same declarations.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use varvite::write::Codec;
use varvite::{Cardinality, ErrorCode, Profile, ValueType};
use varvite_format::{Encoding, NONE};

use crate::status::Status;
use crate::{adjacency, arrow, callback, cpg, diff, error, graph, graph_log, library, recorder, run, table};

mod java;

/// All headers, one after another.
static HEADERS: LazyLock<String> = LazyLock::new(|| texts("include", "h"));
/// The statements of all headers, in order, each normalized by [`tight`].
static DECLARED: LazyLock<Vec<String>> =
    LazyLock::new(|| statements(&HEADERS).iter().map(|statement| tight(statement)).collect());

/// Asserts that a header contains the declaration.
pub(crate) fn has_declared(declaration: &str) {
    let declaration = tight(declaration);
    let name = name_of(&declaration);
    let found: Vec<&String> = DECLARED.iter().filter(|declared| name_of(declared) == name).collect();
    assert!(found == [&declaration], "expected in a header: {declaration}\nfound: {found:#?}");
}

#[test]
fn the_headers_declare_no_other_function_or_struct() {
    let code = texts("src", "rs");
    for declared in DECLARED.iter() {
        let name = name_of(declared);
        let at_home = match Declaration::of(declared) {
            Declaration::Function => format!("    fn {name}("),
            Declaration::Struct => format!(" = \"{name}\" {{"),
            Declaration::Other => continue,
        };
        assert!(code.contains(&at_home), "only in the headers: {declared}");
    }
}

#[test]
fn the_headers_declare_the_structs_of_arrow() {
    arrow::DECLARATIONS.iter().chain([&arrow::STREAM_DECLARATION]).for_each(|struct_| has_declared(struct_));
}

#[test]
fn the_headers_declare_the_callbacks_of_the_library() {
    let expected = callback::typedefs().map(tight);
    let found = DECLARED.iter().filter(|statement| statement.contains("(*") && !statement.contains('{'));
    assert_eq!(found.collect::<BTreeSet<_>>(), expected.iter().collect());
}

#[test]
fn the_headers_define_the_constants_of_the_library() {
    let expected: BTreeSet<String> =
        constants().into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    let lines = HEADERS.lines().filter_map(|line| line.strip_prefix("#define VARVITE_"));
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

/// The Java exceptions that have a fixed error number, each with its number.
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
    assert!(include_str!("../../../crates/xtask/src/c/staged.rs").contains(&name));
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

/// Kinds of statements of a header.
enum Declaration {
    Function,
    /// A struct of Varvite with its fields.
    Struct,
    /// A handle, a callback, or a struct of Arrow.
    Other,
}

impl Declaration {
    fn of(statement: &str) -> Self {
        match (statement.starts_with("typedef struct"), statement.contains('{')) {
            (true, true) => Self::Struct,
            (false, false) if !statement.starts_with("typedef") => Self::Function,
            _ => Self::Other,
        }
    }
}

/// The name that a statement declares.
fn name_of(statement: &str) -> &str {
    let words = statement.split(['(', '{']).next().unwrap_or_default();
    words.trim_end_matches(';').rsplit([' ', '*']).next().unwrap_or_default()
}

/// The contents of all files with this ending in a folder and its subfolders, joined in the order of their
/// paths.
fn texts(folder: &str, ending: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let text = |path: std::path::PathBuf| match path.is_dir() {
        true => texts(path.to_str().unwrap(), ending),
        false if path.extension().is_some_and(|end| end == ending) => std::fs::read_to_string(path).unwrap(),
        false => String::new(),
    };
    paths.into_iter().map(text).collect()
}

/// The statements of C text. Comments and preprocessor directives are removed; a semicolon outside of braces
/// ends a statement.
fn statements(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let text = text.replace("#ifdef __cplusplus\n}\n#endif", "");
    // A comment after a directive may continue on the next line.
    let text = without_comments(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let rest = lines.join("\n").replace("extern \"C\" {", "");
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

/// Normalizes white space: one space between two words, none elsewhere.
fn tight(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let mut text = words.join(" ");
    for mark in ["*", "(", ")", "{", "}", ";", ","] {
        text = text.replace(&format!(" {mark}"), mark).replace(&format!("{mark} "), mark);
    }
    text
}
