//! What is wrong with a text that is not JSON: the line, the column, the step, and what was expected there.
//!
//! The parser of JSON says it in words that are made for programmers. This reads the text again, up to the first place
//! that makes no sense, without recursion and without keeping anything but what is open.

/// Lists and objects inside of each other that the parser takes.
const DEPTH_MAX: usize = 127;
/// Characters of what was found that are shown.
const SHOWN: usize = 12;

/// Why the parser refused a text, at a line and a column that are counted from 1.
pub(super) fn reason(text: &str, line: usize, column: usize) -> String {
    let mut scan = Scan { text, at: 0, open: Vec::new(), depth: 0, is_steps: false, step: 0 };
    match scan.run() {
        Some(Fault { at, expected }) => {
            let (line, column) = place(text, at);
            let step = if scan.step > 0 { format!(" (step {})", scan.step) } else { String::new() };
            format!("line {line}, column {column}{step}: expected {expected}, and found {}", found(text, at))
        }
        None if scan.depth >= DEPTH_MAX => {
            format!("line {line}, column {column}: lists and objects are nested more than {DEPTH_MAX} deep")
        }
        None => format!("line {line}, column {column}: this number or character is more than JSON can say"),
    }
}

/// The first place that makes no sense.
struct Fault {
    at: usize,
    expected: &'static str,
}

/// What is open around a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    List,
    Object,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    ValueOrEnd,
    Field,
    FieldOrEnd,
    Colon,
    CommaOrEnd,
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open>,
    /// Most that was open at a time.
    depth: usize,
    /// Whether the last field of the plan itself was `steps`.
    is_steps: bool,
    /// The step of the plan, counted from 1.
    step: usize,
}

impl Scan<'_> {
    fn run(&mut self) -> Option<Fault> {
        let mut next = Next::Value;
        loop {
            let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            self.at += self.text.as_bytes()[self.at..].iter().take_while(|byte| blanks(byte)).count();
            let byte = self.text.as_bytes().get(self.at).copied();
            if byte.is_none() && self.open.is_empty() && next == Next::CommaOrEnd {
                return None;
            }
            match self.advance(byte, next) {
                Ok(then) => next = then,
                Err(fault) => return Some(fault),
            }
        }
    }

    /// Reads one thing, and says what may come after it.
    fn advance(&mut self, byte: Option<u8>, next: Next) -> Result<Next, Fault> {
        let inside = self.open.last().copied();
        match (next, byte) {
            (Next::ValueOrEnd, Some(b']')) | (Next::FieldOrEnd, Some(b'}')) => self.close(),
            (Next::CommaOrEnd, Some(b']')) if inside == Some(Open::List) => self.close(),
            (Next::CommaOrEnd, Some(b'}')) if inside == Some(Open::Object) => self.close(),
            (Next::CommaOrEnd, Some(b',')) if inside.is_some() => {
                self.at += 1;
                self.count_step();
                Ok(if inside == Some(Open::List) { Next::Value } else { Next::Field })
            }
            (Next::Colon, Some(b':')) => {
                self.at += 1;
                Ok(Next::Value)
            }
            (Next::Field | Next::FieldOrEnd, Some(b'"')) => {
                let start = self.at;
                self.string()?;
                if self.open.len() == 1 {
                    self.is_steps = &self.text[start..self.at] == "\"steps\"";
                }
                Ok(Next::Colon)
            }
            (Next::Value | Next::ValueOrEnd, Some(byte)) => self.value(byte),
            _ => Err(self.fault(next)),
        }
    }

    fn fault(&self, next: Next) -> Fault {
        let expected = match (next, self.open.last()) {
            (Next::Value, None) => "a plan, which is {\"version\": 1, \"steps\": [..]}",
            (Next::Value, _) => "a value",
            (Next::ValueOrEnd, _) => "a value, or ] at the end of the list",
            (Next::Field, _) => "the name of a field in quotes",
            (Next::FieldOrEnd, _) => "the name of a field in quotes, or } at the end of the object",
            (Next::Colon, _) => "a colon after the name of the field",
            (Next::CommaOrEnd, Some(Open::List)) => "a comma, or ] at the end of the list",
            (Next::CommaOrEnd, Some(Open::Object)) => "a comma, or } at the end of the object",
            (Next::CommaOrEnd, None) => "nothing after the plan",
        };
        Fault { at: self.at, expected }
    }

    fn value(&mut self, byte: u8) -> Result<Next, Fault> {
        match byte {
            b'{' | b'[' => return Ok(self.begin(byte)),
            b'"' => self.string()?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => {
                let words = ["true", "false", "null"];
                let word = words.into_iter().find(|word| self.text[self.at..].starts_with(word));
                self.at += word.ok_or_else(|| self.fault(Next::Value))?.len();
            }
        }
        Ok(Next::CommaOrEnd)
    }

    fn begin(&mut self, byte: u8) -> Next {
        let is_object = byte == b'{';
        self.open.push(if is_object { Open::Object } else { Open::List });
        self.depth = self.depth.max(self.open.len());
        self.at += 1;
        self.count_step();
        if is_object { Next::FieldOrEnd } else { Next::ValueOrEnd }
    }

    /// A step begins where the list of steps does, and after each of its commas.
    fn count_step(&mut self) {
        if self.is_steps && self.open == [Open::Object, Open::List] {
            self.step += 1;
        }
    }

    fn close(&mut self) -> Result<Next, Fault> {
        self.open.pop();
        self.at += 1;
        if self.open.len() == 1 {
            self.step = 0;
        }
        Ok(Next::CommaOrEnd)
    }

    fn string(&mut self) -> Result<(), Fault> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let digits = bytes.get(at + 2..at + 6).unwrap_or(&[]);
                    let is_code = digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit);
                    at += match bytes.get(at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if is_code => 6,
                        _ => {
                            let expected = "after \\ one of \" \\ / b f n r t, or u with four hexadecimal digits (\\\\ is one \\)";
                            return Err(Fault { at, expected });
                        }
                    };
                }
                Some(0..0x20) => {
                    return Err(Fault {
                        at,
                        expected: "the \" that ends the text (a line break in a text is \\n, a tab \\t)",
                    });
                }
                Some(_) => at += 1,
                None => return Err(Fault { at, expected: "the \" that ends the text" }),
            }
        }
        self.at = at + 1;
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        let bytes = self.text.as_bytes();
        let digits =
            |at: usize| bytes[at.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let fault = |at: usize| Fault { at, expected: "a number such as 12, -1 or 0.5" };
        let mut at = self.at + usize::from(bytes[self.at] == b'-');
        let whole = digits(at);
        if whole == 0 || whole > 1 && bytes[at] == b'0' {
            return Err(fault(at));
        }
        at += whole;
        if bytes.get(at) == Some(&b'.') {
            let count = digits(at + 1);
            at += 1 + if count > 0 { count } else { return Err(fault(at + 1)) };
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            at += Some(digits(at)).filter(|count| *count > 0).ok_or_else(|| fault(at))?;
        }
        self.at = at;
        Ok(())
    }
}

/// Line and column of a byte, in characters.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// What stands there, in words.
fn found(text: &str, at: usize) -> String {
    let rest = &text[at..];
    match rest.chars().next() {
        None => "the end".to_owned(),
        Some('\n' | '\r') => "the end of the line".to_owned(),
        Some(first) if first.is_alphanumeric() => {
            let word: String =
                rest.chars().take_while(|letter| letter.is_alphanumeric()).take(SHOWN).collect();
            format!("{word:?}")
        }
        Some(first) => format!("{:?}", first.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a text that the parser refuses.
    fn told(text: &str) -> String {
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        reason(text, error.line(), error.column())
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(told(text), expected, "{text}");
    }

    #[test]
    fn the_place_and_what_was_expected_are_told() {
        let plan = "a plan, which is {\"version\": 1, \"steps\": [..]}";
        check("", &format!("line 1, column 1: expected {plan}, and found the end"));
        check("nodes", &format!("line 1, column 1: expected {plan}, and found \"nodes\""));
        check(
            "{\"version\" 1}",
            "line 1, column 12: expected a colon after the name of the field, and found \"1\"",
        );
        check(
            "{\"version\": 1,}",
            "line 1, column 15: expected the name of a field in quotes, and found \"}\"",
        );
        check(
            "{version: 1}",
            "line 1, column 2: expected the name of a field in quotes, or } at the end of the object, and found \"version\"",
        );
        check("{}\n}", "line 2, column 1: expected nothing after the plan, and found \"}\"");
        check("[1, é]", "line 1, column 5: expected a value, and found \"é\"");
        check("[1 2]", "line 1, column 4: expected a comma, or ] at the end of the list, and found \"2\"");
    }

    #[test]
    fn the_step_is_told() {
        let steps = |second: &str| {
            format!("{{\"version\": 1, \"steps\": [\n  {{\"step\": \"nodes\"}},\n  {second}]}}")
        };
        let expected =
            "line 3, column 20 (step 2): expected a comma, or } at the end of the object, and found \"\\\"\"";
        check(&steps("{\"step\": \"limit\" \"count\": 1}"), expected);
        check(&steps(""), "line 3, column 3 (step 2): expected a value, and found \"]\"");
        let after = "{\"steps\": [{}], \"version\": }";
        check(after, "line 1, column 28: expected a value, and found \"}\"");
        let nested = "{\"steps\": [{}, {\"body\": [{}, {]}]}]}";
        check(
            nested,
            "line 1, column 31 (step 2): expected the name of a field in quotes, or } at the end of the object, and found \"]\"",
        );
    }

    #[test]
    fn texts_and_numbers_are_looked_into() {
        let end = "the \" that ends the text";
        check("[\"abc", &format!("line 1, column 6: expected {end}, and found the end"));
        check(
            "[\"a\nb\"]",
            &format!(
                "line 1, column 4: expected {end} (a line break in a text is \\n, a tab \\t), and found the end of the line"
            ),
        );
        assert!(told("[\"\\w+\"]").starts_with("line 1, column 3: expected after \\ one of"));
        for number in ["01", "1.", "-", "1e", "1e+"] {
            assert!(told(&format!("[{number}]")).contains("expected a number such as 12"), "{number}");
        }
    }

    #[test]
    fn what_only_the_parser_refuses_has_a_place_too() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert!(told(&deep).contains("nested more than 127 deep"), "{}", told(&deep));
        assert!(told("[1e999]").contains("more than JSON can say"));
        assert!(told("[\"\\ud800\"]").contains("more than JSON can say"));
    }

    #[test]
    fn whatever_the_parser_takes_is_no_fault() {
        for text in ["{}", " [ ] ", "[1, -0.5e+3, \"\\u00e9\\n\", true, false, null]", "{\"a\": {\"b\": []}}"]
        {
            serde_json::from_str::<serde_json::Value>(text).unwrap();
            let mut scan = Scan { text, at: 0, open: Vec::new(), depth: 0, is_steps: false, step: 0 };
            assert!(scan.run().is_none(), "{text}");
        }
    }
}
