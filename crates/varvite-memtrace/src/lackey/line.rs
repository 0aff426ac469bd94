//! Parses one line of lackey's output.

/// The parsed content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Access {
        access: Access,
        address: u64,
        size: u16,
    },
    /// A message of valgrind. `is_end` is true for the message about the end of the program.
    Words {
        is_end: bool,
    },
    /// The number of instructions that lackey has counted, at the end.
    Counted(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Instruction,
    Load,
    Store,
    Modify,
}

/// Parses a line without its line break. `None` if it is not a line that lackey writes.
pub(super) fn parse(line: &[u8]) -> Option<Line> {
    let (head, rest) = line.split_at_checked(3)?;
    let access = match head {
        b"I  " => Access::Instruction,
        b" L " => Access::Load,
        b" S " => Access::Store,
        b" M " => Access::Modify,
        _ => return words(line),
    };
    let (address, rest) = hexadecimal(rest)?;
    let size = decimal(rest.strip_prefix(b",")?)?;
    Some(Line::Access { access, address, size })
}

/// Parses up to 16 hexadecimal digits. Returns the number, and the bytes after the digits.
fn hexadecimal(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    let mut digits = 0;
    for byte in bytes {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => break,
        };
        value = value << 4 | u64::from(digit);
        digits += 1;
    }
    (1..=16).contains(&digits).then(|| (value, &bytes[digits..]))
}

/// Parses up to 5 decimal digits. `None` if there are any other bytes.
fn decimal(bytes: &[u8]) -> Option<u16> {
    if bytes.is_empty() || bytes.len() > 5 || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = bytes.iter().fold(0u32, |value, byte| value * 10 + u32::from(byte - b'0'));
    u16::try_from(value).ok()
}

/// The words before the number of instructions in lackey's summary.
const COUNTED: &[u8] = b"   guest instrs:";

/// Parses a message of valgrind: `==123== words` or `--123-- words`.
fn words(line: &[u8]) -> Option<Line> {
    let mark = line.get(..2).filter(|mark| matches!(*mark, b"==" | b"--" | b"**"))?;
    let digits = line[2..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let words = line[2 + digits..].strip_prefix(mark)?;
    // The code in this line is always 0, even if the program's exit status is not.
    let is_end = words.starts_with(b" Exit code:");
    let line = words.strip_prefix(COUNTED).and_then(thousands).map_or(Line::Words { is_end }, Line::Counted);
    (digits > 0).then_some(line)
}

/// Parses a decimal number with commas, after spaces.
fn thousands(text: &[u8]) -> Option<u64> {
    let digits: Vec<u8> = text.trim_ascii().iter().copied().filter(|byte| *byte != b',').collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<Line>) {
        assert_eq!(parse(line.as_bytes()), expected, "{line:?}");
    }

    fn access(access: Access, address: u64, size: u16) -> Option<Line> {
        Some(Line::Access { access, address, size })
    }

    #[test]
    fn each_kind_of_line_is_known() {
        check("I  0401ab70,3", access(Access::Instruction, 0x0401_ab70, 3));
        check(" L 1fff000758,8", access(Access::Load, 0x1f_ff00_0758, 8));
        check(" S ffffffffffffffff,32", access(Access::Store, u64::MAX, 32));
        check(" M 0421c7cc,4", access(Access::Modify, 0x0421_c7cc, 4));
        check("==123== Command: ls", Some(Line::Words { is_end: false }));
        check("==123== Exit code:       0", Some(Line::Words { is_end: true }));
        check("==123==   guest instrs:  2,805,936", Some(Line::Counted(2_805_936)));
        check("==123==   guest instrs:  many", Some(Line::Words { is_end: false }));
        check("--123-- WARNING: unhandled syscall", Some(Line::Words { is_end: false }));
    }

    #[test]
    fn other_lines_are_not() {
        for line in [
            "",
            "I ",
            "I  ,3",
            "I  0401ab70",
            "I  0401ab70,",
            "I  0401ab70,x",
            "I  0401ab70,65536",
            "I  0401ab70,3 ",
        ] {
            check(line, None);
        }
        check(" L 12345678901234567,8", None);
        check("hello", None);
        check("==== no process", None);
    }
}
