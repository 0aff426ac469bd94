//! [`ForeignForm`]: profile formats that this crate does not read. A file's first bytes identify the format.
//! Each format comes with advice on how to convert a file to a format that this crate reads.

/// A profile format that is identified by a file's first bytes, but not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignForm {
    /// The name of the format in messages, such as `a profile of callgrind`.
    pub name: &'static str,
    /// The next step for the user: a converter, or another way to record.
    pub advice: &'static str,
}

const SPEEDSCOPE: &str = "open it in speedscope, and import the file of its Export";
const HEAPTRACK: &str = "its stacks cannot be converted; record the program with heaptrack instead";

/// Formats, by the first bytes of a file.
const STARTS: [(&[u8], ForeignForm); 20] = [
    (b"heap_v2/", JEMALLOC),
    (b"heap profile: ", GO_TEXT),
    (b"goroutine profile: ", GO_TEXT),
    (b"threadcreate profile: ", GO_TEXT),
    (b"--- contention", GO_TEXT),
    (b"--- mutex:", GO_TEXT),
    (b"--- symbol", GPERFTOOLS),
    (b"--- heap", GPERFTOOLS),
    (b"--- growth", GPERFTOOLS),
    (b"--- profile", GPERFTOOLS),
    // The file's head has five words: 0, 3, 0, the period in microseconds, and 0. These are the first three.
    (&[0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], GPERFTOOLS),
    (b"# callgrind format", CALLGRIND),
    (b"PERFILE2", PERF_DATA),
    (b"FLR\0", JFR),
    (b"JAVA PROFILE ", HPROF),
    (b"memray", MEMRAY),
    (b"gmon", GPROF),
    (b"Flat profile:", GPROF),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
];

const JEMALLOC: ForeignForm = ForeignForm {
    name: "a heap profile of jemalloc",
    advice: "convert it with `jeprof --collapsed PROGRAM FILE`",
};
const GO_TEXT: ForeignForm = ForeignForm {
    name: "a text profile of Go or gperftools",
    advice: "convert it with `pprof -proto PROGRAM FILE`, or fetch it from Go without `?debug=1`",
};
const GPERFTOOLS: ForeignForm =
    ForeignForm { name: "a profile of gperftools", advice: "convert it with `pprof -proto PROGRAM FILE`" };
const CALLGRIND: ForeignForm =
    ForeignForm { name: "a profile of callgrind or cachegrind", advice: SPEEDSCOPE };
const PERF_DATA: ForeignForm =
    ForeignForm { name: "a recording of perf", advice: "convert it with `perf script -i FILE`" };
const PERF_REPORT: ForeignForm = ForeignForm {
    name: "the output of `perf report`",
    advice: "use `perf script` instead, which prints the samples",
};
const JFR: ForeignForm = ForeignForm {
    name: "a recording of Java's Flight Recorder",
    advice: "convert it with async-profiler's `jfrconv --collapsed FILE stacks.collapsed`",
};
const HPROF: ForeignForm = ForeignForm {
    name: "a dump of Java's heap (hprof)",
    advice: "it has objects and no calls; record allocations with async-profiler's `asprof -e alloc -o collapsed`",
};
const MEMRAY: ForeignForm = ForeignForm {
    name: "a recording of memray",
    advice: "there is no known converter; record with `py-spy record --format raw` or heaptrack instead",
};
const GPROF: ForeignForm = ForeignForm {
    name: "a profile of gprof",
    advice: "it has no stacks; record with `perf record -g` instead",
};
const UTF_16: ForeignForm =
    ForeignForm { name: "text in UTF-16", advice: "convert it with `iconv -f UTF-16 -t UTF-8`" };
const MASSIF: ForeignForm = ForeignForm { name: "a profile of massif", advice: HEAPTRACK };
const DHAT: ForeignForm = ForeignForm { name: "a profile of DHAT", advice: HEAPTRACK };
const CPUPROFILE: ForeignForm = ForeignForm { name: "a .cpuprofile of V8", advice: SPEEDSCOPE };
const HEAPPROFILE: ForeignForm = ForeignForm { name: "a .heapprofile of V8", advice: SPEEDSCOPE };
const HEAPSNAPSHOT: ForeignForm = ForeignForm {
    name: "a .heapsnapshot of V8",
    advice: "it has objects and no calls; take a sampling profile (.heapprofile), and export it with speedscope",
};
const CHROME: ForeignForm = ForeignForm { name: "a trace of Chrome", advice: SPEEDSCOPE };
const BPFTRACE: ForeignForm = ForeignForm {
    name: "a map of stacks of bpftrace",
    advice: "convert it with FlameGraph's `stackcollapse-bpftrace.pl`",
};
const MACOS_SAMPLE: ForeignForm =
    ForeignForm { name: "the text of macOS's `sample`", advice: "convert it with `inferno-collapse-sample`" };

/// Number of bytes at the beginning of a document in which words are searched for.
const WORDS_WITHIN: usize = 16 << 10;

impl ForeignForm {
    /// The format of a file that begins with `head`; `None` if the format is not known.
    ///
    /// **Cost**: linear in the bytes; at most 16 KiB are read.
    pub fn of_bytes(head: &[u8]) -> Option<Self> {
        if let Some((_, form)) = STARTS.iter().find(|(start, _)| head.starts_with(start)) {
            return Some(*form);
        }
        let head = &head[..head.len().min(WORDS_WITHIN)];
        let has = |word: &str| memchr::memmem::find(head, word.as_bytes()).is_some();
        let begins = |word: &str| head.trim_ascii_start().starts_with(word.as_bytes());
        let has_line =
            |start: &str| head.split(|byte| *byte == b'\n').any(|it| it.starts_with(start.as_bytes()));
        match () {
            () if begins("{") || begins("[") => of_json(has),
            () if begins("desc: ") && has_line("time_unit:") => Some(MASSIF),
            () if has_line("events:") && (has_line("fn=") || has_line("fl=") || has_line("creator: ")) => {
                Some(CALLGRIND)
            }
            () if has_line("@") && has("[\n") && has("]: ") => Some(BPFTRACE),
            () if begins("# ") && has("# Overhead") => Some(PERF_REPORT),
            () if begins("Analysis of sampling") || begins("Sampling process") => Some(MACOS_SAMPLE),
            () => None,
        }
    }
}

fn of_json(has: impl Fn(&str) -> bool) -> Option<ForeignForm> {
    match () {
        () if has("\"dhatFileVersion\"") => Some(DHAT),
        () if has("\"node_fields\"") => Some(HEAPSNAPSHOT),
        () if has("\"callFrame\"") && has("\"selfSize\"") => Some(HEAPPROFILE),
        () if has("\"callFrame\"") => Some(CPUPROFILE),
        () if has("\"traceEvents\"") || has("\"ph\"") && has("\"ts\"") => Some(CHROME),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_known_by_its_beginning() {
        for (head, word) in [
            ("heap_v2/524288\n  t*: 28106: 56637512 [0: 0]\n", "jemalloc"),
            ("heap profile: 1: 2 [3: 4] @ heap/1048576\n", "Go"),
            ("goroutine profile: total 5\n1 @ 0x43a2c5\n", "Go"),
            ("# callgrind format\nversion: 1\n", "callgrind"),
            (
                "version: 1\ncreator: callgrind-3.19.0\npid: 7\nevents: Ir\n\nfl=(1) a.c\nfn=(1) main\n16 20\n",
                "callgrind",
            ),
            ("desc: (none)\ncmd: ./a\ntime_unit: i\n#-----------\n", "massif"),
            ("{\"dhatFileVersion\":2,\"mode\":\"heap\"}", "DHAT"),
            ("memray\0\u{b}\0", "memray"),
            (
                "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}}],\"timeDeltas\":[]}",
                ".cpuprofile",
            ),
            ("{\"head\":{\"callFrame\":{},\"selfSize\":0}}", ".heapprofile"),
            ("{\"snapshot\":{\"meta\":{\"node_fields\":[]}}}", ".heapsnapshot"),
            ("JAVA PROFILE 1.0.2\0", "hprof"),
            ("FLR\0\0\u{2}\0\u{1}", "Flight Recorder"),
            ("PERFILE2h", "recording of perf"),
            ("@[\n    work+1\n    main+2\n]: 5\n", "bpftrace"),
            ("# To display the perf.data header info\n# Overhead  Command\n", "perf report"),
            ("[{\"ph\":\"X\",\"ts\":1}]", "Chrome"),
        ] {
            let form = ForeignForm::of_bytes(head.as_bytes());
            assert!(form.is_some_and(|form| form.name.contains(word)), "{head:?}: {form:?}");
        }
        for head in ["", "main;work 12\n", "{\"shared\":{}}", "app 7 1.5: cycles:\n", "events: none\n"] {
            assert_eq!(ForeignForm::of_bytes(head.as_bytes()), None, "{head:?}");
        }
    }
}
