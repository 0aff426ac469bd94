//! Tests of blocks of runs: random runs are read as they were written, and damage is refused.

use proptest::prelude::*;

use super::content::RunLimits;
use super::*;
use crate::schema::REFERENCE_LEN;

const ANCHORS: u64 = 1 << 10;
const LIMITS: RunLimits = RunLimits { plain: 1 << 20, split: 1 << 21, times: 100 };

fn head(kind: u16, size: u16) -> [u8; 4] {
    let ([k0, k1], [s0, s1]) = (kind.to_le_bytes(), size.to_le_bytes());
    [k0, k1, s0, s1]
}

fn fixed(kind: u16, size: u16, value: u64) -> RunRecord {
    RunRecord { head: head(kind, size), value: RunValue::Fixed(value) }
}

fn of_run(kind: u16, size: u16) -> RunRecord {
    RunRecord { head: head(kind, size), value: RunValue::OfRun }
}

fn beside(kind: u16, size: u16, back: u8, offset: u64) -> RunRecord {
    RunRecord { head: head(kind, size), value: RunValue::Beside { back, offset } }
}

/// A run: the place of its shape, and its values.
type Run = (usize, Vec<Option<u64>>);

/// Encodes runs, and returns the content of the block and the records that it must have.
fn encoded(shapes: &[RunShape], runs: &[Run]) -> (Vec<u8>, Vec<u8>) {
    let mut encoder = RunEncoder::new(ANCHORS, LIMITS);
    let mut expected = Vec::new();
    for (shape, values) in runs {
        let records = shapes[*shape].expand(values.iter().copied());
        assert_eq!(encoder.push(&shapes[*shape], values.iter().copied()), Some(records.len()));
        expected.extend(records.concat());
    }
    let mut block = RunBlock::default();
    encoder.end_block(&mut block);
    let mut split = vec![0; LIMITS.split];
    let len = block.write(&mut split);
    split.truncate(len);
    (split, expected)
}

fn decoded(split: &[u8], plain_len: usize) -> Result<Vec<u8>, super::super::Malformed> {
    let mut plain = vec![0; plain_len];
    decode(split, ANCHORS, &mut RunTables::default(), &mut plain).map(|()| plain)
}

#[test]
fn a_loop_over_an_array_becomes_a_byte_a_turn() {
    let records = [fixed(10, 4, 0x1000), of_run(0, 8), beside(1, 8, 1, 16), fixed(10, 2, 0x1004)];
    let shapes = [RunShape::new(7, &records).unwrap()];
    let runs: Vec<Run> = (0..50).map(|turn| (0, vec![Some(0x8000 + 8 * turn)])).collect();
    let (split, plain) = encoded(&shapes, &runs);
    assert_eq!(plain.len(), 50 * 4 * REFERENCE_LEN);
    assert_eq!(decoded(&split, plain.len()).unwrap(), plain);
    let lengths = split[..24].as_chunks::<4>().0.iter().map(|length| u32::from_le_bytes(*length));
    let lengths: Vec<_> = lengths.collect();
    // The first two values have differences of three bytes and one; the third one says the stride.
    assert_eq!(lengths, [1, 4, 4, 50, 0, 3]);
    assert_eq!(split.len(), 24 + 1 + 4 * 5 + 4 + 50 + 3 + 4);
    assert_eq!(split[24 + 1 + 4 * 5 + 4..][..50], [&[2 + 4, 4, 4][..], &[0; 47]].concat());
}

#[test]
fn shapes_that_no_run_can_have_are_refused() {
    assert!(RunShape::new(0, &[]).is_none());
    assert!(RunShape::new(0, &[of_run(0, 1); RUN_RECORDS_MAX]).is_some());
    assert!(RunShape::new(0, &[of_run(0, 1); RUN_RECORDS_MAX + 1]).is_none());
    for back in [0, 2, 255] {
        assert!(RunShape::new(0, &[of_run(0, 1), beside(1, 1, back, 0)]).is_none(), "{back}");
    }
}

#[test]
fn a_record_beside_one_that_did_not_happen_did_not_happen() {
    let records = [of_run(0, 8), fixed(1, 4, 9), beside(1, 8, 2, 16), beside(1, 8, 1, 1), beside(0, 2, 3, 5)];
    let shape = RunShape::new(0, &records).unwrap();
    let of = |value| shape.expand([value]).iter().map(|record| record[4]).collect::<Vec<_>>();
    assert_eq!((of(Some(20)), of(None)), (vec![20, 9, 36, 37, 14], vec![9, 14]));
    let runs = [(0, vec![None]), (0, vec![Some(20)]), (0, vec![])];
    let (split, plain) = encoded(&[shape], &runs);
    assert_eq!(decoded(&split, plain.len()).unwrap(), plain);
}

#[test]
fn a_block_ends_before_it_exceeds_a_limit() {
    let shape = RunShape::new(3, &[of_run(0, 8), of_run(1, 8)]).unwrap();
    let limits = RunLimits { plain: 10 * REFERENCE_LEN, split: 300, times: 2 };
    let values = |value: u64| [Some(value), Some(value << 40)].into_iter();
    let mut encoder = RunEncoder::new(ANCHORS, limits);
    let pushed = (0..9).take_while(|turn| encoder.push(&shape, values(*turn)).is_some()).count();
    assert_eq!(pushed, 5, "ten records");
    let mut block = RunBlock::default();
    encoder.end_block(&mut block);
    assert_eq!((block.records(), encoder.is_empty()), (10, true));
    let mut narrow = RunEncoder::new(ANCHORS, RunLimits { split: 100, ..limits });
    let pushed = (0..9).take_while(|turn| narrow.push(&shape, values(*turn)).is_some()).count();
    narrow.end_block(&mut block);
    let mut split = [0; 100];
    assert!(pushed < 5 && block.write(&mut split) <= 100, "{pushed}");
    let mut timed = RunEncoder::new(ANCHORS, limits);
    let in_time = |encoder: &mut RunEncoder, time| {
        encoder.advance_time(time);
        encoder.push(&shape, values(1)).is_some()
    };
    assert!(in_time(&mut timed, 1) && in_time(&mut timed, 2) && !in_time(&mut timed, 3));
}

#[test]
fn single_records_are_runs_too() {
    let mut encoder = RunEncoder::new(ANCHORS, LIMITS);
    let records: Vec<[u8; REFERENCE_LEN]> =
        (0..9u8).map(|at| [at % 3, 0, 8, 0, at, 0, 0, at, 0, 0, 0, 0]).collect();
    assert!(records.iter().all(|record| encoder.push_record(record)));
    let mut block = RunBlock::default();
    encoder.end_block(&mut block);
    let mut split = vec![0; LIMITS.split];
    let len = block.write(&mut split);
    assert_eq!(decoded(&split[..len], 9 * REFERENCE_LEN).unwrap(), records.concat());
}

#[test]
fn impossible_parts_are_refused() {
    let shape = RunShape::new(0, &[fixed(10, 4, 1), of_run(0, 8), beside(0, 8, 1, 1)]).unwrap();
    let runs: Vec<Run> = (0..9).map(|turn| (0, vec![Some(turn * turn)])).collect();
    let (split, plain) = encoded(&[shape], &runs);
    assert!(decoded(&split, plain.len()).is_ok());
    assert!(decoded(&split, plain.len() - REFERENCE_LEN).is_err(), "too many records");
    assert!(decoded(&split, plain.len() + REFERENCE_LEN).is_err(), "too few records");
    assert!(decoded(&[&split[..], &[0]].concat(), plain.len()).is_err(), "a byte too many");
    (0..split.len()).for_each(|len| assert!(decoded(&split[..len], plain.len()).is_err(), "{len} bytes"));
    // The sizes, a form, a run, and a code, with values that they cannot have.
    let forms = 24 + 1 + 4 * 3;
    let (run, code) = (forms + 3 + 3, forms + 3 + 3 + 9);
    for (at, value) in
        [(24, 0), (24, 2), (24, 161), (forms, 19), (forms, 255), (run, 8), (run, 0), (code, 12)]
    {
        let mut changed = split.clone();
        changed[at] = value;
        assert!(decoded(&changed, plain.len()).is_err(), "{value} at {at}");
    }
}

fn records() -> impl Strategy<Value = Vec<RunRecord>> {
    let value = prop_oneof![
        any::<u64>().prop_map(RunValue::Fixed),
        (0u64..99).prop_map(RunValue::Fixed),
        Just(RunValue::OfRun),
        Just(RunValue::OfRun),
        (1u8..4, prop_oneof![0u64..99, any::<u64>()])
            .prop_map(|(back, offset)| RunValue::Beside { back, offset }),
    ];
    let record = (0u16..12, 0u16..9, value)
        .prop_map(|(kind, size, value)| RunRecord { head: head(kind, size), value });
    proptest::collection::vec(record, 1..12).prop_map(|mut records| {
        // A record lies beside one that there is.
        for (at, record) in records.iter_mut().enumerate() {
            if let RunValue::Beside { back, .. } = &mut record.value {
                *back = (*back).min(at as u8);
                if at == 0 {
                    record.value = RunValue::OfRun;
                }
            }
        }
        records
    })
}

proptest! {
    #[test]
    fn any_runs_come_back(
        shapes in proptest::collection::vec(records(), 1..6),
        runs in proptest::collection::vec(
            (any::<usize>(), proptest::collection::vec(
                prop_oneof![(0u64..40).prop_map(Some), any::<u64>().prop_map(Some), Just(None)], 0..12,
            )), 0..60,
        ),
    ) {
        let shapes: Vec<_> =
            shapes.iter().enumerate().map(|(key, records)| RunShape::new(key as u32, records).unwrap()).collect();
        let runs: Vec<Run> = runs.into_iter().map(|(shape, values)| (shape % shapes.len(), values)).collect();
        let (split, plain) = encoded(&shapes, &runs);
        prop_assert_eq!(decoded(&split, plain.len()).unwrap(), plain);
    }

    #[test]
    fn any_bytes_are_records_or_an_error(
        lengths in proptest::collection::vec(0u32..9, 6), bytes in proptest::collection::vec(0u8..20, 0..90), records in 0usize..40,
    ) {
        let split = lengths.into_iter().flat_map(u32::to_le_bytes).chain(bytes).collect::<Vec<_>>();
        let _ = decoded(&split, records * REFERENCE_LEN);
    }

    #[test]
    fn a_changed_byte_is_records_or_an_error(at: usize, value: u8) {
        let shape = RunShape::new(0, &[fixed(10, 4, 1), of_run(0, 8), beside(0, 8, 1, 1)]).unwrap();
        let runs: Vec<Run> = (0..30).map(|turn| (0, vec![(turn % 7 > 0).then_some(turn * turn)])).collect();
        let (mut split, plain) = encoded(&[shape], &runs);
        let at = at % split.len();
        split[at] = value;
        let _ = decoded(&split, plain.len());
    }
}
