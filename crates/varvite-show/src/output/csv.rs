//! Fields of CSV (RFC 4180). Null is an empty field and an empty text is `""`, so that readers can
//! distinguish the two.

use super::plain_run::plain_run;

/// Appends a text, in quotes if it is empty or contains a character that would end a field.
pub(super) fn push_text(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    let is_plain = !rest.is_empty() && plain_run(rest, ends_field) == rest.len();
    if is_plain {
        return out.extend_from_slice(rest);
    }
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        let (part, tail) = rest.split_at(plain_run(rest, |byte| byte == b'"'));
        out.extend_from_slice(part);
        let Some((_, after)) = tail.split_first() else { break };
        out.extend_from_slice(b"\"\"");
        rest = after;
    }
    out.push(b'"');
}

fn ends_field(byte: u8) -> bool {
    matches!(byte, b',' | b'"' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        push_text(&mut out, text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_reader_gets_every_text_back() {
        for text in ["", "plain", "a,b", "\"", "say \"no\"", "two\nlines", "\r", " blank ", "größe"] {
            for text in [text.to_owned(), format!("{text}, and more than what is looked at together {text}")]
            {
                let line = format!("{},x\n", written(&text));
                let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
                assert_eq!(reader.records().next().unwrap().unwrap(), vec![&*text, "x"]);
            }
        }
        assert_eq!(written("plain"), "plain");
        assert_eq!(written("say \"no\""), "\"say \"\"no\"\"\"");
    }
}
