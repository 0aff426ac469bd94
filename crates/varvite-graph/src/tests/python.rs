//! Compares the exceptions of Python with the table of error numbers: one class for each number.

use varvite_format::ErrorCode;
use varvite_model::written::{Part, check, python_documentation};

#[test]
fn python_has_an_exception_for_each_error_number() {
    let text: String = ErrorCode::ALL.iter().map(|code| class_of(*code)).collect();
    let opening = "# <errors> from the table in crates/varvite-format/src/faults/error_code.rs".into();
    let part = Part { opening, closing: "# </errors>", text: format!("{text}\n\n") };
    check("bindings/python/python/varvite/errors.py", &[part]);
}

#[test]
fn python_exports_the_exceptions_from_the_package() {
    let list = |quote: &str| -> String {
        let names = ErrorCode::ALL.iter().map(|code| class_name(code.name()));
        names.map(|name| format!("    {quote}{name}{quote},\n")).collect()
    };
    let part = |what: &str, text: String| Part {
        opening: format!(
            "    # <errors> {what}, from the table in crates/varvite-format/src/faults/error_code.rs"
        ),
        closing: "    # </errors>",
        text,
    };
    let parts = [part("imported", list("")), part("exported", list("\""))];
    check("bindings/python/python/varvite/__init__.py", &parts);
}

fn class_of(code: ErrorCode) -> String {
    let (name, number) = (code.name(), code.number());
    let bases = python_of(code).map_or("Error".to_owned(), |class| format!("Error, {class}"));
    let doc = python_documentation("    ", code.meaning());
    format!("\n\nclass {}({bases}):\n{doc}\n    code = {number}\n    name = \"{name}\"\n", class_name(name))
}

/// The exception of Python for the same mistake.
fn python_of(code: ErrorCode) -> Option<&'static str> {
    Some(match code {
        ErrorCode::Argument => "ValueError",
        ErrorCode::Io => "OSError",
        ErrorCode::Exists => "FileExistsError",
        ErrorCode::OutOfMemory | ErrorCode::OverBudget => "MemoryError",
        ErrorCode::NoSuchNode => "IndexError",
        ErrorCode::WrongType => "TypeError",
        // Also an `AttributeError`: names of the schema are attributes of nodes.
        ErrorCode::Unknown => "LookupError, AttributeError",
        _ => return None,
    })
}

/// The name of the class: `NoSuchNodeError` for `NO_SUCH_NODE`. `IndexError` is a class of Python.
fn class_name(name: &str) -> String {
    if name == "INDEX" {
        return "PropertyIndexError".to_owned();
    }
    let words = name.split('_').map(|word| {
        let (head, tail) = word.split_at(1);
        format!("{head}{}", tail.to_lowercase())
    });
    format!("{}Error", words.collect::<String>())
}

#[test]
fn names_become_those_of_python() {
    let names = ["IO", "NO_SUCH_NODE", "INDEX"].map(class_name);
    assert_eq!(names, ["IoError", "NoSuchNodeError", "PropertyIndexError"]);
}
