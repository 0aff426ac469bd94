//! Finds the code in Rust text: enough of a lexer to exclude comments and literals.

/// The text with comments, strings and character literals replaced by blanks; line breaks are kept.
pub(crate) fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = ignored(rest, code.chars().next_back());
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (ignored, after) = rest.split_at(skipped);
        code.extend(ignored.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = after;
    }
    code
}

/// The string literals of the code, each with the number of its first line, from one.
pub(crate) fn strings_of(text: &str) -> Vec<(usize, &str)> {
    let (mut strings, mut line, mut before) = (Vec::new(), 1, None);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = ignored(rest, before).max(first.len_utf8());
        let (part, after) = rest.split_at(skipped);
        if part.len() > 1 && part.ends_with(['"', '#']) && !part.starts_with(['/', '\'']) {
            strings.push((line, part));
        }
        line += part.matches('\n').count();
        (before, rest) = (part.chars().next_back(), after);
    }
    strings
}

/// The numbers, from one, of the lines that contain `word` as a whole word of code.
pub(crate) fn lines_with(code: &str, word: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let holds = |line: &str| line.split(|c| !is_part(c)).any(|part| part == word);
    code.lines().enumerate().filter(|(_, line)| holds(line)).map(|(i, _)| i + 1).collect()
}

/// The length in bytes of the comment or literal at the start of `rest`.
fn ignored(rest: &str, before: Option<char>) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    if rest.starts_with('"') {
        return quoted(rest);
    }
    if rest.starts_with('\'') {
        return character(rest);
    }
    let starts_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if starts_word { raw_string(rest) } else { 0 }
}

/// The length of a block comment; block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        let step = match tail {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal such as `'x'` or `'\n'`; `'a` may also be a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            let closing = chars.skip(1).find(|(_, c)| *c == '\'');
            closing.map_or(rest.len(), |(at, _)| at + 1)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
        None => 0,
    }
}

/// The length of a raw string such as `r"..."` or `br#"..."#`: it has no escapes, and ends with as many `#`
/// as it begins with.
fn raw_string(rest: &str) -> usize {
    let after = rest.trim_start_matches(['b', 'c']);
    if rest.len() - after.len() > 1 {
        return 0;
    }
    let Some(marks) = after.strip_prefix('r') else { return 0 };
    let body = marks.trim_start_matches('#');
    if !body.starts_with('"') {
        return 0;
    }
    let closing = format!("\"{}", "#".repeat(marks.len() - body.len()));
    let opening = rest.len() - body.len() + 1;
    rest[opening..].find(&closing).map_or(rest.len(), |at| opening + at + closing.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, lines: &[usize]) {
        assert_eq!(lines_with(&code_of(text), "unsafe"), lines, "in {text}");
    }

    #[test]
    fn only_code_counts() {
        check("unsafe {}", &[1]);
        check("fn a() {}\nunsafe fn b() {}", &[2]);
        check("// unsafe\nlet x = 1;", &[]);
        check("/* a /* unsafe */ unsafe */ unsafe", &[1]);
        check("let s = \"a \\\" unsafe\"; unsafe", &[1]);
        check("let s = r#\"unsafe \" unsafe\"#;", &[]);
        check("let s = br\"unsafe\";", &[]);
    }

    #[test]
    fn strings_are_told_with_their_lines() {
        let text = "let a = \"x\";\n// \"y\"\nlet b = ('\"', r#\"z\n\"#, \"\\\"\");\nlet c = \"\";";
        let expected = [(1, "\"x\""), (3, "r#\"z\n\"#"), (4, "\"\\\"\""), (5, "\"\"")];
        assert_eq!(strings_of(text), expected);
    }

    #[test]
    fn only_whole_words_count() {
        check("#![forbid(unsafe_code)]", &[]);
        check("let not_unsafe = 1;", &[]);
    }

    #[test]
    fn lifetimes_are_not_characters() {
        check("fn f<'a>(x: &'a str) { unsafe {} }", &[1]);
        check("let q = '\"'; unsafe {}", &[1]);
        check("let q = '\\''; unsafe {}", &[1]);
        check("let q = b'\\\\'; unsafe {}", &[1]);
    }
}
