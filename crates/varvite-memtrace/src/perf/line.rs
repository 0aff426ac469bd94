//! [`Line`]: parses one line of perf script.

use varvite_trace::Module;

use crate::reference::kind;

/// The most bytes of a module's path and build id, as traces have them.
const PATH_MAX: usize = 4096;
const BUILD_ID_MAX: usize = 64;
/// The last place of a line at which its thread may begin: after a name of 16 bytes, a space, and six spaces
/// for a number of up to seven digits.
const START_MAX: usize = 23;
/// The prefix of records that are not samples.
const RECORD: &[u8] = b"PERF_RECORD_";

/// The parsed content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Sample(Sample),
    /// A call of the stack of the sample before.
    Call(u64),
    /// A part of a file that a process has mapped.
    Mapped {
        process: u64,
        module: Module,
    },
    /// A line that says nothing about accesses.
    Other,
}

/// A sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sample {
    /// The process; `None` if the line has only the thread.
    pub(super) process: Option<u64>,
    pub(super) thread: u64,
    pub(super) time_us: u64,
    /// The number of events that the sample stands for; 0 if it is not known.
    pub(super) period: u64,
    /// The type of the access, see [`kind`].
    pub(super) kind: u16,
    /// The address of the data; `None` if the sample has none.
    pub(super) address: Option<u64>,
    /// The address of the instruction; `None` if the line lacks it. The stack may follow.
    pub(super) instruction: Option<u64>,
}

/// Whether a text begins like the output of perf script with samples of memory accesses. `first` may be cut
/// off anywhere.
pub fn is_perf_script(first: &[u8]) -> bool {
    let whole = first.iter().rposition(|byte| *byte == b'\n').map_or(first, |end| &first[..end]);
    let mut lines = whole.split(|byte| *byte == b'\n').map(parse);
    let first = lines.find(|line| *line != Some(Line::Other));
    matches!(first.flatten(), Some(Line::Sample(_) | Line::Mapped { .. }))
}

/// Parses a line without its line break. `None` if perf script does not print such lines.
pub(super) fn parse(line: &[u8]) -> Option<Line> {
    let line = line.trim_ascii_end();
    if line.is_empty() {
        return Some(Line::Other);
    }
    let starts = Start::all(line);
    // The name of a thread comes first, and may look like the beginning of a line.
    if let Some(line) = starts.iter().rev().find_map(Start::line) {
        return Some(line);
    }
    match words(line).next() {
        _ if line.starts_with(b"#") => Some(Line::Other),
        Some(word) if word.starts_with(RECORD) => Some(mapped(rest_from(line, word)).unwrap_or(Line::Other)),
        Some(word) if line[0].is_ascii_whitespace() => hexadecimal(word).map(Line::Call),
        _ => None,
    }
}

/// The words of a text, without the blanks between them.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// The text from one of its words on.
fn rest_from<'t>(text: &'t [u8], word: &[u8]) -> &'t [u8] {
    &text[word.as_ptr().addr() - text.as_ptr().addr()..]
}

/// The fields that all lines begin with: the thread and the time, perhaps with a processor between them.
struct Start<'l> {
    process: Option<u64>,
    thread: u64,
    time_us: u64,
    rest: &'l [u8],
}

impl<'l> Start<'l> {
    /// All places at which a line may have these fields, from front to back. Perf prints the name of the
    /// thread before them, which has up to 15 bytes, and spaces; so they do not begin far behind.
    fn all(line: &'l [u8]) -> Vec<Self> {
        let (mut starts, mut before) = (Vec::new(), None);
        for word in words(line) {
            let at = word.as_ptr().addr() - line.as_ptr().addr();
            if let (Some(time_us), Some((process, thread))) = (time_us(word), before.and_then(thread)) {
                starts.push(Self { process, thread, time_us, rest: &line[at + word.len()..] });
            }
            // A processor is a word such as `[001]`.
            if !word.starts_with(b"[") {
                before = Some(word);
                if at > START_MAX {
                    break;
                }
            }
        }
        starts
    }

    /// The line, if what follows these fields is as perf prints it.
    fn line(&self) -> Option<Line> {
        let next = words(self.rest).next()?;
        if next.starts_with(RECORD) {
            return Some(mapped(rest_from(self.rest, next)).unwrap_or(Line::Other));
        }
        self.sample().map(Line::Sample)
    }
}

/// Parses `PERF_RECORD_MMAP2 77/77: [0x1000(0x2000) @ 0x3000 fe:00 24 0]: r-xp /usr/bin/ls`. With build ids,
/// `<12ab..>` is in place of the device and file. `None` for other records, and if no file is mapped.
fn mapped(record: &[u8]) -> Option<Line> {
    let record = record.strip_prefix(RECORD)?;
    let rest = record.strip_prefix(b"MMAP2 ").or_else(|| record.strip_prefix(b"MMAP "))?;
    let (process, rest) = number(rest)?;
    let (_, rest) = split_at(rest, b": [0x")?;
    let (address, rest) = split_at(rest, b"(0x")?;
    let (len, rest) = split_at(rest, b") @ ")?;
    let (place, rest) = split_at(rest, b"]: ")?;
    let (rights, path) = split_at(rest, b" ")?;
    let mut place = words(place);
    let file_offset = place.next().and_then(|word| hexadecimal(word.strip_prefix(b"0x").unwrap_or(word)))?;
    let build_id = place.next().and_then(build_id).unwrap_or_default();
    let is_file = path.starts_with(b"/") && !path.starts_with(b"//") && path.len() <= PATH_MAX;
    let module = Module {
        path: path.to_vec(),
        build_id,
        address: hexadecimal(address)?,
        len: hexadecimal(len)?,
        file_offset,
        is_code: rights.contains(&b'x'),
    };
    is_file.then_some(Line::Mapped { process, module })
}

fn build_id(word: &[u8]) -> Option<Vec<u8>> {
    let digits = word.strip_prefix(b"<")?.strip_suffix(b">")?;
    let pairs = digits.as_chunks::<2>().0.iter();
    let bytes: Option<Vec<u8>> = pairs.map(|pair| hexadecimal(pair).map(|byte| byte as u8)).collect();
    bytes.filter(|bytes| bytes.len() <= BUILD_ID_MAX)
}

impl Start<'_> {
    /// Parses `1 cpu/mem-loads/P: 7f707ee4d110 5080022 |OP LOAD|.. 5563c5b34b6a f (/a)`.
    fn sample(&self) -> Option<Sample> {
        let mut words = words(self.rest);
        let mut next = words.next()?;
        let period = number(next).filter(|(_, rest)| rest.is_empty()).map(|(period, _)| period);
        if period.is_some() {
            next = words.next()?;
        }
        let event = next.strip_suffix(b":").filter(|event| !event.is_empty())?;
        let access = Access::of(&rest_from(self.rest, next)[next.len()..]);
        let Self { process, thread, time_us, .. } = *self;
        Some(Sample {
            process,
            thread,
            time_us,
            period: period.unwrap_or(0),
            kind: access.kind.unwrap_or_else(|| kind_of(event)),
            address: access.address.filter(|address| *address != 0),
            instruction: access.instruction,
        })
    }
}

/// The fields after the event.
#[derive(Clone, Copy, Debug, Default)]
struct Access {
    kind: Option<u16>,
    address: Option<u64>,
    instruction: Option<u64>,
}

impl Access {
    fn of(rest: &[u8]) -> Self {
        let bars =
            rest.iter().position(|byte| *byte == b'|').zip(rest.iter().rposition(|byte| *byte == b'|'));
        let Some((first, last)) = bars else {
            let mut words = words(rest);
            let address = words.next().and_then(hexadecimal);
            return Self { kind: None, address, instruction: instruction(rest) };
        };
        // The number of the origin is before its words; the address before that.
        let mut numbers = words(&rest[..first]).filter_map(hexadecimal);
        let (address, origin) = (numbers.next(), numbers.last());
        let (behind, origin_words) = (&rest[last + 1..], &rest[first..last]);
        Self {
            kind: operation(origin_words),
            address: origin.and(address),
            instruction: words(behind).find(|word| is_address(word)).and_then(hexadecimal),
        }
    }
}

/// The type of the access, from the origin of data such as `|OP LOAD|LVL L3 hit`.
fn operation(origin: &[u8]) -> Option<u16> {
    let operation = origin.split(|byte| *byte == b'|').find_map(|part| part.strip_prefix(b"OP "))?;
    let has = |name: &[u8]| words(operation).any(|word| word == name);
    match (has(b"LOAD"), has(b"STORE")) {
        (true, false) => Some(kind::READ),
        (false, true) => Some(kind::WRITE),
        _ => Some(kind::ADDRESS),
    }
}

/// The type of the access, from the name of the event.
fn kind_of(event: &[u8]) -> u16 {
    let name = event.to_ascii_lowercase();
    let has = |part: &[u8]| name.windows(part.len()).any(|found| found == part);
    match (has(b"load"), has(b"store")) {
        (true, false) => kind::READ,
        (false, true) => kind::WRITE,
        _ => kind::ADDRESS,
    }
}

/// The instruction's address, in fields without the origin of data: the last address after another number, or
/// after the file of the data's symbol.
fn instruction(rest: &[u8]) -> Option<u64> {
    let follows = |word: &[u8]| word.ends_with(b")") || word.iter().all(u8::is_ascii_hexdigit);
    let pairs = words(rest).zip(words(rest).skip(1));
    let found = pairs.filter(|(before, word)| is_address(word) && follows(before)).last();
    found.and_then(|(_, word)| hexadecimal(word))
}

/// Whether a word is the address of an instruction: at least five hexadecimal digits. Weights before it have
/// fewer.
fn is_address(word: &[u8]) -> bool {
    word.len() >= 5 && hexadecimal(word).is_some()
}

/// A time, such as `5021.108764:`, in microseconds. Perf prints nine digits with `--ns`.
fn time_us(word: &[u8]) -> Option<u64> {
    let (seconds, rest) = number(word.strip_suffix(b":")?)?;
    let digits = rest.strip_prefix(b".").filter(|digits| (6..=9).contains(&digits.len()))?;
    let (_, []) = number(digits)? else { return None };
    let (us, _) = number(&digits[..6])?;
    seconds.checked_mul(1_000_000)?.checked_add(us)
}

/// A thread, such as `1240`, or a process and a thread, such as `1234/1240`. The idle process is `-1`.
fn thread(word: &[u8]) -> Option<(Option<u64>, u64)> {
    let (first, rest) = number(word.strip_prefix(b"-").unwrap_or(word))?;
    match rest {
        [] => Some((None, first)),
        [b'/', rest @ ..] => {
            let (thread, []) = number(rest.strip_prefix(b"-").unwrap_or(rest))? else { return None };
            Some((Some(first), thread))
        }
        _ => None,
    }
}

/// The decimal number at the front, and the text after it.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((number, &text[digits..]))
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u64::from_str_radix(text, 16).ok()
}

/// The text before and after a mark.
fn split_at<'t>(text: &'t [u8], mark: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = text.windows(mark.len()).position(|found| found == mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, kind: u16, address: Option<u64>, instruction: Option<u64>) {
        let Some(Line::Sample(sample)) = parse(line.as_bytes()) else { panic!("{line:?} is no sample") };
        assert_eq!((sample.kind, sample.address, sample.instruction), (kind, address, instruction), "{line}");
    }

    /// The forms of lines in perf's documentation, in its source, and in reports to its developers.
    #[test]
    fn a_sample_has_the_address_of_data_and_of_the_instruction() {
        let (data, code) = (Some(0x7ffd_f139_1b0c), Some(0x7fad_7c47_425d));
        check(
            "chromium-browse   46572 [002] 544966.882384:      10000 \tcpu_core/MEM_UOPS_RETIRED.LOAD_LATENCY/: \
             7ffdf1391b0c     10268100142  |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK    N/A    5   \
             7    0   7fad7c47425d [unknown] (/usr/lib64/libglib-2.0.so.0.8000.3)",
            kind::READ,
            data,
            code,
        );
        check(
            "app 77/78 12.000001: 1 cpu/mem-stores/P:  7ffdf1391b0c  5080144 |OP STORE SIMD|LVL L1 hit  7fad7c47425d",
            kind::WRITE,
            data,
            code,
        );
        check("77/78 12.000001: cpu/mem-stores/P: 7ffdf1391b0c 7fad7c47425d", kind::WRITE, data, code);
        check("77/78 12.000001: cpu/mem-loads,ldlat=30/P: 7ffdf1391b0c 7fad7c47425d", kind::READ, data, code);
        check(
            "77/78 12.000001: page-faults: 7ffdf1391b0c __progname (/usr/bin/ls)  7fad7c47425d elf_load+0x2 ([k])",
            kind::ADDRESS,
            data,
            code,
        );
        check("77/78 12.000001: mem-loads: 7ffdf1391b0c", kind::READ, data, None);
        check("77/78 12.000001: mem-loads: 0 401000", kind::READ, None, Some(0x40_1000));
        // Without `addr`, the only number before the origin is the origin's own.
        check(
            "ls 14753 [011]  3678.072400:  1 l1d-miss:  88000182 |OP LOAD|LVL L1 miss|BLK  N/A ffffa7c22b4b2a00 \
               [unknown] ([kernel.kallsyms])",
            kind::READ,
            None,
            Some(0xffff_a7c2_2b4b_2a00),
        );
    }

    #[test]
    fn a_sample_has_a_thread_a_time_and_a_period() {
        let Some(Line::Sample(sample)) = parse(b"a b 77/78 [003] 12.000345678: 25 x: 1000 401000") else {
            panic!()
        };
        assert_eq!(
            (sample.process, sample.thread, sample.time_us, sample.period),
            (Some(77), 78, 12_000_345, 25)
        );
        let Some(Line::Sample(sample)) = parse(b"name 78 12.000345: x: 1000 401000") else { panic!() };
        assert_eq!((sample.process, sample.thread, sample.period), (None, 78, 0));
    }

    #[test]
    fn a_mapped_file_has_its_place_and_perhaps_a_build_id() {
        let mapped = |line: &str| match parse(line.as_bytes()) {
            Some(Line::Mapped { process, module }) => (process, module),
            other => panic!("{line}: {other:?}"),
        };
        let (process, module) =
            mapped("77/77 12.000001: PERF_RECORD_MMAP2 77/77: [0x1000(0x2000) @ 0 fe:00 24 0]: r-xp /a b/c");
        let expected = Module {
            path: b"/a b/c".to_vec(),
            build_id: Vec::new(),
            address: 0x1000,
            len: 0x2000,
            file_offset: 0,
            is_code: true,
        };
        assert_eq!((process, &module), (77, &expected));
        let (_, module) = mapped("PERF_RECORD_MMAP2 77/77: [0x1000(0x2000) @ 0x3000 <12ab>]: r--p /a");
        assert_eq!((module.build_id, module.file_offset, module.is_code), (vec![0x12, 0xab], 0x3000, false));
        for other in [
            "0/0 0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1) @ 0xffffffff81000000]: x [kernel]_text",
            "77/77 12.000001: PERF_RECORD_MMAP2 77/77: [0x1000(0x2000) @ 0x1000 00:00 0 0]: rw-p //anon",
            "77/77 12.000001: PERF_RECORD_COMM exec: ls:77/77",
            "# captured on: today",
            "",
        ] {
            assert_eq!(parse(other.as_bytes()), Some(Line::Other), "{other}");
        }
    }

    /// A thread may have any name of up to 15 bytes, and symbols and files any name.
    #[test]
    fn names_of_threads_and_symbols_forge_nothing() {
        for name in
            ["PERF_RECORD_X", "1/1 1.000001:", "1 1.000001: x:", "PERF_RECORD_MMA", "#", "[0] 1/1", "1/1 [0]"]
        {
            for aligned in [format!("{name:>16}"), name.to_owned()] {
                let line = format!("{aligned} 77/78 [003] 12.000345: 25 mem-loads: 1000 1.000001: 401000");
                let Some(Line::Sample(sample)) = parse(line.as_bytes()) else {
                    panic!("{line:?} is no sample")
                };
                assert_eq!(
                    (sample.process, sample.thread, sample.time_us, sample.period, sample.address),
                    (Some(77), 78, 12_000_345, 25, Some(0x1000)),
                    "{line}"
                );
            }
        }
        for symbol in ["PERF_RECORD_MMAP2 1/1: [0x1(0x2) @ 0 1]: r-xp /a", "1/1 1.000001: x: 9"] {
            let line = format!("ls 77/78 12.000345: mem-loads: 1000 {symbol} (/a) 401000 {symbol} (/a)");
            let Some(Line::Sample(sample)) = parse(line.as_bytes()) else { panic!("{line:?} is no sample") };
            assert_eq!(
                (sample.thread, sample.time_us, sample.address),
                (78, 12_000_345, Some(0x1000)),
                "{line}"
            );
            let mapped =
                format!("77/77 12.000001: PERF_RECORD_MMAP2 77/77: [0x1(0x2) @ 0 1]: r-xp /{symbol}");
            assert!(matches!(parse(mapped.as_bytes()), Some(Line::Mapped { process: 77, .. })), "{mapped}");
        }
    }

    #[test]
    fn other_lines_are_no_samples() {
        assert_eq!(parse(b"\t  401000 main+0x1 (/a)"), Some(Line::Call(0x40_1000)));
        for line in [
            "I  0401ab70,3",
            "main;f 12",
            "hello",
            "77/78 12.000001:",
            "77 12.000001: event",
            "12.000001: x: 1",
        ] {
            assert_eq!(parse(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_text_is_recognized_by_its_first_lines() {
        assert!(is_perf_script(b"# header\n\n77/78 12.000001: mem-loads: 1000 401000\n77/78 12.0000"));
        assert!(is_perf_script(b"1/1 1.000001: PERF_RECORD_MMAP2 7/7: [0x1000(0x2000) @ 0 <12>]: r-xp /a\n"));
        assert!(
            !is_perf_script(b"\n# only comments\n") && !is_perf_script(b"hello\n77/78 12.000001: x: 1 2\n")
        );
    }
}
