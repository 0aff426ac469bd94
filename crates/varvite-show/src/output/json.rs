//! Writes JSON strings, with the same escapes as `serde_json`.

use super::plain_run::plain_run;

/// Appends a text in quotes.
pub(super) fn push_text(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        let (plain, tail) = rest.split_at(plain_run(rest, is_escaped));
        out.extend_from_slice(plain);
        let Some((byte, after)) = tail.split_first() else { break };
        push_escape(out, *byte);
        rest = after;
    }
    out.push(b'"');
}

fn is_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            let digit = |digit: u8| b"0123456789abcdef"[usize::from(digit)];
            return out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_what_serde_json_writes() {
        let controls: String = (0..=0x80).filter_map(char::from_u32).collect();
        let long = "plain text, longer than what is looked at together".repeat(3);
        let texts = ["", "plain", "say \"no\"", "C:\\", "größe\n", "\u{2028}😀", &controls, &long];
        for text in texts {
            let mut out = Vec::new();
            push_text(&mut out, text);
            assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(text).unwrap());
        }
    }
}
