//! Compares `docs/trace-format.md` with a trace: the sizes in the page's tables add up, and the fields of the
//! trace are at the offsets in these tables.

use varvite_trace::{
    Codec, FORMAT_VERSION, Field, MemorySource, Module, Options, RUN_RECORDS_MAX, Reader, Recorder, RunBlock,
    RunRecord, RunShape, RunValue, Schema,
};

const DOCUMENT: &str = include_str!("../../../docs/trace-format.md");

type Row = Vec<String>;

/// The rows of the first table after `start`, without the table's head and without backticks.
#[track_caller]
fn table(start: &str) -> Vec<Row> {
    let from = DOCUMENT.find(start).unwrap_or_else(|| panic!("no {start:?}"));
    let lines = DOCUMENT[from..].lines().skip_while(|line| !line.starts_with('|'));
    let lines = lines.take_while(|line| line.starts_with('|')).skip(2);
    lines
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect())
        .collect()
}

/// The table under a heading that ends with a size. Checks that the fields have no gaps between them and add
/// up to this size.
#[track_caller]
fn layout(name: &str) -> (Vec<Row>, usize) {
    let heading = DOCUMENT.lines().find(|line| line.starts_with(&format!("### {name} ("))).unwrap();
    let size = heading.rsplit_once('(').unwrap().1.trim_end_matches(" bytes)").parse().unwrap();
    let rows = table(heading);
    let mut end = 0;
    for row in &rows {
        assert_eq!(row[0].parse(), Ok(end), "{name}: {row:?}");
        end += row[1].parse::<usize>().unwrap();
    }
    assert_eq!(end, size, "{name}");
    (rows, size)
}

/// The offset of the field whose description begins with `field`.
#[track_caller]
fn place(name: &str, field: &str) -> usize {
    let (rows, _) = layout(name);
    rows.iter().find(|row| row[2].starts_with(field)).unwrap_or_else(|| panic!("no {field:?}"))[0]
        .parse()
        .unwrap()
}

fn constant(name: &str) -> u64 {
    table("### Constants").iter().find(|row| row[0] == name).unwrap()[1].parse().unwrap()
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn hex(words: &str) -> Vec<u8> {
    let words = words.split_whitespace().map(|word| word.trim_end_matches(','));
    words.map_while(|word| u8::from_str_radix(word, 16).ok()).collect()
}

/// The size of the content of a chunk with one module, in bytes.
const MODULES_LEN: usize = 8 + 32 + 6;

fn module() -> Module {
    let (path, build_id) = (b"/app".to_vec(), vec![0xab, 0xcd]);
    Module { path, build_id, address: 0x1000, len: 0x2000, file_offset: 0x40, is_code: true }
}

fn trace() -> Vec<u8> {
    let schema = Schema::of_fields("test/doc", &[Field::new("one", 2), Field::new("two", 4).with_delta()]);
    let options =
        Options { block_len: 300, ..Options::new(schema, *b"0123456789abcdef").with_codec(Codec::None) };
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    recorder.add_modules(&[module()]).unwrap();
    let mut stream = recorder.stream(77).unwrap();
    stream.set_time(1000).unwrap();
    stream.push(&[1, 2, 3, 4, 5, 6]).unwrap();
    stream.set_time(1200).unwrap();
    stream.push(&[7, 8, 13, 14, 15, 16]).unwrap();
    stream.finish().unwrap();
    recorder.finish().unwrap()
}

fn recorder(options: &Options) -> Recorder<Vec<u8>> {
    Recorder::create(Vec::new(), options).unwrap()
}

#[test]
fn constants_are_those_of_the_code() {
    let options = Options::new(Schema::of_bytes("x"), [0; 16]);
    assert_eq!(constant("format version"), u64::from(FORMAT_VERSION));
    assert_eq!(constant("run limit"), RUN_RECORDS_MAX as u64);
    assert_eq!(constant("default block"), u64::from(options.block_len));
    let makes = |block_len: u64| {
        Recorder::create(Vec::new(), &Options { block_len: block_len as u32, ..options.clone() }).is_ok()
    };
    assert!(makes(constant("least block")) && !makes(constant("least block") - 1));
    assert!(makes(constant("largest block")) && !makes(constant("largest block") + 1));
    let takes = |module: Module| recorder(&options).add_modules(&[module]).is_ok();
    let path = |len: u64| Module { path: vec![0; len as usize], ..Module::default() };
    assert!(takes(path(constant("path limit"))) && !takes(path(constant("path limit") + 1)));
    let build_id = |len: u64| Module { build_id: vec![0; len as usize], ..Module::default() };
    assert!(takes(build_id(constant("build id limit"))) && !takes(build_id(constant("build id limit") + 1)));
    let modules =
        |count: u64| recorder(&options).add_modules(&vec![Module::default(); count as usize]).is_ok();
    assert!(modules(constant("module limit")) && !modules(constant("module limit") + 1));
    let fields = |count: u64| {
        let schema = Schema::of_fields("x", &vec![Field::new("f", 1); count as usize]);
        Recorder::create(Vec::new(), &Options::new(schema, [0; 16])).is_ok()
    };
    assert!(fields(constant("field limit")) && !fields(constant("field limit") + 1));
}

#[test]
fn a_trace_lies_as_the_page_says() {
    let trace = trace();
    let fixed = layout("Header before its fields").1;
    let field_len = layout("Field").1;
    let in_header = |field| place("Header before its fields", field);
    let (rows, chunk) = layout("Chunk header");
    let magic = hex(&layout("Header before its fields").0[0][2]["magic ".len()..]);
    assert_eq!((&trace[..16], magic.len()), (&magic[..], 16));
    let header = fixed + 2 * field_len + 8;
    assert_eq!(u32_at(&trace, in_header("length of the header")) as usize, header);
    assert_eq!(&trace[in_header("id of the trace")..][..16], b"0123456789abcdef");
    assert_eq!(u32_at(&trace, in_header("most bytes")), 300);
    assert_eq!(trace[in_header("split")], 1);
    assert_eq!(trace[in_header("number of fields")], 2);
    assert_eq!(&trace[in_header("content")..][..9], b"test/doc\0");
    let second = fixed + field_len;
    assert_eq!(&trace[second..second + 4], b"two\0");
    assert_eq!((trace[second + place("Field", "bytes")], trace[second + place("Field", "bit 0")]), (4, 1));
    assert_eq!(u64_at(&trace, header - 8), varvite_codec::hash(&trace[..header - 8], 0));

    let header = header + layout("Chunk header").1 + MODULES_LEN;
    let block = &trace[header..];
    let sync = hex(&rows[0][2]["sync word ".len()..]);
    assert_eq!(&block[..8], &sync[..]);
    let at = |field| place("Chunk header", field);
    assert_eq!((block[at("kind")], block[at("codec")]), (1, 0));
    let lengths = [
        at("records"),
        at("bytes of the records"),
        at("bytes of the content before"),
        at("bytes of the content as stored"),
        at("bytes of marks"),
    ];
    assert_eq!(lengths.map(|place| u32_at(block, place)), [2, 12, 15, 15, 3]);
    let places = [at("thread"), at("number"), at("ordinal"), at("time of the first"), at("time of the last")];
    assert_eq!(places.map(|place| u64_at(block, place)), [77, 0, 0, 1000, 1200]);
    let seed = varvite_codec::hash(b"0123456789abcdef", 0);
    assert_eq!(u64_at(block, at("checksum of bytes 0")), varvite_codec::hash(&block[..80], seed));
    let content = &block[chunk..chunk + 15];
    let place_of_block: Vec<u8> = [1u64, 77, 0].iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(
        u64_at(block, at("checksum of the content")),
        varvite_codec::hash(content, varvite_codec::hash(&place_of_block, seed))
    );
    // A mark at record 1, whose time is 200 later; then the planes of the fields, the second one as
    // differences.
    assert_eq!(content, [1, 200, 1, 1, 7, 2, 8, 3, 10, 4, 10, 5, 10, 6, 10]);

    let table_at = header + chunk + 15;
    let entry = &trace[table_at + chunk + 8..][..layout("Index entry").1];
    assert_eq!(u64_at(entry, 0) as usize, header);
    assert_eq!(u64_at(entry, place("Index entry", "thread")), 77);
    assert_eq!(u32_at(entry, place("Index entry", "records")), 2);
    let end = &trace[trace.len() - layout("End").1..];
    let numbers = [
        place("End", "offset of the last table"),
        place("End", "offset of this"),
        place("End", "number of blocks"),
        place("End", "number of records"),
    ];
    let end_at = trace.len() - 128;
    assert_eq!(numbers.map(|place| u64_at(end, place)), [table_at as u64, end_at as u64, 1, 2]);
    let (modules_at, modules) = (header - chunk - MODULES_LEN, &trace[header - MODULES_LEN..header]);
    assert_eq!(u64_at(end, place("End", "offset of the last chunk of modules")) as usize, modules_at);
    assert_eq!((trace[modules_at + at("kind")], u64_at(modules, 0)), (4, 0));
    let fixed = layout("Module").1;
    let numbers = ["first address", "number of bytes", "offset in the file"];
    assert_eq!(numbers.map(|field| u64_at(modules, 8 + place("Module", field))), [0x1000, 0x2000, 0x40]);
    let small = ["bytes of the path", "bytes of the build id", "bit 0"];
    assert_eq!(small.map(|field| modules[8 + place("Module", field)]), [4, 2, 1]);
    assert_eq!(&modules[8 + fixed..], b"/app\xab\xcd");
}

/// The algorithm of the document's section 4, implemented a second time from the document alone.
fn predict(page_trace: &[([u8; 12], bool)]) -> Vec<u8> {
    let mut slots = vec![(0u64, 0i32, 0u32); constant("prediction slots") as usize];
    let (mut last, mut instruction, mut size, mut since) = ([0u64; 256], 0u64, 0u64, 0u64);
    let (mut codes, mut heads, mut planes) = (Vec::new(), Vec::new(), vec![Vec::new(); 16]);
    for (record, is_instruction) in page_trace {
        let head = u32_at(record, 0);
        let value = u64_at(record, 4);
        let mixed = instruction.wrapping_add(since << 56 | since << 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &mut slots[(mixed >> 52) as usize];
        let is_new = slot.2 != head;
        let (base, stride) = if is_new { (last[head as usize % 256], 0) } else { (slot.0, slot.1) };
        let first = base.wrapping_add(stride as i64 as u64);
        let second = if *is_instruction { instruction.wrapping_add(size) } else { base };
        let mut code = if value == first {
            0
        } else if value == second {
            1
        } else {
            let difference = value.wrapping_sub(second) as i64;
            let zigzag = (difference << 1 ^ difference >> 63) as u64;
            let bytes = (1..=8).find(|bytes| *bytes == 8 || zigzag >> (8 * bytes) == 0).unwrap();
            let from = if *is_instruction { 8 } else { 0 };
            (0..bytes).for_each(|byte| planes[from + byte].push((zigzag >> (8 * byte)) as u8));
            (from + 1 + bytes) as u8
        };
        if is_new {
            code |= 32;
            heads.push(head.to_le_bytes());
        }
        codes.push(code);
        let moved = value.wrapping_sub(slot.0) as i64;
        slot.1 = if *is_instruction || is_new { 0 } else { i32::try_from(moved).unwrap_or(0) };
        (slot.0, slot.2) = (value, head);
        last[head as usize % 256] = value;
        if *is_instruction {
            (instruction, size, since) = (value, u64::from(head >> 16), 0);
        } else {
            since += 1;
        }
    }
    let heads = (0..4).flat_map(|byte| heads.iter().map(move |head| head[byte]));
    codes.iter().copied().chain(heads).chain(planes.concat()).collect()
}

#[test]
fn the_references_split_is_the_one_on_the_page() {
    let record = |index: u64| {
        let mut record = [0; 12];
        let kind = if index.is_multiple_of(3) { 10 } else { (index % 5) as u8 };
        record[0] = kind;
        record[2] = 3 + u8::from(index.is_multiple_of(7));
        let value = match kind {
            10 => 0x40_0000 + index * 4 % 200,
            _ => (index % 4 + 1) << (index % 61) | index,
        };
        record[4..].copy_from_slice(&value.to_le_bytes());
        (record, kind == 10)
    };
    let records: Vec<_> = (0..5000).map(record).collect();
    let options = Options::new(Schema::of_references("test/doc", 1 << 10), [1; 16]).with_codec(Codec::None);
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    records.iter().for_each(|(record, _)| stream.push(record).unwrap());
    stream.finish().unwrap();
    let trace = recorder.finish().unwrap();
    let expected = predict(&records);
    let from = 88 + 3 * 24 + 8 + 88;
    assert!(trace[from..from + expected.len()] == expected[..], "the split is another");
}

/// Takes the first `count` bytes.
fn cut<'a>(bytes: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (taken, rest) = bytes.split_at(count);
    *bytes = rest;
    taken
}

/// A zigzag number of `count` bytes.
fn number(bytes: impl Iterator<Item = u8>) -> u64 {
    let value = bytes.enumerate().fold(0, |value, (at, byte)| value | u64::from(byte) << (8 * at));
    value >> 1 ^ (value & 1).wrapping_neg()
}

/// A record of a shape: its type and size, and the origin of its value.
#[derive(Clone, Copy)]
enum Origin {
    Fixed(u64),
    Run,
    Back(usize, u64),
}

/// The shapes of a block of runs, read as the page says.
fn shapes_of(sizes: &[u8], heads: &[u8], forms: &[u8], mut literals: &[u8]) -> Vec<Vec<([u8; 4], Origin)>> {
    let (mut next, mut at) = (0u64, 0);
    let mut shapes = Vec::new();
    for size in sizes {
        let mut shape = Vec::new();
        for place in at..at + usize::from(*size) {
            let head: [u8; 4] = std::array::from_fn(|byte| heads[byte * forms.len() + place]);
            let form = usize::from(forms[place]);
            let origin = match form {
                1 => Origin::Run,
                0 | 2..10 => {
                    let bytes = form.saturating_sub(1);
                    Origin::Fixed(next.wrapping_add(number(cut(&mut literals, bytes).iter().copied())))
                }
                _ => {
                    let back = usize::from(cut(&mut literals, 1)[0]);
                    Origin::Back(back, number(cut(&mut literals, form - 10).iter().copied()))
                }
            };
            if let (Origin::Fixed(value), 10) = (origin, head[0]) {
                next = value + u64::from(head[2]);
            }
            shape.push((head, origin));
        }
        at += usize::from(*size);
        shapes.push(shape);
    }
    assert!(literals.is_empty() && at == forms.len());
    shapes
}

/// The records of a block of runs, as section 4 of the document says, implemented a second time from the
/// document alone.
fn records_of_runs(mut content: &[u8]) -> Vec<[u8; 12]> {
    let lengths: Vec<usize> = (0..6).map(|at| u32_at(content, 4 * at) as usize).collect();
    cut(&mut content, 24);
    let (sizes, heads) = (cut(&mut content, lengths[0]), cut(&mut content, 4 * lengths[1]));
    let (forms, literals) = (cut(&mut content, lengths[1]), cut(&mut content, lengths[2]));
    let (runs, numbers) = (cut(&mut content, lengths[3]), cut(&mut content, 2 * lengths[4]));
    let codes = cut(&mut content, lengths[5]);
    let mut planes: Vec<&[u8]> = Vec::new();
    for byte in 1..=8 {
        let longer = codes.iter().filter(|code| (2 + byte..11).contains(&usize::from(**code))).count();
        planes.push(cut(&mut content, longer));
    }
    assert!(content.is_empty());
    let shapes = shapes_of(sizes, heads, forms, literals);
    let mut followers = vec![[0usize; 2]; shapes.len() + 1];
    let mut histories: Vec<Vec<[u64; 3]>> = vec![Vec::new(); shapes.len()];
    let (mut before, mut seen, mut recent, mut shift) = (shapes.len(), 0, 0u64, 0u64);
    let (mut number_at, mut codes) = (0, codes.iter());
    let mut records = Vec::new();
    for run in runs {
        let shape = match run & 3 {
            2 => seen,
            3 => {
                number_at += 1;
                let high = numbers[lengths[4] + number_at - 1];
                usize::from(numbers[number_at - 1]) + 256 * usize::from(high)
            }
            which => followers[before][usize::from(which)],
        };
        if run & 3 == 2 {
            seen += 1;
            histories[shape] = vec![[recent, 0, 0]; shapes[shape].len()];
        }
        if followers[before][0] != shape {
            followers[before] = [shape, followers[before][0]];
        }
        before = shape;
        let mut values: Vec<Option<u64>> = Vec::new();
        let mut last_of_run = None;
        for (at, (head, origin)) in shapes[shape].iter().enumerate() {
            let value = match *origin {
                Origin::Fixed(value) => Some(value),
                Origin::Back(back, distance) => {
                    values[at - back].map(|value: u64| value.wrapping_add(distance))
                }
                Origin::Run => {
                    let [last, stride, step] = &mut histories[shape][at];
                    let code = if run & 4 == 0 { 0 } else { usize::from(*codes.next().unwrap()) };
                    let moved = match code {
                        11 => None,
                        0 => Some(*stride),
                        1 => Some(shift),
                        _ => Some(number(planes[..code - 2].iter_mut().map(|plane| cut(plane, 1)[0]))),
                    };
                    if let Some(moved) = moved {
                        if code > 0 {
                            shift = moved;
                            *stride = if moved == *step { moved } else { *stride };
                        }
                        *step = moved;
                        *last = last.wrapping_add(moved);
                    }
                    last_of_run = moved.map(|_| *last);
                    last_of_run
                }
            };
            values.push(value);
            records.extend(value.map(|value| {
                let mut record = [0; 12];
                record[..4].copy_from_slice(head);
                record[4..].copy_from_slice(&value.to_le_bytes());
                record
            }));
        }
        recent = last_of_run.unwrap_or(recent);
    }
    records
}

#[test]
fn runs_are_those_on_the_page() {
    let head = |kind: u8, size: u8| [kind, 0, size, 0];
    let fixed = |kind, size, value| RunRecord { head: head(kind, size), value: RunValue::Fixed(value) };
    let of_run = |kind| RunRecord { head: head(kind, 8), value: RunValue::OfRun };
    let beside = |back, offset| RunRecord { head: head(1, 4), value: RunValue::Beside { back, offset } };
    let shapes = [
        vec![fixed(10, 4, 0x40_0000), of_run(0), fixed(10, 2, 0x40_0004), beside(2, 24), of_run(1)],
        vec![fixed(10, 3, 0x40_0100), fixed(0, 4, 0x60_0000), of_run(0), beside(1, 0), beside(2, 7)],
        vec![of_run(1)],
        vec![fixed(10, 7, 0x3f_0000), beside(1, u64::MAX)],
    ];
    let shapes: Vec<_> =
        shapes.iter().zip(0..).map(|(shape, key)| RunShape::new(key, shape).unwrap()).collect();
    let options = Options::new(Schema::of_references("test/doc", 1 << 10), [1; 16]).with_codec(Codec::None);
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let (mut encoder, mut stream) = (recorder.run_encoder().unwrap(), recorder.stream(0).unwrap());
    let mut expected = Vec::new();
    for turn in 0..2000u64 {
        let shape = &shapes[(turn * turn % 11 % 4) as usize];
        let values = [turn * 8, (turn % 5) << (turn % 61)].map(|value| (turn % 13 > 0).then_some(value));
        expected.extend(shape.expand(values));
        encoder.push(shape, values.into_iter()).unwrap();
    }
    let mut block = RunBlock::default();
    encoder.end_block(&mut block);
    stream.write_runs(&mut block).unwrap();
    stream.finish().unwrap();
    let trace = recorder.finish().unwrap();
    let chunk = 88 + 3 * 24 + 8;
    assert_eq!(trace[chunk + place("Chunk header", "form of the records")], 1);
    let len = u32_at(&trace, chunk + place("Chunk header", "bytes of the content as stored")) as usize;
    assert!(records_of_runs(&trace[chunk + 88..][..len]) == expected, "the page says other records");
    let mut reader = Reader::open(MemorySource(trace)).unwrap();
    assert!(
        reader.next_block().unwrap().unwrap().bytes() == expected.concat(),
        "the reader has other records"
    );
}
