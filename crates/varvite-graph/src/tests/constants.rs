//! Checks that the constants of `varvite.h`, and of `Encoding` in Java, equal the rows of the tables in Rust.

use varvite_format::{Encoding, ErrorCode};

use crate::Codec;
use varvite_model::written::{Part, check};

#[test]
fn the_header_has_the_rows_of_the_tables() {
    let errors = ErrorCode::ALL.iter().map(|code| defined(&format!("E_{}", code.name()), code.number()));
    let parts = [
        in_c("errors", "crates/varvite-format/src/faults/error_code.rs", errors.collect()),
        in_c("encodings", "crates/varvite-format/src/encoding.rs", encodings_in_c()),
        in_c("codecs", "crates/varvite-codec/src/codec.rs", codecs_in_c()),
    ];
    check("bindings/c/include/varvite.h", &parts);
}

#[test]
fn java_has_the_encodings_of_the_table() {
    let rows = Encoding::ALL.iter().map(|encoding| {
        let (number, name) = (*encoding as u16, encoding.name());
        format!("    {}({number}, \"{name}\")", constant(name))
    });
    let text = format!("{};\n", rows.collect::<Vec<_>>().join(",\n"));
    let opening = "    // <encodings> from the table in crates/varvite-format/src/encoding.rs".into();
    let part = Part { opening, closing: "    // </encodings>", text };
    check("bindings/java/varvite/src/main/java/varvite/format/Encoding.java", &[part]);
}

fn in_c(name: &str, table: &str, text: String) -> Part {
    Part {
        opening: format!("/* {name}: from the table in {table} */"),
        closing: "/* end of the table */",
        text,
    }
}

fn encodings_in_c() -> String {
    let row = |encoding: &Encoding| match encoding {
        Encoding::EmptySet => "/* Encodings of sets of nodes. */\n",
        Encoding::Constant => "/* Encodings of integers. */\n",
        Encoding::Entries => "/* Encodings of string tables. */\n",
        _ => "",
    };
    let suffix =
        |encoding: &Encoding| if (*encoding as u16) < Encoding::Constant as u16 { "_SET" } else { "" };
    let define = |encoding: &Encoding| {
        let name = format!("{}{}", constant(encoding.name()), suffix(encoding));
        row(encoding).to_owned() + &defined(&name, *encoding as i32)
    };
    Encoding::ALL.iter().map(define).collect()
}

fn codecs_in_c() -> String {
    let define = |codec: Codec| match codec {
        Codec::None => defined("NO_CODEC", 0),
        Codec::Snappy => "/* For traces alone. */\n".to_owned() + &defined("SNAPPY", codec as i32),
        _ => defined(&constant(codec.name()), codec as i32),
    };
    Codec::ALL.into_iter().map(define).collect()
}

/// A line of the header that defines a constant. Negative numbers are in parentheses.
fn defined(name: &str, number: i32) -> String {
    let number = if number < 0 { format!("({number})") } else { number.to_string() };
    format!("#define VARVITE_{name} {number}\n")
}

/// The name of the constant for a public name: in capitals, with underscores for hyphens.
fn constant(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}
