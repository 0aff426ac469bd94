//! Tests of profiles in formats other than heaptrack's, written by hand: the stacks and counts that are read,
//! and the warnings for faulty profiles.

use std::io::Write as _;

use proptest::prelude::*;
use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
use varvite_profile::{Counts, Kind, Limits, Noticed, Profile, ProfileError, ProfileFormat, ProfileSource};
use varvite_testing::targets::profiles::read_profile;

fn read(format: ProfileFormat, text: &str) -> Result<Profile, ProfileError> {
    assert_eq!(ProfileFormat::of_bytes(text.as_bytes()), Some(format), "{text}");
    format.read(text.as_bytes(), &Limits::default())
}

/// Reads a profile of a given format, without detecting the format.
fn told(format: ProfileFormat, text: &str) -> Result<Profile, ProfileError> {
    format.read(text.as_bytes(), &Limits::default())
}

/// Each site, as its stack (outermost call first) and its counts.
fn sites(profile: &Profile) -> Vec<(String, Counts)> {
    let told = |step: u32| {
        let frames = profile.frames_of(step).iter().rev().map(|frame| {
            let text = |id| profile.texts.get(id).unwrap_or_default();
            match frame.line {
                0 => text(frame.function).to_owned(),
                line => format!("{} {}:{line}", text(frame.function), text(frame.file)),
            }
        });
        let frames = frames.collect::<Vec<_>>().join("/");
        let Some(location) = profile.location_of(step) else { return "?".to_owned() };
        let module =
            profile.texts.get(location.module).map_or_else(String::new, |module| format!(" in {module}"));
        format!("{}{module}", if frames.is_empty() { format!("0x{:x}", location.address) } else { frames })
    };
    let stack = |step: Option<u32>| {
        let mut calls: Vec<String> =
            step.map_or_else(Vec::new, |step| profile.stack(step).map(told).collect());
        calls.reverse();
        calls.join(";")
    };
    profile.sites.iter().map(|site| (stack(site.step), site.counts)).collect()
}

fn counts(numbers: &[i64]) -> Counts {
    Counts::of(numbers)
}

fn site(stack: &str, numbers: &[i64]) -> (String, Counts) {
    (stack.to_owned(), counts(numbers))
}

const COLLAPSED: &str = "main;work;deflate 40\nmain;work 2\nmain;work;deflate 1\nmain;read_[k] 7\n";

#[test]
fn collapsed_stacks_are_samples_by_stack() {
    let profile = read(ProfileFormat::Collapsed, COLLAPSED).unwrap();
    let expected =
        [site("main;work", &[2]), site("main;work;deflate", &[41]), site("main;read in [kernel]", &[7])];
    assert_eq!(sites(&profile), expected);
    assert_eq!((profile.totals.counts, profile.kind), (counts(&[50]), Kind::Cpu));
    assert!(profile.sampling.is_some() && profile.noticed == Default::default());
    assert_eq!(profile.measures.names().collect::<Vec<_>>(), ["samples"]);
    // The last line may lack a line end.
    let cut = read(ProfileFormat::Collapsed, COLLAPSED.trim_end()).unwrap();
    assert!(cut.noticed.is_cut_off && cut.totals == profile.totals);
    let odd =
        told(ProfileFormat::Collapsed, &format!("{COLLAPSED}\nmain;work -3\nsomething\nmain 1\n")).unwrap();
    assert_eq!((odd.noticed.bad_lines, odd.noticed.first_bad_line), (2, 6));
    assert_eq!(odd.totals.counts, counts(&[51]));
    let error = ProfileFormat::Collapsed.read(&b"nothing\n\n"[..], &Limits::default()).unwrap_err();
    assert!(matches!(error, ProfileError::NoStacks { .. }), "{error}");
}

/// Output of `perf script -F +srcline`, with inlined functions, kernel functions, and calls without a name.
const PERF: &str = "# ========\n# cmdline : /usr/bin/perf record -g ./zwork 3\n#\n\
zwork  1234/1240 [001]  5021.108764:     250000 cpu-clock:pppH: \n\
\t    55d0c0a3 fill_window+0x1f\n  deflate.c:260 (inlined)\n\
\t    55d0c0a3 deflate_fast+0x1f (/usr/lib/libz.so.1.2.13)\n  deflate.c:1029\n\
\t    55d0aaaa main+0x5 (/home/me/zwork)\n  zwork.c:34 (discriminator 3)\n\
\tffffffffff [unknown] ([unknown])\n  [unknown][ffffffffff]\n\
\n\
Web Content 99 [000]  5021.108999:     250000 cpu-clock:pppH: \n\
\tffffffff8104 copy_user+0x12 ([kernel.kallsyms])\n  ??:0\n\
\n\
zwork  1234/1240 [001]  5021.200000:          3 cache-misses:u: \n\
\t    55d0aaaa main+0x5 (/home/me/zwork)\n  zwork.c:35\n\n\
zwork  1234/1240 [001]  5021.200001:     250000 cpu-clock:pppH: \n\n";

#[test]
fn samples_of_perf_have_events_periods_and_functions_that_were_inlined() {
    let profile = read(ProfileFormat::Perf, PERF).unwrap();
    assert_eq!(profile.noticed.bad_lines, 0, "line {}", profile.noticed.first_bad_line);
    let names: Vec<&str> = profile.measures.names().collect();
    assert_eq!(names, ["samples", "time_ns", "cache_misses_samples", "cache_misses"]);
    let library = " in /usr/lib/libz.so.1.2.13";
    let expected = [
        site(
            &format!(
                "0xffffffffff in [unknown];main zwork.c:34 in /home/me/zwork;deflate_fast deflate.c:1029{library};\
                 fill_window deflate.c:260{library}"
            ),
            &[1, 250_000],
        ),
        site("copy_user in [kernel.kallsyms]", &[1, 250_000]),
        site("main zwork.c:35 in /home/me/zwork", &[0, 0, 1, 3]),
        site("", &[1, 250_000]),
    ];
    assert_eq!(sites(&profile), expected);
    assert_eq!(profile.totals.counts, counts(&[3, 750_000, 1, 3]));
    assert_eq!(
        (profile.recording.command.as_str(), profile.noticed.programs),
        ("/usr/bin/perf record -g ./zwork 3", 2)
    );
}

#[test]
fn perf_tells_without_stacks_periods_or_lines_too() {
    let text = "a b 7 1.2:  cycles:  55d0 main+0x1 (/a)\na b 8 1.3:  cycles:  55d1 main+0x2 (/a)\n";
    let profile = read(ProfileFormat::Perf, text).unwrap();
    assert_eq!(sites(&profile), [site("main in /a", &[2])]);
    assert_eq!(profile.measures.names().collect::<Vec<_>>(), ["samples"]);
    assert_eq!((profile.recording.command.as_str(), profile.noticed.programs), ("a b", 1));
    // perf's default output, with the period, and with `(inlined)` in place of a module.
    let text = "zwork 7 [000] 1.2: 10 cycles:u: \n\tff f (inlined)\n\tff g+0x1 (/lib/x (deleted))\n\n";
    let profile = read(ProfileFormat::Perf, text).unwrap();
    assert_eq!(sites(&profile), [site("g in /lib/x (deleted);f in /lib/x (deleted)", &[1, 10])]);
    assert_eq!(profile.measures.names().collect::<Vec<_>>(), ["samples", "cycles"]);
}

#[test]
fn what_is_wrong_with_samples_of_perf_is_counted_and_told() {
    // A sample that is cut off within a line is left out, since its stack is incomplete.
    let cut = read(ProfileFormat::Perf, "a 7 1.2: 1 cycles: \n\tff f (/a)\n\na 7 1.3: 1 cycles: \n\tff f (/")
        .unwrap();
    assert!(cut.noticed.is_cut_off && cut.totals.counts == counts(&[1, 1]));
    let odd = told(
        ProfileFormat::Perf,
        "a 7 1.2: 1 cycles: \n\tff f (/a)\n\twhat is this\nand this\n\tff g (/a)\n\n",
    );
    let odd = odd.unwrap();
    assert_eq!(
        (odd.noticed.bad_lines, odd.noticed.first_bad_line, sites(&odd)),
        (3, 3, vec![site("f in /a", &[1, 1])])
    );
    // There is room for four events. Samples of other events are left out with their calls.
    let sample = |event: usize| format!("a 7 1.2: 3 event{event}: \n\tff f{event} (/a)\n\n");
    let events: String = (0..6).chain([4, 0]).map(sample).collect();
    let several = read(ProfileFormat::Perf, &events).unwrap();
    assert_eq!(several.totals.counts, counts(&[2, 6, 1, 3, 1, 3, 1, 3]));
    assert_eq!(
        (several.noticed.measures_left_out, several.noticed.bad_lines, several.sites.len()),
        (4, 0, 4)
    );
    let error = ProfileFormat::Perf.read(&b"# nothing\n"[..], &Limits::default()).unwrap_err();
    assert!(matches!(error, ProfileError::NoStacks { .. }), "{error}");
    let large = format!("a 7 1.2: {} cycles: \n\n", i64::MAX);
    let profile = read(ProfileFormat::Perf, &large.repeat(2)).unwrap();
    assert!(profile.noticed.is_saturated && profile.totals.counts == counts(&[2, i64::MAX]));
    // An earlier version left out numbers beyond 64 bits without a warning.
    let beyond = format!("a 7 1.2: {} cycles: ff f (/a)\n\na 7 1.3: 5 cycles: ff f (/a)\n\n", u64::MAX);
    let profile = read(ProfileFormat::Perf, &beyond).unwrap();
    assert_eq!((profile.totals.counts, profile.noticed.bad_lines), (counts(&[2, 5]), 1));
}

fn speedscope(frames: &str, profiles: &str) -> String {
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{{"frames":[{frames}]}},
        "profiles":[{profiles}],"name":"a run","exporter":"other 1.0"}}"#
    )
}

const FRAMES: &str = r#"{"name":"main","file":"m.c","line":3},{"name":"work","col":7},{"name":"0xff"}"#;

#[test]
fn sampled_profiles_of_speedscope_have_weights_by_unit() {
    let one = r#"{"type":"sampled","name":"thread 1","unit":"milliseconds","startValue":0,"endValue":5,
        "samples":[[0],[0,1],[0,1,2]],"weights":[1,0.25,3]}"#;
    let two = r#"{"type":"sampled","name":"thread 2","unit":"milliseconds","startValue":0,"endValue":5,"samples":[[0,1]],"weights":[1]}"#;
    let profile = read(ProfileFormat::Speedscope, &speedscope(FRAMES, &format!("{one},{two}"))).unwrap();
    assert_eq!(profile.measures.names().collect::<Vec<_>>(), ["time_ns"]);
    let expected = [
        site("main m.c:3", &[1_000_000]),
        site("main m.c:3;work", &[1_250_000]),
        site("main m.c:3;work;0xff", &[3_000_000]),
    ];
    assert_eq!(sites(&profile), expected);
    assert_eq!((profile.recording.command.as_str(), profile.kind), ("a run", Kind::Cpu));
    assert!(profile.sampling.is_some() && profile.noticed == Default::default());
    let bytes = r#"{"type":"sampled","name":"x","unit":"bytes","startValue":0,"endValue":5,"samples":[[0]],"weights":[9007199254740993]}"#;
    let profile = read(ProfileFormat::Speedscope, &speedscope(FRAMES, bytes)).unwrap();
    assert_eq!((profile.kind, profile.totals.counts), (Kind::Heap, counts(&[9_007_199_254_740_993])));
}

#[test]
fn evented_profiles_of_speedscope_are_time_between_events() {
    let events = |events: &str| {
        let profile = format!(
            r#"{{"type":"evented","name":"main","unit":"nanoseconds","startValue":10,"endValue":100,"events":[{events}]}}"#
        );
        read(ProfileFormat::Speedscope, &speedscope(FRAMES, &profile)).unwrap()
    };
    let event = |kind: &str, frame: u32, at: u32| format!(r#"{{"type":"{kind}","frame":{frame},"at":{at}}}"#);
    let whole = [event("O", 0, 10), event("O", 1, 15), event("C", 1, 35), event("C", 0, 50)].join(",");
    let profile = events(&whole);
    assert_eq!(sites(&profile), [site("main m.c:3", &[20]), site("main m.c:3;work", &[20])]);
    let idle = Noticed { idle_ns: 50, ..Noticed::default() };
    assert!(profile.sampling.is_none() && profile.noticed == idle);
    // A frame that is never closed lasts until the end. Frames that are closed out of order or without being
    // open, and times that go backwards, are noted.
    let odd = [event("O", 0, 10), event("C", 1, 20), event("O", 1, 30), event("O", 2, 5), event("O", 2, 40)]
        .join(",");
    let profile = events(&odd);
    let expected =
        [site("main m.c:3", &[20]), site("main m.c:3;work", &[10]), site("main m.c:3;work;0xff", &[60])];
    assert_eq!(sites(&profile), expected);
    assert!(profile.noticed.is_cut_off && profile.noticed.bad_samples == 2);
    let crossed = [event("O", 0, 10), event("O", 1, 15), event("C", 0, 35)].join(",");
    assert_eq!(events(&crossed).noticed.bad_samples, 1);
}

#[test]
fn what_is_wrong_with_a_document_of_speedscope_is_told() {
    let far = r#"{"type":"sampled","name":"x","unit":"none","startValue":0,"endValue":1,"samples":[[0,9],[0]],"weights":[1]}"#;
    let profile = read(ProfileFormat::Speedscope, &speedscope(FRAMES, far)).unwrap();
    assert_eq!((profile.noticed.bad_samples, sites(&profile)), (2, vec![site("main m.c:3;?", &[1])]));
    let values = r#"{"type":"sampled","name":"x","unit":"seconds","startValue":0,"endValue":1,"samples":[[0],[0],[0]],"weights":[1e300,-1,1]}"#;
    let profile = read(ProfileFormat::Speedscope, &speedscope(FRAMES, values)).unwrap();
    assert!(profile.noticed.has_negative && profile.noticed.bad_samples == 1 && profile.sites.is_empty());
    for (text, word) in [
        (speedscope(FRAMES, r#"{"type":"other"}"#), "neither sampled nor evented"),
        (speedscope(FRAMES, r#"{"type":"sampled","samples":[[-1]]}"#), "-1"),
        (speedscope(FRAMES, "")[..90].to_owned(), "EOF"),
        ("{\"shared\": 1}".to_owned(), "invalid type"),
        ("{\"shared\":{\"frames\":[]}}".to_owned(), "missing field `profiles`"),
    ] {
        let error = read(ProfileFormat::Speedscope, &text).unwrap_err();
        assert!(matches!(&error, ProfileError::Speedscope { what } if what.contains(word)), "{error}");
    }
    let nested = format!("{{\"profiles\":{}", "[".repeat(100_000));
    assert!(matches!(read(ProfileFormat::Speedscope, &nested), Err(ProfileError::Speedscope { .. })));
}

#[test]
fn what_needs_more_memory_than_it_may_take_is_stopped() {
    let limits = Limits { memory_bytes: 4 << 20, ..Limits::default() };
    let names: String = (0..20_000).map(|number| format!("main;function_{number} 1\n")).collect();
    let samples: String =
        (0..20_000).map(|number| format!("a 7 1.2: 1 cycles: \n\tff f{number} (/a)\n\n")).collect();
    let document = speedscope(&vec![r#"{"name":""}"#; 20_000].join(","), "");
    for (format, text) in [
        (ProfileFormat::Collapsed, &names),
        (ProfileFormat::Perf, &samples),
        (ProfileFormat::Speedscope, &document),
    ] {
        let error = format.read(text.as_bytes(), &limits).unwrap_err();
        assert!(matches!(error, ProfileError::OverBudget { .. }), "{error}");
    }
    // A few kilobytes that expand to 64 megabytes.
    let mut writer = FrameWriter::new(Framing::Gzip, 9, Vec::new(), &FrameOptions::default()).unwrap();
    writer.write_all(&[0x0a, 4, 0x08, 1, 0x10, 2]).unwrap();
    (0..64).for_each(|_| writer.write_all(&vec![b'\n'; 1 << 20]).unwrap());
    let bomb = writer.finish().unwrap();
    for format in [ProfileFormat::Pprof, ProfileFormat::Speedscope] {
        let error = format.read(&bomb[..], &limits).unwrap_err();
        assert!(matches!(error, ProfileError::OverBudget { .. }), "{error}");
    }
}

#[test]
fn forms_are_told_by_their_beginning_plain_or_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("profile");
    let document = speedscope(FRAMES, "");
    for (text, format) in [
        ("v 10400 3\n", Some(ProfileFormat::Heaptrack)),
        (COLLAPSED, Some(ProfileFormat::Collapsed)),
        (PERF, Some(ProfileFormat::Perf)),
        (&document, Some(ProfileFormat::Speedscope)),
        ("\n\u{4}\u{8}\u{1}\u{10}\u{2}", Some(ProfileFormat::Pprof)),
        // The first bytes of a memory profile and of a CPU profile from Go.
        ("Z\u{4}\u{8}\u{1}\u{10}\u{2}`\u{20}", Some(ProfileFormat::Pprof)),
        ("H\u{1}P\u{2}Z\u{4}\u{8}\u{1}\u{10}\u{2}", Some(ProfileFormat::Pprof)),
        ("Z;d;x\u{1}", None),
        ("PK\u{3}\u{4}", None),
        ("\u{89}VVTRACE", None),
        ("<graphml/>", None),
        ("", None),
    ] {
        std::fs::write(&path, text).unwrap();
        let source = ProfileSource::open(&path).unwrap();
        assert_eq!((source.format().unwrap(), source.is_profile()), (format, format.is_some()), "{text}");
        for framing in [Framing::Gzip, Framing::Zstd] {
            let mut writer = FrameWriter::new(framing, 3, Vec::new(), &FrameOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
            std::fs::write(&path, writer.finish().unwrap()).unwrap();
            assert_eq!(ProfileSource::open(&path).unwrap().format().unwrap(), format, "{text}");
        }
        if format.is_none() {
            let error = varvite_profile::open(&path, None, &Limits::default()).unwrap_err();
            assert!(matches!(error, ProfileError::Unknown { .. }), "{error}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_bytes_do_harm(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8), tail in ".{0,40}") {
        let events = r#"{"type":"evented","name":"a","unit":"none","startValue":1,"endValue":9,"events":[{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":3}]}"#;
        let document = speedscope(FRAMES, events);
        for (format, text) in [
            (ProfileFormat::Collapsed, COLLAPSED),
            (ProfileFormat::Perf, PERF),
            (ProfileFormat::Speedscope, &document),
        ] {
            let mut bytes = [text.as_bytes(), tail.as_bytes()].concat();
            for (at, byte) in &edits {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            read_profile(format, &bytes);
        }
    }

    #[test]
    fn no_stacks_do_harm(lines in prop::collection::vec("[a-c; _\\[\\]]{0,12} [0-9.-]{1,20}", 0..20)) {
        read_profile(ProfileFormat::Collapsed, lines.join("\n").as_bytes());
    }
}
