//! [`Call`]: parses a call in a sample's stack, and the source line that may follow the call.

use super::head::{is_address, words};

/// A call in a sample's stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Call<'l> {
    pub(super) address: u64,
    /// The function; empty if it is not known.
    pub(super) function: &'l [u8],
    /// The file of the machine code (a program or a library); empty if the line lacks it, as is the case for
    /// inlined functions.
    pub(super) module: &'l [u8],
    pub(super) is_inlined: bool,
}

impl<'l> Call<'l> {
    /// Parses a line, which may be indented, as a call. `None` if the line is not a call.
    pub(super) fn of(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let end = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
        let address = hexadecimal(&line[..end])?;
        let rest = line[end..].trim_ascii_start();
        let (name, module) = match rest.strip_suffix(b")") {
            Some(inner) => match start_of_module(inner) {
                Some(start) => (rest[..start].trim_ascii_end(), &inner[start + 1..]),
                None => (rest, &b""[..]),
            },
            None => (rest, &b""[..]),
        };
        let is_inlined = module == b"inlined";
        let module = if is_inlined { b"" } else { without_offset(module) };
        let name = without_offset(name);
        let function = if name == b"[unknown]" { b"" } else { name };
        Some(Self { address, function, module, is_inlined })
    }

    /// Parses the end of a head (the first line of a sample). Other fields may precede the call there: an
    /// address of data, its origin, and weights.
    pub(super) fn in_rest(rest: &'l [u8]) -> Beside<'l> {
        // Leaves out the target of a branch.
        let rest = memchr::memmem::find(rest, b" => ").map_or(rest, |arrow| &rest[..arrow]);
        let source = rest.iter().rposition(|byte| *byte == b'|').map_or(0, |bar| bar + 1);
        let (rest, has_source) = (&rest[source..], source > 0);
        let (mut is_first, mut words) = (!has_source, words(rest).peekable());
        while let Some((start, word)) = words.next() {
            let next = words.peek().map(|(_, next)| *next);
            let is_call = is_address(word) || is_first && hexadecimal(word).is_some();
            if is_call && !next.is_some_and(is_address) {
                return Self::of(&rest[start..]).map_or(Beside::Unknown, Beside::Call);
            }
            is_first &= is_call;
        }
        if has_source || rest.is_empty() { Beside::Nothing } else { Beside::Unknown }
    }
}

/// The content of the text after the event in the head of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside<'l> {
    Nothing,
    Call(Call<'l>),
    /// The text is not a call.
    Unknown,
}

/// The offset of the bracket that opens a module. Since the function's name and the path may both contain
/// brackets, the bracket is found as follows: it comes after an offset such as `+0x1f`, or is followed by `/`
/// or `[`; otherwise it is the partner of the last closing bracket.
fn start_of_module(inner: &[u8]) -> Option<usize> {
    if inner == b"inlined" || inner.ends_with(b" (inlined") {
        return inner.iter().rposition(|byte| *byte == b'(');
    }
    let behind_offset = memchr::memmem::find_iter(inner, b"+0x").find_map(|plus| {
        let digits = inner[plus + 3..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let space = plus + 3 + digits;
        (digits > 0 && inner[space..].starts_with(b" (")).then_some(space + 1)
    });
    let of_path = || [&b" (/"[..], b" (["].into_iter().filter_map(|it| memchr::memmem::find(inner, it)).min();
    let balanced = || {
        let mut open = 1;
        inner.iter().rposition(|byte| {
            open += i32::from(*byte == b')') - i32::from(*byte == b'(');
            open == 0
        })
    };
    let is_at_word = |open: &usize| *open == 0 || inner[open - 1] == b' ';
    let first = || inner.starts_with(b"(").then_some(0);
    behind_offset
        .or_else(|| of_path().map(|space| space + 1))
        .or_else(balanced)
        .filter(is_at_word)
        .or_else(first)
}

/// Removes an offset such as `+0x1f` from the end of a name or a path.
fn without_offset(name: &[u8]) -> &[u8] {
    let Some(plus) = memchr::memmem::rfind(name, b"+0x") else { return name };
    let is_offset = hexadecimal(&name[plus + 3..]).is_some();
    if is_offset { &name[..plus] } else { name }
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|text| is_number && !text.is_empty())?;
    u64::from_str_radix(text, 16).ok()
}

/// Parses the source line that follows a call. Returns the file, the line number, and whether the call was
/// inlined. The file is empty if it is not known.
pub(super) fn source_line(line: &[u8]) -> Option<(&[u8], u32, bool)> {
    let line = line.trim_ascii();
    let (line, is_inlined) = match line.strip_suffix(b" (inlined)") {
        Some(line) => (line, true),
        None => (line, false),
    };
    // The compiler's discriminator may follow, as in `zutil.c:302 (discriminator 2)`.
    let end = memchr::memmem::find(line, b" (discriminator").unwrap_or(line.len());
    let line = &line[..end];
    if line.is_empty() {
        return None;
    }
    let known = line.iter().rposition(|byte| *byte == b':').and_then(|colon| {
        let number: u32 = std::str::from_utf8(&line[colon + 1..]).ok()?.parse().ok()?;
        Some((&line[..colon], number)).filter(|(file, number)| *number > 0 && !file.starts_with(b"??"))
    });
    // `libz.so[12ab]` and `??:0` mean that the source is not known. Any other text is not a source line.
    let is_unknown = line.starts_with(b"??") || line.ends_with(b"]");
    match known {
        Some((file, number)) => Some((file, number, is_inlined)),
        None => (is_unknown || is_inlined || line.ends_with(b":0")).then_some((b"", 0, is_inlined)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_an_address_a_function_and_a_module() {
        for (line, address, function, module) in [
            (
                "\t    55d0c0a3 deflate_fast+0x1f (/usr/lib/libz.so.1.2.13)",
                0x55d0_c0a3,
                "deflate_fast",
                "/usr/lib/libz.so.1.2.13",
            ),
            ("        ffffffff8104 [unknown] ([kernel.kallsyms])", 0xffff_ffff_8104, "", "[kernel.kallsyms]"),
            (
                "  7f operator new(unsigned long)+0x1c (/usr/lib/libstdc++.so.6)",
                0x7f,
                "operator new(unsigned long)",
                "/usr/lib/libstdc++.so.6",
            ),
            ("  7f f(int (*)(int)) (/tmp/a b (1)/x)", 0x7f, "f(int (*)(int))", "/tmp/a b (1)/x"),
            (
                "  7f f(int)+0x3 (C:/Program Files (x86)/x.exe)",
                0x7f,
                "f(int)",
                "C:/Program Files (x86)/x.exe",
            ),
            ("  7f f (C:/Program Files (x86)/x.exe)", 0x7f, "f", "C:/Program Files (x86)/x.exe"),
            ("  7f (anonymous namespace)::f(int) (/a)", 0x7f, "(anonymous namespace)::f(int)", "/a"),
            ("  7f f+0x2 (/memfd:x (deleted))", 0x7f, "f", "/memfd:x (deleted)"),
            ("  7f f+0x2 (/usr/lib/libz.so+0x12ab)", 0x7f, "f", "/usr/lib/libz.so"),
            ("  7f main+0x3", 0x7f, "main", ""),
            ("  7f", 0x7f, "", ""),
            ("  7f (/a)", 0x7f, "", "/a"),
            ("  7f a+0xzz (/a)", 0x7f, "a+0xzz", "/a"),
        ] {
            let call = Call::of(line.as_bytes()).expect(line);
            let expected = (address, function.as_bytes(), module.as_bytes(), false);
            assert_eq!((call.address, call.function, call.module, call.is_inlined), expected, "{line}");
        }
        let inlined = Call::of(b"   7f fill_window (inlined)").expect("it is a call");
        assert_eq!(
            (inlined.function, inlined.module, inlined.is_inlined),
            (&b"fill_window"[..], &b""[..], true)
        );
        for line in ["", "main (/a)", "11111111111111111 main (/a)", "zutil.c:302"] {
            assert_eq!(Call::of(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_call_stands_behind_addresses_of_data_and_where_it_came_from() {
        for (rest, function) in [
            ("401000 work+0x1 (/a)", Some("work")),
            ("7f00aa00  401000 work+0x1 (/a)", Some("work")),
            (
                "7f00aa00  5080021 |OP LOAD|LVL L1 hit|SNP None|BLK  N/A   7  401000 work+0x1 (/a)",
                Some("work"),
            ),
            ("jmp  401000 work+0x1 (/a) =>   402000 other+0x2 (/a)", Some("work")),
            ("7f00aa00  5080021 |OP LOAD|LVL L1 hit|SNP None", None),
            ("", None),
        ] {
            let found = Call::in_rest(rest.as_bytes());
            match function {
                Some(function) => {
                    assert!(
                        matches!(found, Beside::Call(call) if call.function == function.as_bytes()),
                        "{rest}"
                    );
                }
                None => assert_eq!(found, Beside::Nothing, "{rest}"),
            }
        }
        assert_eq!(Call::in_rest(b"0x401000/0x402000/P/-/-/0"), Beside::Unknown);
    }

    #[test]
    fn a_line_of_code_is_a_file_and_a_number() {
        for (line, expected) in [
            ("  zutil.c:302", Some(("zutil.c", 302, false))),
            ("  /a b/zutil.c:302 (discriminator 2)", Some(("/a b/zutil.c", 302, false))),
            ("  zutil.c:302 (inlined)", Some(("zutil.c", 302, true))),
            ("  ??:0", Some(("", 0, false))),
            ("  libz.so.1[12ab]", Some(("", 0, false))),
            ("  something else", None),
            ("  ", None),
        ] {
            let expected = expected.map(|(file, number, is_inlined)| (file.as_bytes(), number, is_inlined));
            assert_eq!(source_line(line.as_bytes()), expected, "{line}");
        }
    }
}
