//! [`Source`]: the text of a Java file that is being written, and the spelling of schema names in it.
//!
//! Names come from a file that may be hostile. In literals and comments they are escaped so that Java reads
//! them unchanged: Java replaces `\u` escapes even in comments, before anything else.

use std::fmt::Write;

use super::package::Package;
use crate::source_file::{MARK, SourceFile};

/// Types that generated files import from other packages.
const IMPORTED: &[(&str, &[&str])] = &[
    ("java.io", &["IOException"]),
    ("java.nio.file", &["Path"]),
    (
        "java.util",
        &[
            "ArrayList",
            "Collections",
            "HashSet",
            "List",
            "NoSuchElementException",
            "Optional",
            "OptionalDouble",
            "OptionalInt",
            "OptionalLong",
            "Set",
        ],
    ),
    (
        "varvite",
        &[
            "Adjacency",
            "BytesProperty",
            "Cardinality",
            "DoubleProperty",
            "Graph",
            "IntProperty",
            "Label",
            "Labels",
            "LongProperty",
            "RefProperty",
            "TextProperty",
            "ValueType",
        ],
    ),
    ("varvite.error", &["UnknownNameException"]),
    ("varvite.typed", &["Expected", "Kinds", "Names", "Neighbors", "Nodes"]),
];

/// Largest length of a line in a list of names.
const LINE_MAX: usize = 120;

/// A file that is being written. Its lines are indented by the number of open blocks.
#[derive(Debug, Default)]
pub(super) struct Source {
    text: String,
    depth: usize,
}

impl Source {
    /// Writes a line; an empty line gets no indentation.
    pub(super) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            let _ = write!(self.text, "{:indent$}{line}", "", indent = 4 * self.depth);
        }
        self.text.push('\n');
    }

    /// Writes a line that opens a block.
    pub(super) fn open(&mut self, line: &str) {
        self.line(&format!("{line} {{"));
        self.depth += 1;
    }

    /// Indents the lines that follow, in a block whose opening brace was already written.
    pub(super) fn indent(&mut self) {
        self.depth += 1;
    }

    /// Closes the innermost block.
    pub(super) fn close(&mut self) {
        self.close_with("");
    }

    /// Closes the innermost block, and writes `after` after the closing brace.
    pub(super) fn close_with(&mut self, after: &str) {
        self.depth -= 1;
        self.line(&format!("}}{after}"));
    }

    /// Writes a documentation comment.
    pub(super) fn doc(&mut self, lines: &[String]) {
        match lines {
            [] => {}
            [line] => self.line(&format!("/** {line} */")),
            lines => {
                self.line("/**");
                for line in lines {
                    self.line(if line.is_empty() { " *".to_owned() } else { format!(" * {line}") }.as_str());
                }
                self.line(" */");
            }
        }
    }

    /// Writes `head`, a list of names on as many lines as needed, and `end`. Writes nothing if there are no
    /// names.
    pub(super) fn list(&mut self, head: &str, names: &[String], end: &str) {
        let mut line = head.to_owned();
        for (index, name) in names.iter().enumerate() {
            let after = if index + 1 < names.len() { "," } else { end };
            if 4 * self.depth + line.len() + 1 + name.len() + after.len() > LINE_MAX {
                self.line(&line);
                line = " ".repeat(head.len() - head.trim_start().len() + 7);
            }
            let _ = write!(line, " {name}{after}");
        }
        if !names.is_empty() {
            self.line(&line);
        }
    }

    /// Writes a complete method; `head` is its first line, without the brace.
    pub(super) fn method(&mut self, head: &str, body: &[String]) {
        self.open(head);
        body.iter().for_each(|line| self.line(line));
        self.close();
    }

    /// The file of a class: the mark, the package, the required imports, and the text.
    pub(super) fn into_file(self, package: &Package, class: &str) -> SourceFile {
        let mut text = format!("// {MARK} {} (varvite generate java).", env!("CARGO_PKG_VERSION"));
        text.push_str(" Not to be edited: the next run replaces it.\n");
        let _ = write!(text, "package {package};\n\n");
        let imports = imports_of(&self.text);
        if !imports.is_empty() {
            let _ = writeln!(text, "{imports}");
        }
        SourceFile { path: format!("{}/{class}.java", package.folder()), text: text + &self.text }
    }
}

/// Import lines for the types whose names are words of `text`.
fn imports_of(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: std::collections::BTreeSet<&str> = text.split(|c| !is_part(c)).collect();
    let mut imports = String::new();
    for (package, types) in IMPORTED {
        for name in types.iter().filter(|name| words.contains(*name)) {
            let _ = writeln!(imports, "import {package}.{name};");
        }
    }
    imports
}

/// A string literal that contains only ASCII.
pub(super) fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => literal.push_str("\\\""),
            Ok(b'\\') => literal.push_str("\\\\"),
            Ok(byte @ b' '..=b'~') => literal.push(char::from(byte)),
            // Java would read `\u000a` as a line end inside the literal, so such bytes are written as octal
            // escapes.
            Ok(byte @ (..b' ' | 0x7f)) => {
                let _ = write!(literal, "\\{byte:03o}");
            }
            _ => {
                let _ = write!(literal, "\\u{unit:04x}");
            }
        }
    }
    literal + "\""
}

/// A name in a documentation comment, escaped so that it neither ends the comment nor contains markup.
pub(super) fn in_comment(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '_' | '-' | '.' | ',' | ':' | '(' | ')' => {
                text.push(letter)
            }
            other if other.is_control() => {
                let _ = write!(text, "U+{:04X}", u32::from(other));
            }
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            other => {
                let _ = write!(text, "&#{};", u32::from(other));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::words;

    #[test]
    fn a_literal_is_what_it_says() {
        for (text, expected) in [
            ("NAME", r#""NAME""#),
            ("<empty>", r#""<empty>""#),
            ("a\"b\\u0041", r#""a\"b\\u0041""#),
            ("a\nb\u{7f}", r#""a\012b\177""#),
            ("ä€😀", r#""\u00e4\u20ac\ud83d\ude00""#),
        ] {
            assert_eq!(literal(text), expected);
        }
    }

    #[test]
    fn a_name_does_not_end_its_comment() {
        for name in ["*/ class X {}", "\\u002a/", "<script>", "{@code", "&amp;", "@param", "a\nb"] {
            let text = in_comment(name);
            assert!(!text.contains(['*', '\\', '<', '@', '{', '\n', '/']), "{text}");
        }
        assert_eq!(in_comment("LINE_NUMBER"), "LINE_NUMBER");
        assert_eq!(in_comment("a\n"), "aU+000A");
        assert_eq!(in_comment("<empty>"), "&lt;empty&gt;");
    }

    #[test]
    fn no_class_has_the_name_of_an_imported_type() {
        let own: Vec<&str> = words::types().collect();
        IMPORTED.iter().flat_map(|(_, types)| *types).for_each(|name| assert!(own.contains(name), "{name}"));
    }

    #[test]
    fn only_what_is_used_is_imported() {
        let mut source = Source::default();
        source.open("final class A");
        source.line("List<TextProperty> all;");
        source.close();
        let file = source.into_file(&"p.q".parse().unwrap(), "A");
        assert_eq!(file.path, "p/q/A.java");
        let text = "package p.q;\n\nimport java.util.List;\nimport varvite.TextProperty;\n\nfinal class A {\n    List<TextProperty> all;\n}\n";
        assert!(file.text.ends_with(text), "{}", file.text);
    }
}
