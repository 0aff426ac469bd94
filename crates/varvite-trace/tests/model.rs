//! A model of a trace as plain vectors, and checks that a reader returns the records of the model.

use proptest::prelude::*;
use varvite_trace::{Clock, Codec, Field, MemorySource, Options, Reader, RecordLen, Recorder, Schema, Split};

/// A step of one thread.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Push(Vec<u8>),
    Pass(u64),
    Flush,
}

/// The records of a thread, each with its time.
pub(crate) type Timed = Vec<(u64, Vec<u8>)>;

/// Executes the steps of all threads, one step of each thread in turn. Returns the trace, and the records
/// that a reader must find.
pub(crate) fn record(options: &Options, threads: &[Vec<Step>]) -> (Vec<u8>, Vec<Timed>) {
    let recorder = Recorder::create(Vec::new(), options).unwrap();
    let mut streams: Vec<_> =
        (0..threads.len()).map(|thread| recorder.stream(thread as u64).unwrap()).collect();
    let mut expected = vec![Timed::new(); threads.len()];
    let mut times = vec![0; threads.len()];
    for turn in 0..threads.iter().map(Vec::len).max().unwrap_or(0) {
        for thread in 0..threads.len() {
            match threads[thread].get(turn) {
                None => {}
                Some(Step::Flush) => streams[thread].flush().unwrap(),
                Some(Step::Pass(time)) => {
                    times[thread] += time;
                    streams[thread].set_time(times[thread]).unwrap();
                }
                Some(Step::Push(record)) => {
                    streams[thread].push(record).unwrap();
                    expected[thread].push((times[thread], record.clone()));
                }
            }
        }
    }
    streams.into_iter().for_each(|stream| stream.finish().unwrap());
    (recorder.finish().unwrap(), expected)
}

pub(crate) fn open(trace: &[u8]) -> Reader<MemorySource<&[u8]>> {
    Reader::open(MemorySource(trace)).unwrap()
}

/// Reads all records, both by thread and all together, in the order of the trace.
pub(crate) fn read_all(trace: &[u8], threads: usize) -> (Vec<Timed>, Vec<Vec<u8>>) {
    let mut reader = open(trace);
    let (mut by_thread, mut all) = (vec![Timed::new(); threads], Vec::new());
    while let Some(block) = reader.next_block().unwrap() {
        assert_eq!(block.ordinal(), all.len() as u64);
        let thread = &mut by_thread[block.header().thread as usize];
        assert_eq!(block.ordinal_in_thread(), thread.len() as u64);
        thread.extend(block.timed_records().map(|(time, record)| (time, record.to_vec())));
        all.extend(block.records().map(<[u8]>::to_vec));
    }
    (by_thread, all)
}

fn any_schema() -> impl Strategy<Value = Schema> {
    let width = prop_oneof![Just(1u8), Just(2), Just(4), Just(8)];
    let field =
        (width, any::<bool>()).prop_map(|(width, delta)| Field { delta, ..Field::new("field", width) });
    let fields = proptest::collection::vec(field, 1..4);
    let plain = (fields, any::<bool>(), any::<bool>()).prop_map(|(fields, variable, split)| Schema {
        len: if variable { RecordLen::Variable } else { RecordLen::Fixed },
        split: if split { Split::Fields } else { Split::None },
        clock: Clock::UnixNanoseconds,
        ..Schema::of_fields("test/any", &fields)
    });
    prop_oneof![
        plain,
        Just(Schema::of_references("test/references", 1 << 3)),
        Just(Schema::of_bytes("test/bytes"))
    ]
}

fn any_steps(schema: &Schema) -> impl Strategy<Value = Vec<Step>> + use<> {
    let (len, tail) = (schema.fields_len(), if schema.fixed_len().is_some() { 0 } else { 20 });
    let record = proptest::collection::vec(0u8..5, len..=len + tail);
    let step = prop_oneof![
        20 => record.prop_map(Step::Push),
        2 => (0u64..1000).prop_map(Step::Pass),
        1 => Just(Step::Flush)
    ];
    proptest::collection::vec(step, 0..150)
}

fn any_trace() -> impl Strategy<Value = (Options, Vec<Vec<Step>>)> {
    let options = (any_schema(), proptest::sample::select(&Codec::ALL), 256u32..700).prop_map(
        |(schema, codec, block_len)| Options { block_len, ..Options::new(schema, [3; 16]).with_codec(codec) },
    );
    options.prop_flat_map(|options| {
        let steps = any_steps(&options.schema);
        (Just(options), proptest::collection::vec(steps, 1..4))
    })
}

proptest! {
    #[test]
    fn what_threads_record_comes_back((options, threads) in any_trace()) {
        let (trace, expected) = record(&options, &threads);
        prop_assert_eq!(read_all(&trace, threads.len()).0, expected);
    }

    #[test]
    fn seeks_find_what_a_vector_has((options, threads) in any_trace(), places in proptest::collection::vec(0usize..200, 1..9)) {
        let (trace, expected) = record(&options, &threads);
        let (_, all) = read_all(&trace, threads.len());
        let mut reader = open(&trace);
        prop_assert_eq!(reader.record_count().unwrap(), all.len() as u64);
        for place in places {
            let found = reader.seek_ordinal(place as u64).unwrap();
            prop_assert_eq!(found.map(|block| block.records().next().unwrap().to_vec()), all.get(place).cloned());
            for (thread, records) in expected.iter().enumerate() {
                let found = reader.seek_thread(thread as u64, place as u64).unwrap();
                let found = found.map(|block| block.timed_records().next().map(|(time, record)| (time, record.to_vec())).unwrap());
                prop_assert_eq!(found, records.get(place).cloned());
                let time = 40 * place as u64;
                let found = reader.seek_time(thread as u64, time).unwrap().map(|block| block.ordinal_in_thread());
                let first = records.iter().position(|(at, _)| *at >= time);
                prop_assert_eq!(found, first.map(|first| first as u64));
            }
        }
    }

    #[test]
    fn reading_goes_on_after_a_seek((options, threads) in any_trace(), place in 0usize..200) {
        let (trace, _) = record(&options, &threads);
        let (_, all) = read_all(&trace, threads.len());
        let mut reader = open(&trace);
        let mut rest = match reader.seek_ordinal(place as u64).unwrap() {
            Some(block) => block.records().map(<[u8]>::to_vec).collect(),
            None => Vec::new(),
        };
        if !rest.is_empty() {
            while let Some(block) = reader.next_block().unwrap() {
                rest.extend(block.records().map(<[u8]>::to_vec));
            }
        }
        prop_assert_eq!(&rest[..], &all[place.min(all.len())..]);
    }
}
