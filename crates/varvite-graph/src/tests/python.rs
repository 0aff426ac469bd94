//! Compares the exceptions of Python with the table of error numbers: one class for each number.

use varvite_format::ErrorCode;
use varvite_model::written::{Part, check};

/// The width of a line, in characters.
const WIDTH: usize = 120;

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
    let doc = documentation(code.meaning());
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

/// The documentation, wrapped to the width.
fn documentation(meaning: &str) -> String {
    let mut lines = vec!["    \"\"\"".to_owned()];
    for word in meaning.split_whitespace() {
        let last = lines.last_mut().expect("there is a first line");
        let is_first = last.ends_with("\"\"\"");
        // Three characters more for the closing marks.
        match last.chars().count() + 1 + word.chars().count() + 3 <= WIDTH {
            true if is_first => last.push_str(word),
            true => last.push_str(&format!(" {word}")),
            false => lines.push(format!("    {word}")),
        }
    }
    format!("{}\"\"\"\n", lines.join("\n"))
}

#[test]
fn names_become_those_of_python() {
    let names = ["IO", "NO_SUCH_NODE", "INDEX"].map(class_name);
    assert_eq!(names, ["IoError", "NoSuchNodeError", "PropertyIndexError"]);
}
