//! [`read`]: parses a JSON text. An error contains line, column, the number of the step, and the expected
//! token.
//!
//! A vector holds the lists and objects whose ends were not read yet, so that no text causes recursion. A
//! complete value is added to the innermost of these.

use serde_json::{Map, Value as Json};

use super::{JsonFault, Meter, ReadJson};
use crate::budget::{Budget, OverBudget};

/// A kind of JSON text: its names in error messages, and its limits.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The words after "expected" in the error message about the beginning of the text: its expected form.
    pub form: &'static str,
    /// The words after "expected" in the error message about text that follows the value.
    pub name: &'static str,
    /// The largest allowed depth of nested lists and objects.
    pub depth_max: usize,
    /// The largest allowed number of objects that have a field `step`.
    pub steps_max: usize,
}

/// The number of characters of the found text that an error message shows.
const SHOWN: usize = 12;

/// Parses a JSON text. Takes time in proportion to its length.
///
/// # Errors
/// [`JsonFault`]; all charged bytes are given back to the budget.
pub fn read(text: &str, subject: Subject, budget: &Budget) -> Result<ReadJson, JsonFault> {
    let meter = Meter::new(budget)?;
    let mut reader = Reader {
        text,
        subject,
        at: 0,
        open: Vec::new(),
        whole: None,
        meter,
        depth: 0,
        is_steps: false,
        step: 0,
        steps: 0,
    };
    match reader.run() {
        Ok(json) => Ok(ReadJson { json, meter: reader.meter, depth: reader.depth }),
        Err(Stop::Other(fault)) => Err(fault),
        Err(Stop::At(at, what)) => Err(JsonFault::Form { reason: reader.reason(at, &what) }),
    }
}

/// The reason why reading stopped.
enum Stop {
    /// The text is invalid at an index in bytes, for the given reason.
    At(usize, Wrong),
    Other(JsonFault),
}

/// The reason why a text is invalid at an index.
enum Wrong {
    /// Another token is expected.
    Expected(&'static str),
    /// The object already has a field with this name.
    Twice(String),
    /// A number or a character outside the range of JSON.
    Beyond,
}

impl From<OverBudget> for Stop {
    fn from(error: OverBudget) -> Self {
        Self::Other(error.into())
    }
}

fn expected(at: usize, what: &'static str) -> Stop {
    Stop::At(at, Wrong::Expected(what))
}

/// A list or an object whose end was not read yet.
enum Open {
    List(Vec<Json>),
    /// The fields read so far, and the name of the field whose value is read next.
    Object(Map<String, Json>, String),
}

/// The tokens that may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    ValueOrEnd,
    Field,
    FieldOrEnd,
    Colon,
    CommaOrEnd,
}

struct Reader<'t> {
    text: &'t str,
    subject: Subject,
    at: usize,
    open: Vec<Open>,
    /// The value of the whole text, once its end was read.
    whole: Option<Json>,
    meter: Meter,
    /// The greatest length of `open` so far.
    depth: usize,
    /// Whether the last field read of the outermost object is `steps`.
    is_steps: bool,
    /// The number of the current step of the plan, from 1; 0 outside the list of steps.
    step: usize,
    /// The number of fields named `step` so far.
    steps: usize,
}

impl Reader<'_> {
    fn run(&mut self) -> Result<Json, Stop> {
        let mut next = Next::Value;
        loop {
            let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            self.at += self.text.as_bytes()[self.at..].iter().take_while(|byte| blanks(byte)).count();
            let byte = self.text.as_bytes().get(self.at).copied();
            if byte.is_none()
                && let Some(whole) = self.whole.take()
            {
                return Ok(whole);
            }
            next = self.advance(byte, next)?;
        }
    }

    /// The message about invalid text at an index.
    fn reason(&self, at: usize, what: &Wrong) -> String {
        let (line, column) = place(self.text, at);
        let step = if self.step > 0 { format!(" (step {})", self.step) } else { String::new() };
        let what = match what {
            Wrong::Expected(expected) => format!("expected {expected}, found {}", found(self.text, at)),
            Wrong::Twice(field) => format!("the field {field:?} occurs twice in one object"),
            Wrong::Beyond => "this number or character is outside the range of JSON".to_owned(),
        };
        format!("line {line}, column {column}{step}: {what}")
    }

    /// Reads one token, and returns the tokens that may follow it.
    fn advance(&mut self, byte: Option<u8>, next: Next) -> Result<Next, Stop> {
        let is_list = self.open.last().map(|open| matches!(open, Open::List(_)));
        match (next, byte) {
            (Next::ValueOrEnd, Some(b']')) | (Next::FieldOrEnd, Some(b'}')) => self.close(),
            (Next::CommaOrEnd, Some(b']')) if is_list == Some(true) => self.close(),
            (Next::CommaOrEnd, Some(b'}')) if is_list == Some(false) => self.close(),
            (Next::CommaOrEnd, Some(b',')) if is_list.is_some() => {
                self.at += 1;
                self.count_step();
                Ok(if is_list == Some(true) { Next::Value } else { Next::Field })
            }
            (Next::Colon, Some(b':')) => {
                self.at += 1;
                Ok(Next::Value)
            }
            (Next::Field | Next::FieldOrEnd, Some(b'"')) => {
                self.field()?;
                Ok(Next::Colon)
            }
            (Next::Value | Next::ValueOrEnd, Some(byte)) => self.value(byte),
            _ => Err(self.misplaced(next)),
        }
    }

    /// Reads the name of a field.
    fn field(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let name = self.string()?;
        if name == "step" {
            self.steps += 1;
            if self.steps > self.subject.steps_max {
                return Err(Stop::Other(JsonFault::TooManySteps));
            }
        }
        if self.open.len() == 1 {
            self.is_steps = name == "steps";
        }
        let Some(Open::Object(object, field)) = self.open.last_mut() else { return Ok(()) };
        if object.contains_key(&name) {
            return Err(Stop::At(start, Wrong::Twice(name)));
        }
        self.meter.take_entry(object.len())?;
        *field = name;
        Ok(())
    }

    /// Adds a complete value to the innermost open list or object, or makes it the value of the text.
    fn put(&mut self, value: Json) -> Result<(), Stop> {
        match self.open.last_mut() {
            None => self.whole = Some(value),
            Some(Open::List(list)) => {
                self.meter.make_room(list)?;
                list.push(value);
            }
            Some(Open::Object(object, field)) => {
                object.insert(std::mem::take(field), value);
            }
        }
        Ok(())
    }

    fn misplaced(&self, next: Next) -> Stop {
        let what = match (next, self.open.last()) {
            (Next::Value, None) => self.subject.form,
            (Next::Value, _) => "a value",
            (Next::ValueOrEnd, _) => "a value, or ] at the end of the list",
            (Next::Field, _) => "the name of a field in quotes",
            (Next::FieldOrEnd, _) => "the name of a field in quotes, or } at the end of the object",
            (Next::Colon, _) => "a colon after the name of the field",
            (Next::CommaOrEnd, Some(Open::List(_))) => "a comma, or ] at the end of the list",
            (Next::CommaOrEnd, Some(Open::Object(..))) => "a comma, or } at the end of the object",
            (Next::CommaOrEnd, None) => self.subject.name,
        };
        expected(self.at, what)
    }

    fn value(&mut self, byte: u8) -> Result<Next, Stop> {
        let value = match byte {
            b'{' | b'[' => return self.begin(byte),
            b'"' => Json::String(self.string()?),
            b'-' | b'0'..=b'9' => self.number()?,
            _ => {
                let words = [("true", Json::Bool(true)), ("false", Json::Bool(false)), ("null", Json::Null)];
                let word = words.into_iter().find(|(word, _)| self.text[self.at..].starts_with(word));
                let (word, value) = word.ok_or_else(|| self.misplaced(Next::Value))?;
                self.at += word.len();
                value
            }
        };
        self.put(value)?;
        Ok(Next::CommaOrEnd)
    }

    fn begin(&mut self, byte: u8) -> Result<Next, Stop> {
        if self.open.len() == self.subject.depth_max {
            return Err(Stop::Other(JsonFault::TooDeep));
        }
        let is_object = byte == b'{';
        self.open.push(if is_object {
            Open::Object(Map::new(), String::new())
        } else {
            Open::List(Vec::new())
        });
        self.depth = self.depth.max(self.open.len());
        self.at += 1;
        self.count_step();
        Ok(if is_object { Next::FieldOrEnd } else { Next::ValueOrEnd })
    }

    /// Counts a step, if one begins here. A step begins at the start of the list of steps, and after each
    /// comma of this list.
    fn count_step(&mut self) {
        if self.is_steps && matches!(self.open[..], [Open::Object(..), Open::List(_)]) {
            self.step += 1;
        }
    }

    fn close(&mut self) -> Result<Next, Stop> {
        let whole = match self.open.pop() {
            Some(Open::List(list)) => Json::Array(list),
            Some(Open::Object(object, _)) => Json::Object(object),
            None => Json::Null,
        };
        self.put(whole)?;
        self.at += 1;
        if self.open.len() == 1 {
            self.step = 0;
        }
        Ok(Next::CommaOrEnd)
    }

    /// Reads a string in quotes.
    fn string(&mut self) -> Result<String, Stop> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let (mut at, mut is_plain) = (start + 1, true);
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    is_plain = false;
                    at += escape_len(bytes, at).ok_or_else(|| {
                        let what = "after \\ one of \" \\ / b f n r t, or u with four hexadecimal digits (\\\\ is one \\)";
                        expected(at, what)
                    })?;
                }
                Some(0..0x20) => {
                    let what = "the \" that ends the text (a line break in a text is \\n, a tab \\t)";
                    return Err(expected(at, what));
                }
                Some(_) => at += 1,
                None => return Err(expected(at, "the \" that ends the text")),
            }
        }
        self.at = at + 1;
        self.meter.take_text(at - start)?;
        if is_plain {
            return Ok(self.text[start + 1..at].to_owned());
        }
        serde_json::from_str(&self.text[start..=at]).map_err(|_| Stop::At(start, Wrong::Beyond))
    }

    fn number(&mut self) -> Result<Json, Stop> {
        let bytes = self.text.as_bytes();
        let digits =
            |at: usize| bytes[at.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let fault = |at: usize| expected(at, "a number such as 12, -1 or 0.5");
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
        let start = std::mem::replace(&mut self.at, at);
        serde_json::from_str(&self.text[start..at]).map_err(|_| Stop::At(start, Wrong::Beyond))
    }
}

/// The length of an escape sequence, in bytes; `None` if it is invalid.
fn escape_len(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = bytes.get(at + 2..at + 6).unwrap_or(&[]);
    match bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' if digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit) => Some(6),
        _ => None,
    }
}

/// Line and column, from 1, of the byte at index `at`. The column counts characters.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// The token at index `at`, in words for an error message.
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

    const PLAN: Subject = Subject {
        form: "a plan, which is {\"version\": 1, \"steps\": [..]}",
        name: "nothing after the plan",
        depth_max: 200,
        steps_max: 3,
    };

    fn read_plan(text: &str) -> Result<Json, JsonFault> {
        read(text, PLAN, &Budget::new(1 << 20)).map(|read| read.json)
    }

    /// The message for a refused text.
    fn told(text: &str) -> String {
        match read_plan(text).unwrap_err() {
            JsonFault::Form { reason } => reason,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(told(text), expected, "{text}");
    }

    #[test]
    fn the_place_and_what_was_expected_are_told() {
        let plan = "a plan, which is {\"version\": 1, \"steps\": [..]}";
        check("", &format!("line 1, column 1: expected {plan}, found the end"));
        check("nodes", &format!("line 1, column 1: expected {plan}, found \"nodes\""));
        check(
            "{\"version\" 1}",
            "line 1, column 12: expected a colon after the name of the field, found \"1\"",
        );
        check("{\"version\": 1,}", "line 1, column 15: expected the name of a field in quotes, found \"}\"");
        check(
            "{version: 1}",
            "line 1, column 2: expected the name of a field in quotes, or } at the end of the object, found \"version\"",
        );
        check("{}\n}", "line 2, column 1: expected nothing after the plan, found \"}\"");
        check("[1, é]", "line 1, column 5: expected a value, found \"é\"");
        check("[1 2]", "line 1, column 4: expected a comma, or ] at the end of the list, found \"2\"");
    }

    #[test]
    fn the_step_is_told() {
        let steps = |second: &str| {
            format!("{{\"version\": 1, \"steps\": [\n  {{\"step\": \"nodes\"}},\n  {second}]}}")
        };
        let expected =
            "line 3, column 20 (step 2): expected a comma, or } at the end of the object, found \"\\\"\"";
        check(&steps("{\"step\": \"limit\" \"count\": 1}"), expected);
        check(&steps(""), "line 3, column 3 (step 2): expected a value, found \"]\"");
        let after = "{\"steps\": [{}], \"version\": }";
        check(after, "line 1, column 28: expected a value, found \"}\"");
        let nested = "{\"steps\": [{}, {\"body\": [{}, {]}]}]}";
        check(
            nested,
            "line 1, column 31 (step 2): expected the name of a field in quotes, or } at the end of the object, found \"]\"",
        );
    }

    #[test]
    fn texts_and_numbers_are_looked_into() {
        let end = "the \" that ends the text";
        check("[\"abc", &format!("line 1, column 6: expected {end}, found the end"));
        check(
            "[\"a\nb\"]",
            &format!(
                "line 1, column 4: expected {end} (a line break in a text is \\n, a tab \\t), found the end of the line"
            ),
        );
        assert!(told("[\"\\w+\"]").starts_with("line 1, column 3: expected after \\ one of"));
        for number in ["01", "1.", "-", "1e", "1e+"] {
            assert!(told(&format!("[{number}]")).contains("expected a number such as 12"), "{number}");
        }
    }

    #[test]
    fn what_is_more_than_json_can_say_has_a_place_too() {
        assert_eq!(
            told("[1e999]"),
            "line 1, column 2: this number or character is outside the range of JSON"
        );
        assert!(told("[\"\\ud800\"]").contains("outside the range of JSON"));
    }

    #[test]
    fn a_field_that_stands_twice_is_refused_at_every_level() {
        let twice = "the field \"a\" occurs twice in one object";
        check("{\"a\": 1, \"a\": 1}", &format!("line 1, column 10: {twice}"));
        check("[[{\"b\": {\"a\": 1, \"\\u0061\": {}}}]]", &format!("line 1, column 18: {twice}"));
        check(
            "{\"version\": 1, \"steps\": [{\"step\": \"nodes\"}, {\"step\": \"limit\", \"a\": 1, \"a\": 2}]}",
            &format!("line 1, column 71 (step 2): {twice}"),
        );
    }

    #[test]
    fn depth_steps_and_bytes_have_limits() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read_plan(&nested(200)).is_ok());
        assert_eq!(read_plan(&nested(201)), Err(JsonFault::TooDeep));
        assert_eq!(read_plan(&"[".repeat(1_000_000)), Err(JsonFault::TooDeep));
        let steps = |count: usize| format!("[{}]", vec!["{\"step\": 1}"; count].join(","));
        assert!(read_plan(&steps(3)).is_ok());
        assert_eq!(read_plan(&steps(4)), Err(JsonFault::TooManySteps));
        let long = format!("[{}]", vec!["[]"; 100_000].join(","));
        assert!(matches!(read_plan(&long), Err(JsonFault::OverBudget(_))));
    }

    #[test]
    fn bytes_are_counted_and_go_back() {
        let budget = Budget::new(1 << 20);
        let texts = ["[]", "[1, 2, 3]", "{\"a\": {\"b\": [\"text\", \"another text\"]}}", "\"\""];
        for text in texts.map(str::to_owned).into_iter().chain([format!("[{}1]", "[[1]],".repeat(3000))]) {
            let read = read(&text, PLAN, &budget).unwrap();
            let (counted, bytes) = (read.meter.used(), super::super::bytes_of(&read.json));
            assert!(counted >= bytes && counted <= bytes + 64, "{text:.40}: {counted} for {bytes}");
            assert!(budget.held() >= counted);
        }
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn what_the_parser_of_serde_takes_is_read_alike() {
        for text in ["{}", " [ ] ", "[1, -0.5e+3, \"\\u00e9\\n\", true, false, null]", "{\"a\": {\"b\": []}}"]
        {
            assert_eq!(read_plan(text).unwrap(), serde_json::from_str::<Json>(text).unwrap(), "{text}");
        }
    }
}
