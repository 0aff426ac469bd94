//! Tests of small profiles in the formats of other tools, written by hand: the sums of each, and the warnings
//! for lines that were left out.

use varvite_profile::{Limits, Noticed, Profile, ProfileError, open};

/// Reads a file, and describes the result: the measures and their sums, the innermost call of the largest
/// stack, and the warnings; or the error.
fn told(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("profile");
    std::fs::write(&path, bytes).unwrap();
    match open(&path, None, &Limits::default()) {
        Ok(profile) => {
            let parts = [sums(&profile), leaf(&profile), warnings(&profile.noticed)];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
        }
        Err(ProfileError::Foreign { name, advice }) => format!("looks like {name}: {advice}"),
        Err(ProfileError::Doubtful { form, known, lines, .. }) => {
            format!("doubtful: {known} of {lines} are {form}")
        }
        Err(ProfileError::Ambiguous { form: "collapsed", .. }) => "ambiguous".to_owned(),
        Err(ProfileError::Unknown { .. }) => "unknown".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn sums(profile: &Profile) -> String {
    let totals = &profile.totals.counts;
    let all =
        profile.measures.iter().map(|(slot, it)| format!("{} {}", it.decimal(totals[slot]), it.whole_name()));
    let sum_of_sites = |slot| profile.sites.iter().map(|site| site.counts[slot]).fold(0, i64::saturating_add);
    assert!(
        profile.measures.iter().all(|(slot, _)| sum_of_sites(slot) == totals[slot]),
        "stacks come to the sum"
    );
    all.collect::<Vec<_>>().join(", ")
}

fn leaf(profile: &Profile) -> String {
    let (first, _) = profile.measures.iter().next().unwrap();
    let Some(site) = profile.sites.iter().rev().max_by_key(|site| site.counts[first]) else {
        return String::new();
    };
    let Some(step) = site.step else { return "in no function".to_owned() };
    let text = |id| profile.texts.get(id).unwrap_or_default().to_owned();
    let function = profile.frames_of(step).first().map_or("?".to_owned(), |frame| text(frame.function));
    let module = profile.location_of(step).map_or(String::new(), |location| text(location.module));
    format!("in {function}{}{module}", if module.is_empty() { "" } else { " of " })
}

fn warnings(noticed: &Noticed) -> String {
    let Noticed {
        is_cut_off, bad_lines, first_bad_line, bad_samples, deep_stacks, measures_left_out, ..
    } = *noticed;
    let Noticed { programs, lost_events, idle_ns, rounded_values, labelled_samples, .. } = *noticed;
    let all = [
        ("cut off", u64::from(is_cut_off)),
        ("lines left out", bad_lines),
        ("the first of them", first_bad_line),
        ("bad samples", bad_samples),
        ("deep stacks", deep_stacks),
        ("measures left out", measures_left_out),
        ("programs", if programs > 1 { programs } else { 0 }),
        ("events lost", lost_events),
        ("ns idle", idle_ns as u64),
        ("values rounded", rounded_values),
        ("samples with labels", labelled_samples),
        ("negative", u64::from(noticed.has_negative)),
        ("saturated", u64::from(noticed.is_saturated)),
    ];
    let all =
        all.into_iter().filter(|(_, number)| *number > 0).map(|(what, number)| format!("{number} {what}"));
    all.collect::<Vec<_>>().join(", ")
}

fn check(cases: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(name, text, expected)| (name, told(text.as_bytes()), expected))
        .filter(|(_, found, expected)| found != *expected)
        .map(|(name, found, expected)| format!("{name}:\n  found    {found}\n  expected {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Inputs from public bug reports, each with the correct result.
#[test]
fn inputs_that_were_answered_wrongly_once() {
    let case = |name: &str| {
        std::fs::read(format!("{}/tests/data/cases/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    for (name, expected) in [
        ("no-g.perf", "4 samples, 500002 cycles; in ? of [unknown]"),
        ("two.perf", "2 samples, 2002002 time_ns; in beta of /workdir/simple"),
        (
            "wine.perf",
            "1 samples, 1000 time_ns; in FooWork of /home/user/prefix/drive_c/Program Files (x86)/Foo/foo.exe",
        ),
        ("events-between.perf", "2 samples, 200 cycles; in work of /bin/app; 17 events lost"),
        ("mem-data-source.perf", "1 samples, 7 mem_loads; in work of /bin/app"),
        ("frac.folded", "14.5 samples; in gc"),
        ("diff.folded", "311 samples_before, 473 samples_after; in main"),
        ("idle.json", "2000000 time_ns; in A; 8000000 ns idle"),
    ] {
        assert_eq!(told(&case(name)), expected, "{name}");
    }
}

const STACK: &str = "\t           401000 work+0x10 (/bin/app)\n\t           402000 main+0x20 (/bin/app)\n\n";
const WORK: &str = "in work of /bin/app";

#[test]
fn the_text_of_perf_script_in_many_shapes() {
    let with_head = |head: &str| format!("{head}\n{STACK}");
    for (head, expected) in [
        ("app 7 1.5: 100 cycles: ", "1 samples, 100 cycles"),
        ("app     7/8     [003]     1.500000000:        100 cycles:u: ", "1 samples, 100 cycles"),
        ("             app     7 [003]     1.500000:        100 cycles:u: ", "1 samples, 100 cycles"),
        ("app 7 [003] K 1.5: 100 cycles:k: ", "1 samples, 100 cycles"),
        ("a b c 7 1.5: 100 cycles: ", "1 samples, 100 cycles"),
        ("a 1.5 7 1.5: 100 cycles: ", "1 samples, 100 cycles"),
        ("7/7 1.5: 100 cycles: ", "1 samples, 100 cycles"),
        ("1.5: cycles: ", "1 samples"),
        ("app 7 cycles: ", "1 samples"),
        ("app 7 1.5: ", "1 samples"),
        ("app 7 1.5:        100 ", "1 samples, 100 value"),
        (
            "swapper     0 [001] 1.5:  1 sched:sched_switch: prev_comm=a prev_pid=0 ==> next_comm=b",
            "1 samples, 1 sched_sched_switch",
        ),
        ("app 7 1.5: 100 cycles:      7f00aa00 ", "1 samples, 100 cycles"),
        (
            "app 7 1.5: 100 cpu/mem-loads,ldlat=30/P:  7f00aa00  5080021 |OP LOAD|LVL L1 hit|SNP None|BLK  N/A ",
            "1 samples, 100 cpu_mem_loads_ldlat_30_p",
        ),
        ("app 7 1.5: 100 cycles:  0x401000/0x402000/P/-/-/0  0x1/0x2/M/-/-/3 ", "1 samples, 100 cycles"),
        ("app 7 1.5: 100 cpu_core/cycles/Pu: ", "1 samples, 100 cpu_core_cycles_pu"),
    ] {
        assert_eq!(told(with_head(head).as_bytes()), format!("{expected}; {WORK}"), "{head}");
    }
    check(&[
        (
            "no call graph, with an address of data and its source",
            "app 7 1.5: 9 mem-loads:  7f00aa00  5080021 |OP LOAD|LVL L1 hit|SNP None|LCK No|BLK  N/A  12  401000 work+0x1 (/bin/app)\n",
            "1 samples, 9 mem_loads; in work of /bin/app",
        ),
        (
            "no call graph, padded names, names that are hexadecimal",
            "             bad 7 1.5:  9 cycles:u:  401000 work+0x1 (/bin/app)\n            face 8 1.6:  9 cycles:u:  401000 work+0x1 (/bin/app)\n",
            "2 samples, 18 cycles; in work of /bin/app; 2 programs",
        ),
        (
            "a branch, from where to where",
            "app 7 [001] 1.5:  1 branches:u:   401000 work+0x1 (/bin/app) =>   402000 main+0x5 (/bin/app)\n",
            "1 samples, 1 branches; in work of /bin/app",
        ),
        (
            "callindent before the address",
            "app 7 [001] 1.5:  1 branches:u:       work                  401000 work+0x1 (/bin/app)\n",
            "1 samples, 1 branches; in work of /bin/app",
        ),
        (
            "no symbols at all",
            "app 7 1.5: 5 cycles:  401000 [unknown] ([unknown])\napp 7 1.5: 5 cycles:  401000 [unknown] ([unknown])\n",
            "2 samples, 10 cycles; in ? of [unknown]",
        ),
        (
            "no symbols, no modules",
            "app 7 1.5: 5 cycles: \n\t  401000\n\t  402000\n\n",
            "1 samples, 5 cycles; in ?",
        ),
        (
            "frames that were trimmed",
            "app 7 1.5: 5 cycles:\n401000 work+0x10 (/bin/app)\n402000 main+0x20 (/bin/app)\n\napp 7 1.6: 5 cycles:\n401000 work+0x10 (/bin/app)\n",
            "2 samples, 10 cycles; in work of /bin/app",
        ),
        (
            "no empty lines between samples",
            "app 7 1.5: 5 cycles:\n\t401000 work+0x10 (/bin/app)\napp 7 1.6: 5 cycles:\n\t401000 work+0x10 (/bin/app)\n",
            "2 samples, 10 cycles; in work of /bin/app",
        ),
        (
            "inline frames, source lines, the kernel",
            "app 7 1.5: 5 cycles: \n\tff inner+0x1 (inlined)\n  a.c:3\n\tff outer+0x1 (/bin/app)\n  a.c:9 (discriminator 2)\n\tffffffff8104 [unknown] ([kernel.kallsyms])\n  ??:0\n\n",
            "1 samples, 5 cycles; in inner of /bin/app",
        ),
        (
            "a call graph and none, in turns",
            "app 7 1.5: 5 cycles: \n\t401000 work+0x10 (/bin/app)\n\napp 7 1.6: 2 faults:  401000 work+0x10 (/bin/app)\napp 7 1.7: 5 cycles: \n\t401000 work+0x10 (/bin/app)\n\n",
            "2 samples, 10 cycles, 1 faults_samples, 2 faults; in work of /bin/app",
        ),
        (
            "records of all kinds between samples",
            "swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1209988) @ 0xffffffff81000000]: x [kernel.kallsyms]_text\n\
             perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:7/7\napp 7 1.1: PERF_RECORD_COMM exec: app:7/7\n\
             app 7 1.1: PERF_RECORD_NAMESPACES 7/7 - nr_namespaces: 7\n\t\t[0/net: 3/0xf0000098, 1/uts: 3/0xeffffffe]\n\
             app 7 1.2: PERF_RECORD_SWITCH OUT preempt\napp 7 1.5: 5 cycles: \n\t401000 work+0x10 (/bin/app)\n\n\
             app 7 1.6: PERF_RECORD_LOST lost 3\napp 7 1.6: PERF_RECORD_EXIT(7:7):(1:1)\n\
             \x20            app 7 1.6: PERF_RECORD_LOST lost 4\n",
            "1 samples, 5 cycles; in work of /bin/app; 7 events lost",
        ),
        (
            "C++ and its brackets",
            "app 7 1.5: 5 cycles:  401000 (anonymous namespace)::f(int (*)(int), std::less<int>)+0x4 (/opt/a (b)/lib x.so (deleted))\n",
            "1 samples, 5 cycles; in (anonymous namespace)::f(int (*)(int), std::less<int>) of /opt/a (b)/lib x.so (deleted)",
        ),
        (
            "line ends of Windows, a byte order mark",
            "\u{feff}app 7 1.5: 5 cycles: \r\n\t401000 work+0x10 (/bin/app)\r\n\r\n",
            "1 samples, 5 cycles; in work of /bin/app",
        ),
        (
            "cut within a call: nobody knows who called",
            "app 7 1.5: 5 cycles: \n\t401000 work+0x10 (/bin/app)\n\napp 7 1.6: 5 cycles: \n\t401000 work+0x10 (/bi",
            "1 samples, 5 cycles; in work of /bin/app; 1 cut off",
        ),
        (
            "a line that says nothing, of many",
            &format!(
                "{}Processed 3 events\n{}",
                with_head("app 7 1.5: 5 cycles: ").repeat(6),
                with_head("app 7 1.5: 5 cycles: ")
            ),
            "7 samples, 35 cycles; in work of /bin/app; 1 lines left out, 25 the first of them",
        ),
        (
            "too many lines that say nothing",
            "app 7 1.5: 5 cycles: \n\twhat is this\nand that\n",
            "doubtful: 1 of 3 are perf",
        ),
        (
            "more events than there is room for",
            &(0..6).map(|it| with_head(&format!("a 7 1.5: 1 e{it}:"))).collect::<String>(),
            "1 samples, 1 e0, 1 e1_samples, 1 e1, 1 e2_samples, 1 e2, 1 e3_samples, 1 e3; in work of /bin/app; 4 measures left out",
        ),
    ]);
}

#[test]
fn collapsed_stacks_in_many_shapes() {
    check(&[
        ("whole numbers", "main;a 3\nmain;b 4\n", "7 samples; in b"),
        ("fractions", "main;a 0.5\nmain;b 0.25\n", "0.75 samples; in a"),
        ("fractions that are whole", "main;a 1.0\nmain;b 2.00\n", "3 samples; in b"),
        ("small fractions", "main;a 2.5e-05\nmain;b 1e-1\n", "0.100025 samples; in b; 2 values rounded"),
        (
            "more decimals than are kept",
            "main;a 0.12345678\nmain;b 1\n",
            "1.123457 samples; in b; 1 values rounded",
        ),
        ("a byte order mark, line ends of Windows", "\u{feff}main;a 3\r\nmain;b 4\r\n", "7 samples; in b"),
        ("an empty first stack", " 5\nmain;a 3\n", "8 samples; in no function"),
        ("empty names", ";; 5\nmain;;a 3\n", "8 samples; in no function"),
        (
            "empty lines, and a last line without its end",
            "\n\nmain;a 3\n\nmain;b 4",
            "7 samples; in b; 1 cut off",
        ),
        ("two counts", "main;a 1 2\nmain;b 30 4\n", "31 samples_before, 6 samples_after; in b"),
        (
            "two counts, fractions",
            "main;a 1 2.5\nmain;b 30 4\n",
            "31 samples_before, 6.5 samples_after; in b",
        ),
        ("two counts in half of the lines", "main;a 1 2\nmain;b 30\n", "ambiguous"),
        ("a thread with a number", &("main;a 3\n".repeat(20) + "Thread 7 2\n"), "62 samples; in a"),
        ("austin's comments", "# austin: 3.6.0\n# duration: 12345\nP1;T1;m:f:3 7\n", "7 samples; in m:f:3"),
        ("marks of compilers and the kernel", "main_[j];read_[k] 7\n", "7 samples; in read of [kernel]"),
        (
            "names with blanks",
            "a b;operator new(unsigned long) 7\n",
            "7 samples; in operator new(unsigned long)",
        ),
        ("tabs before the number", "main;a\t7\n", "7 samples; in a"),
        (
            "a line that is no stack, of many",
            &("main;a 3\n".repeat(20) + "main;b -3\n"),
            "60 samples; in a; 1 lines left out, 21 the first of them",
        ),
        ("too many lines that are none", "main;a 3\nmain;b -3\n", "doubtful: 1 of 2 are collapsed"),
        ("nothing that calls", "nr_free_pages 12345\nnr_zone_active_anon 7\n", "unknown"),
        (
            "more than 64 bits",
            &format!("main;a {0}\nmain;a {0}\n", i64::MAX),
            &format!("{} samples; in a; 1 saturated", i64::MAX),
        ),
        ("a table", "name,count\nmain,3\n", "unknown"),
        ("nothing", "", "unknown"),
    ]);
    // The lines that do not fit come after the beginning of the file, from which the format is detected.
    let late = "main;a 1\n".repeat(20_000) + &"? \n".repeat(20_000);
    assert_eq!(told(late.as_bytes()), "doubtful: 20000 of 40000 are collapsed");
}

fn document(profile: &str) -> String {
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{{"frames":[{{"name":"A"}},{{"name":"B"}}]}},"profiles":[{profile}]}}"#
    )
}

#[test]
fn documents_of_speedscope_in_many_shapes() {
    let sampled = |unit: &str, samples: &str, weights: &str| {
        document(&format!(
            r#"{{"type":"sampled","name":"t","unit":"{unit}","startValue":0,"endValue":9,"samples":{samples},"weights":{weights}}}"#
        ))
    };
    let evented = |unit: &str, events: &str| {
        document(&format!(
            r#"{{"type":"evented","name":"t","unit":"{unit}","startValue":0,"endValue":10,"events":[{events}]}}"#
        ))
    };
    let events = r#"{"type":"O","frame":0,"at":1.5},{"type":"C","frame":0,"at":4}"#;
    check(&[
        ("weights that are fractions", &sampled("none", "[[0],[0,1]]", "[0.25,12.5]"), "12.75 samples; in B"),
        ("whole weights", &sampled("none", "[[0],[0,1]]", "[2,3.0]"), "5 samples; in B"),
        (
            "parts of nanoseconds add up",
            &sampled("microseconds", "[[0],[1],[0,1]]", "[0.0004,0.0004,0.0004]"),
            "1 time_ns; in B",
        ),
        ("parts of bytes add up", &sampled("bytes", "[[0],[1]]", "[1.5,1.5]"), "3 bytes; in A"),
        (
            "idle samples of time",
            &sampled("milliseconds", "[[],[0]]", "[3,1]"),
            "1000000 time_ns; in A; 3000000 ns idle",
        ),
        ("samples in no function", &sampled("none", "[[],[0]]", "[3,1]"), "4 samples; in no function"),
        ("more samples than weights", &sampled("none", "[[0],[0]]", "[3]"), "3 samples; in A; 1 bad samples"),
        ("idle at both ends", &evented("seconds", events), "2500000000 time_ns; in A; 7500000000 ns idle"),
        ("events of no unit", &evented("none", events), "10 samples; in no function"),
        (
            "never closed",
            &evented("nanoseconds", r#"{"type":"O","frame":1,"at":4}"#),
            "6 time_ns; in B; 1 cut off, 4 ns idle",
        ),
    ]);
}

#[test]
fn forms_that_are_not_read_are_named_with_what_converts_them() {
    for (text, form, advice) in [
        ("heap_v2/524288\n  t*: 28106: 56637512 [0: 0]\n", "jemalloc", "jeprof --collapsed"),
        (
            "heap profile: 1: 24 [3: 72] @ heap/1048576\n1: 24 [3: 72] @ 0x1 0x2\n",
            "Go or gperftools",
            "pprof -proto",
        ),
        (
            "heap profile:      1:      24 [     3:     72] @ heapprofile\n",
            "Go or gperftools",
            "pprof -proto",
        ),
        (
            "goroutine profile: total 5\n5 @ 0x43a2c5 0x43\n#\t0x43a2c4\tmain.main+0x4\t/a.go:3\n",
            "Go",
            "pprof -proto",
        ),
        ("--- contention:\ncycles/second=2800000000\n22 3 @ 0x4 0x5\n", "Go", "pprof -proto"),
        ("# callgrind format\nversion: 1\nevents: Ir\nfn=(1) main\n16 20\n", "callgrind", "speedscope"),
        (
            "version: 1\ncreator: callgrind-3.19.0\npid: 7\nevents: Ir\n\nfl=(1) a.c\nfn=(1) main\n16 20\n",
            "callgrind",
            "speedscope",
        ),
        (
            "desc: I1 cache: 32768 B\ncmd: ./a\nevents: Ir I1mr\nfl=a.c\nfn=main\n3 7 1\n",
            "callgrind or cachegrind",
            "speedscope",
        ),
        (
            "desc: --time-unit=B\ncmd: ./a\ntime_unit: B\n#-----------\nsnapshot=0\n#-----------\ntime=0\n",
            "massif",
            "heaptrack",
        ),
        ("{\"dhatFileVersion\":2,\"mode\":\"heap\",\"verb\":\"Allocated\"}", "DHAT", "heaptrack"),
        ("memray\0\u{b}\0\0\0", "memray", "converter"),
        (
            "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}}],\"samples\":[]}",
            ".cpuprofile",
            "speedscope",
        ),
        (
            "{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},\"selfSize\":0}}",
            ".heapprofile",
            "speedscope",
        ),
        ("{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\"]}}}", ".heapsnapshot", ".heapprofile"),
        ("JAVA PROFILE 1.0.2\0\0\0\0\u{8}", "hprof", "asprof"),
        ("FLR\0\0\u{2}\0\u{1}\0\0", "Flight Recorder", "jfrconv"),
        ("PERFILE2h\0\0\0\0\0", "recording of perf", "perf script"),
        ("gmon\u{1}\0\0\0", "gprof", "perf record"),
        (
            "# To display the perf.data header info, please use --header\n#\n# Overhead  Command\n    50.00%  app\n",
            "perf report",
            "perf script",
        ),
        ("{\"traceEvents\":[{\"ph\":\"B\",\"ts\":1}]}", "Chrome", "speedscope"),
        ("@[\n    work+1\n    main+2\n]: 5\n", "bpftrace", "stackcollapse-bpftrace.pl"),
        ("Attaching 1 probe...\n\n@[\n    work+1\n]: 5\n", "bpftrace", "stackcollapse-bpftrace.pl"),
    ] {
        let found = told(text.as_bytes());
        assert!(
            found.starts_with("looks like ") && found.contains(form) && found.contains(advice),
            "{text}: {found}"
        );
    }
    // A text that a Windows shell encoded as UTF-16 when it redirected the output.
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain("main;a 3\n".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert!(told(&wide).contains("iconv"), "{}", told(&wide));
    // The binary CPU profile of gperftools.
    let words: Vec<u8> =
        [0u64, 3, 0, 10_000, 0, 1, 1, 0x40_1000].into_iter().flat_map(u64::to_le_bytes).collect();
    assert!(told(&words).contains("pprof -proto"), "{}", told(&words));
}
