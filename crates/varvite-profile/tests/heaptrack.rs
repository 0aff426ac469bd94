//! Tests of heaptrack's profiles: the sums equal those of `heaptrack_print`, and no bytes in a profile do
//! harm.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;
use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
use varvite_profile::heaptrack::{CALLS, LEAKED_BYTES, PEAK_BYTES, TEMPORARY};
use varvite_profile::{Counts, Limits, Profile, ProfileError, heaptrack, inclusive};
use varvite_testing::targets::heaptrack::read_heaptrack;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn sample(name: &str) -> (Profile, String) {
    let profile = heaptrack::open(&data(&format!("{name}.heaptrack.zst")), &Limits::default()).unwrap();
    (profile, std::fs::read_to_string(data(&format!("{name}.heaptrack.txt"))).unwrap())
}

/// A number of bytes, as `heaptrack_print` prints it.
fn shown(bytes: i64) -> String {
    let (mut value, mut unit) = (bytes as f64, 0);
    while value > 1000.0 {
        value /= 1000.0;
        unit += 1;
    }
    match ["B", "K", "M", "G"][unit] {
        "B" => format!("{bytes}B"),
        unit => format!("{value:.2}{unit}"),
    }
}

/// A place, as `heaptrack_print` shows it: the function, the file and line, and the module.
fn place(profile: &Profile, step: u32) -> String {
    let location = profile.location_of(step).unwrap();
    let text = |id| profile.texts.get(id);
    let frame = profile.frames_of(step).first().copied().unwrap_or_default();
    let function = text(frame.function).map_or_else(|| format!("0x{:x}", location.address), str::to_owned);
    let file = text(frame.file).map(|file| format!("\n  at {file}:{}", frame.line));
    let module = text(location.module).map(|module| format!("\n  in {module}"));
    format!("{function}{}{}", file.unwrap_or_default(), module.unwrap_or_default())
}

/// The counts of sites, added up by place.
fn by_place(profile: &Profile) -> HashMap<String, Counts> {
    let mut places: HashMap<String, Counts> = HashMap::new();
    for site in &profile.sites {
        *places.entry(place(profile, site.step.unwrap())).or_default() += site.counts;
    }
    places
}

/// The entries of a section of the report: the numbers in an entry's first line, and the place in its next
/// lines.
fn entries<'t>(report: &'t str, section: &str, first_line: &str) -> Vec<(Vec<&'t str>, String)> {
    let begin = report.find(section).unwrap();
    let lines: Vec<&str> = report[begin..]
        .lines()
        .skip(1)
        .take_while(|line| {
            !line.starts_with("MOST ") && !line.starts_with("PEAK ") && !line.starts_with("total ")
        })
        .collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if line.contains(first_line) && line.ends_with(" from") {
            let behind = lines[number + 1..].iter();
            let place: Vec<&str> = behind
                .enumerate()
                .take_while(|(at, line)| *at == 0 || line.starts_with("  "))
                .map(|(_, line)| *line)
                .filter(|line| !line.starts_with("    "))
                .collect();
            found.push((line.split(' ').collect(), place.join("\n")));
        }
    }
    assert!(!found.is_empty(), "{section}");
    found
}

#[test]
fn totals_are_those_of_heaptrack_print() {
    for (name, calls, temporary) in [("zlib", 1812, 401), ("sqlite", 4106, 1009)] {
        let (profile, report) = sample(name);
        let totals = profile.totals;
        assert_eq!((totals.counts[CALLS], totals.counts[TEMPORARY]), (calls, temporary));
        let seconds = totals.runtime_ms as f64 / 1000.0;
        for line in [
            format!("total runtime: {seconds:.2}s."),
            format!("calls to allocation functions: {calls} ({}/s)", (calls as f64 / seconds) as i64),
            format!("temporary memory allocations: {temporary} ({}/s)", (temporary as f64 / seconds) as i64),
            format!("peak heap memory consumption: {}", shown(totals.counts[PEAK_BYTES])),
            format!("peak RSS (including heaptrack overhead): {}", shown(totals.peak_resident_bytes as i64)),
            format!("total memory leaked: {}", shown(totals.counts[LEAKED_BYTES])),
        ] {
            assert!(report.contains(&format!("\n{line}\n")), "{name}: {line}");
        }
        assert_eq!((profile.noticed, profile.recording.version.as_str()), (Default::default(), "1.4.0"));
    }
}

#[test]
fn places_have_what_heaptrack_print_gives_them() {
    for name in ["zlib", "sqlite"] {
        let (profile, report) = sample(name);
        let places = by_place(&profile);
        let mut most: Vec<&Counts> = places.values().collect();
        let calls = entries(&report, "MOST CALLS", "calls to allocation functions with");
        most.sort_by_key(|counts| -counts[CALLS]);
        for ((numbers, place), next) in calls.iter().zip(&most) {
            let found = places[place];
            assert_eq!(numbers[0], next[CALLS].to_string(), "{name}: {place}");
            assert_eq!(
                (numbers[0], numbers[6]),
                (&*found[CALLS].to_string(), &*shown(found[PEAK_BYTES])),
                "{place}"
            );
        }
        let peaks = entries(&report, "PEAK MEMORY", "peak memory consumed over");
        most.sort_by_key(|counts| -counts[PEAK_BYTES]);
        for ((numbers, place), next) in peaks.iter().zip(&most) {
            let found = places[place];
            assert_eq!(numbers[0], shown(next[PEAK_BYTES]), "{name}: {place}");
            assert_eq!(
                (numbers[0], numbers[5]),
                (&*shown(found[PEAK_BYTES]), &*found[CALLS].to_string()),
                "{place}"
            );
        }
        let temporary = entries(&report, "MOST TEMPORARY", "temporary allocations of");
        most.sort_by_key(|counts| -counts[TEMPORARY]);
        for ((numbers, place), next) in temporary.iter().zip(&most) {
            let found = places[place];
            assert_eq!(numbers[0], next[TEMPORARY].to_string(), "{name}: {place}");
            assert_eq!(
                (numbers[0], numbers[4]),
                (&*found[TEMPORARY].to_string(), &*found[CALLS].to_string()),
                "{place}"
            );
        }
    }
}

#[test]
fn outermost_calls_come_to_what_the_whole_run_did() {
    for name in ["zlib", "sqlite"] {
        let (profile, _) = sample(name);
        let (sums, totals) = (inclusive(&profile), profile.totals);
        let mut all = Counts::default();
        for (step, sum) in profile.steps.iter().zip(&sums).filter(|(step, _)| step.parent.is_none()) {
            assert!(step.location.is_some());
            all += *sum;
        }
        let leaked = totals.counts[LEAKED_BYTES] + totals.suppressed_bytes;
        let expected = [totals.counts[CALLS], totals.counts[TEMPORARY], leaked, totals.counts[PEAK_BYTES]];
        assert_eq!([all[CALLS], all[TEMPORARY], all[LEAKED_BYTES], all[PEAK_BYTES]], expected);
        for (number, step) in profile.steps.iter().enumerate() {
            let stack: Vec<u32> = profile.stack(number as u32).collect();
            assert_eq!(stack.get(1).copied(), step.parent);
        }
    }
}

fn read(text: &[u8]) -> Result<Profile, ProfileError> {
    heaptrack::read(text, &Limits::default())
}

/// `main` calls `make`, which calls `operator new` and allocates 16 bytes; 8 are allocated in `main`.
const SMALL: &str = "v 10400 3\nX ./small a b\nI 1000 10\ns 4 main\ns 4 make\ns 1b operator new(unsigned long)\ns 1 m\ns 6 main.c\n\
    i 10 4 1 5 a\ni 20 4 2 5 14 1 5 b\ni 30 4 3\nt 1 0\nt 2 1\nt 3 2\na 10 3\na 8 1\n+ 0\n+ 1\nc 5\nR 7\n- 0\n+ 0\n";

#[test]
fn what_calls_operator_new_is_the_place_of_interest() {
    let profile = read(SMALL.as_bytes()).unwrap();
    assert_eq!(profile.noticed, Default::default());
    assert_eq!(profile.steps.len(), 2);
    let names = |step: u32| -> Vec<&str> {
        profile.frames_of(step).iter().map(|frame| profile.texts.get(frame.function).unwrap()).collect()
    };
    assert_eq!((names(0), names(1)), (vec!["main"], vec!["make", "main"]));
    assert_eq!(profile.frames_of(1)[1].line, 0xb);
    let sites: Vec<_> = profile.sites.iter().map(|site| (site.step, site.counts)).collect();
    assert_eq!(sites, [(Some(1), Counts::of(&[2, 0, 16, 16])), (Some(0), Counts::of(&[1, 0, 8, 8]))]);
    assert_eq!(profile.recording.command, "./small a b");
    assert_eq!((profile.totals.runtime_ms, profile.totals.peak_resident_bytes), (6, 7 << 12));
}

#[test]
fn older_versions_have_texts_up_to_the_end_of_the_line_and_pointers() {
    let text = "v 10100 2\ns a b c\ni 1 1\nt 1 0\na 4 1\n+ 0\n";
    let profile = read(text.as_bytes()).unwrap();
    assert_eq!(
        (profile.texts.get(profile.locations[0].module), profile.totals.counts[CALLS]),
        (Some("a b c"), 1)
    );
    let text =
        "v 10000\ns m\ni 1 1\nt 1 0\n+ 4 1 a000\n+ 4 1 b000\n- a000\n- b000\n+ 4 1 c000\n- c000\n- d000\n";
    let totals = read(text.as_bytes()).unwrap().totals;
    assert_eq!(totals.counts, Counts::of(&[3, 1, 0, 8]));
}

#[test]
fn a_profile_that_ends_early_counts_as_far_as_it_goes() {
    let cut = read(&SMALL.as_bytes()[..SMALL.len() - 2]).unwrap();
    assert!(cut.noticed.is_cut_off && cut.noticed.bad_lines == 0);
    assert_eq!(cut.totals.counts[CALLS], 2);
    // A compressed profile whose last bytes are missing.
    let long = format!("{SMALL}{}", "+ 0\n- 0\n# something else\n".repeat(100_000));
    for framing in [Framing::Gzip, Framing::Zstd] {
        let mut writer = FrameWriter::new(framing, 3, Vec::new(), &FrameOptions::default()).unwrap();
        writer.write_all(long.as_bytes()).unwrap();
        let packed = writer.finish().unwrap();
        let whole = read(&packed).unwrap();
        assert_eq!((whole.totals.counts[CALLS], whole.noticed.is_cut_off), (100_003, false));
        let cut = read(&packed[..packed.len() - 9]).unwrap();
        assert!(
            cut.noticed.is_cut_off && (3..=100_003).contains(&cut.totals.counts[CALLS]),
            "{}",
            cut.totals.counts[CALLS]
        );
    }
}

#[test]
fn lines_that_make_no_sense_are_counted_and_left_out() {
    let text = format!("{SMALL}+ 2\n- ffffffffffffffff\nt 9 0\nt 1 9\na 1 9\nq\ni\ns 99 x\n+\nc x\n");
    let profile = read(text.as_bytes()).unwrap();
    let whole = read(SMALL.as_bytes()).unwrap();
    assert_eq!(profile.totals, whole.totals);
    let first = SMALL.lines().count() as u64 + 1;
    assert_eq!((profile.noticed.bad_lines, profile.noticed.first_bad_line), (10, first));
}

#[test]
fn what_is_no_interpreted_profile_is_refused() {
    assert!(matches!(read(b""), Err(ProfileError::NotHeaptrack { .. })));
    assert!(matches!(read(b"\x7fELF\x02"), Err(ProfileError::NotHeaptrack { .. })));
    assert!(matches!(read(b"v 10600 4\n"), Err(ProfileError::NewerVersion { found: 4, newest: 3 })));
    assert!(matches!(read(b"v 10400 3\nx 4 main\n"), Err(ProfileError::Raw { line: 2 })));
    let limits = Limits { memory_bytes: 1 << 10, ..Limits::default() };
    let many = format!("v 10400 3\n{}", "s 4 text\n".repeat(1000));
    let error = heaptrack::read(many.as_bytes(), &limits).unwrap_err();
    assert!(matches!(error, ProfileError::OverBudget { limit: 1024 }), "{error}");
}

#[test]
fn leaks_that_a_rule_names_are_told_apart() {
    for rule in ["S leak:make\n", "S 9 leak:make\n", "S leak:^make$\n", "S leak:ma*c\n"] {
        let profile = read(format!("{SMALL}{rule}").as_bytes()).unwrap();
        let all = profile.totals.counts[LEAKED_BYTES] + profile.totals.suppressed_bytes;
        assert_eq!((profile.noticed.bad_lines, all), (0, 24), "{rule}");
        let expected = if rule.contains('c') { 24 } else { 16 };
        assert_eq!(profile.totals.suppressed_bytes, expected, "{rule}");
    }
}

/// A line of any type, with numbers that may or may not refer to existing items.
fn line() -> impl Strategy<Value = String> {
    let number = prop_oneof![4 => 0u64..8, 1 => any::<u64>()];
    let numbers = prop::collection::vec(number, 0..8);
    ("[-+stiacRIAXS#?]", numbers).prop_map(|(kind, numbers)| {
        let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:x}")).collect();
        format!("{kind} {}\n", numbers.join(" "))
    })
}

#[test]
fn sums_beyond_64_bits_are_the_least_that_these_hold_and_told() {
    let text = b"v 10400 3\ns 4 main\ni 1 0 1\nt 1 0\na 4000000000000001 1\n- 0\n- 0\n- 0\n";
    let profile = heaptrack::read(&text[..], &Limits::default()).expect("it is a profile");
    assert!(profile.noticed.is_saturated);
    read_heaptrack(text);
}

proptest! {
    #[test]
    fn no_bytes_do_harm(edits in prop::collection::vec((0usize..SMALL.len(), any::<u8>()), 0..8), tail in ".{0,60}") {
        let mut bytes = [SMALL.as_bytes(), tail.as_bytes()].concat();
        for (at, byte) in edits {
            bytes[at] = byte;
        }
        read_heaptrack(&bytes);
    }

    #[test]
    fn no_lines_do_harm(lines in prop::collection::vec(line(), 0..40), version in 0u8..4) {
        read_heaptrack(format!("v 10400 {version}\n{}", lines.concat()).as_bytes());
        read_heaptrack(format!("{SMALL}{}", lines.concat()).as_bytes());
    }
}
