//! Parses Linux's `/proc/PID/maps`, which lists the parts of files that are mapped in a process.
//!
//! ```text
//! 04001000-04027000 r-xp 00001000 fe:00 325835    /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
//! ```
//!
//! If the memory does not belong to a file, the line has no path, or a name in brackets. The kernel writes a
//! line break in a path as `\012`, and appends ` (deleted)` if the file was removed.

use varvite_trace::Module;

/// The mapped parts of files, in the order of their addresses. Lines that can't be parsed are left out.
pub fn parse(text: &[u8]) -> Vec<Module> {
    text.split(|byte| *byte == b'\n').filter_map(parse_line).collect()
}

fn parse_line(line: &[u8]) -> Option<Module> {
    let (addresses, rest) = word(line)?;
    let (access, rest) = word(rest)?;
    let (offset, rest) = word(rest)?;
    let (_device, rest) = word(rest)?;
    let (_inode, rest) = word(rest)?;
    let path = rest.trim_ascii_start();
    if !path.starts_with(b"/") {
        return None;
    }
    let (from, to) = std::str::from_utf8(addresses).ok()?.split_once('-')?;
    let address = number(from)?;
    Some(Module {
        address,
        len: number(to)?.checked_sub(address)?,
        file_offset: number(std::str::from_utf8(offset).ok()?)?,
        is_code: access.get(2) == Some(&b'x'),
        path: path.to_vec(),
        build_id: Vec::new(),
    })
}

/// The first word, and the rest of the line.
fn word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_start();
    let len = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
    (len > 0).then(|| line.split_at(len))
}

fn number(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_files_are_found_and_other_memory_is_not() {
        let text = b"00108000-00109000 r--p 00000000 fe:00 10018869                           /tmp/a b\n\
            00109000-0010a000 r-xp 00001000 fe:00 10018869                           /tmp/\xff\n\
            04035000-04056000 rwxp 00000000 00:00 0 \n\
            7ffd994f3000-7ffd99514000 rw-p 00000000 00:00 0                          [stack]\n";
        let modules = parse(text);
        let found: Vec<_> =
            modules.iter().map(|module| (module.address, module.len, module.file_offset)).collect();
        assert_eq!(found, [(0x10_8000, 0x1000, 0), (0x10_9000, 0x1000, 0x1000)]);
        assert_eq!(modules.iter().map(|module| module.is_code).collect::<Vec<_>>(), [false, true]);
        assert_eq!((&modules[0].path[..], &modules[1].path[..]), (&b"/tmp/a b"[..], &b"/tmp/\xff"[..]));
    }

    #[test]
    fn lines_that_make_no_sense_are_left_out() {
        for line in
            ["", "x", "1-2", "2-1 r-xp 0 0 0 /a", "1-2 r-xp x 0 0 /a", "1-2 r 0 0", "-- r-xp 0 0 0 /a"]
        {
            assert_eq!(parse(line.as_bytes()), [], "{line:?}");
        }
        assert_eq!(parse(b"1-2 r 0 0 0 /a").len(), 1, "odd, and whole");
    }
}
