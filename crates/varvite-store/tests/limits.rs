//! Memory: the bytes that are decoded, cached and freed, and the effect of a damaged block on its neighbours.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::{ColumnId, Profile, SegmentId, Strings, StringsInput, encode_strings};
use varvite_store::{
    IfExists, MemoryLimits, MemoryState, OpenMode, Pinned, SharedBudget, Store, StoreError, StoreOptions,
    StoreWriter, prepare,
};
use varvite_testing::vfs::MemoryVfs;

use crate::sample::{self, FILE_ID, PATH};

const TEXTS: u32 = 40_000;

fn text(code: u32) -> String {
    format!("text {code} of {TEXTS}, {}", code.wrapping_mul(2_654_435_761))
}

/// Writes a file with one large string table, whose pool is compressed.
fn write_texts() -> (MemoryVfs, ColumnId) {
    let vfs = MemoryVfs::new();
    let texts: Vec<String> = (0..TEXTS).map(text).collect();
    let ends = texts.iter().scan(0, |end, text| {
        *end += text.len() as u32;
        Some(*end)
    });
    let (pool, starts) = (texts.concat(), std::iter::once(0).chain(ends).collect::<Vec<u32>>());
    let input = StringsInput { pool: pool.as_bytes(), starts: &starts, lengths: None, sorted: false };
    let column = encode_strings(input, Profile::Archive).unwrap();
    let mut writer = StoreWriter::create(
        Arc::new(vfs.clone()),
        Path::new(PATH),
        IfExists::Refuse,
        FILE_ID,
        Profile::Archive,
    )
    .unwrap();
    let column = writer.add(prepare(column, Codec::Zstd).unwrap()).unwrap();
    writer.finish(empty_directory()).unwrap();
    (vfs, column)
}

fn empty_directory() -> varvite_format::Directory {
    varvite_format::Directory { nodes: 0, ..Default::default() }
}

fn open(vfs: &MemoryVfs, decoded_bytes_max: u64) -> Store {
    let limits = MemoryLimits { decoded_bytes_max, ..MemoryLimits::default() };
    Store::open(vfs, Path::new(PATH), StoreOptions { limits, ..OpenMode::Mapped.into() }).unwrap()
}

fn store_row(store: &Store) -> &varvite_format::SegmentRow {
    &store.directory().segments[pool_of(store).index()]
}

/// The segment of the string pool, which is the largest.
fn pool_of(store: &Store) -> SegmentId {
    let rows = store.directory().segments.iter().enumerate();
    SegmentId(rows.max_by_key(|(_, row)| row.plain_len).unwrap().0 as u32)
}

#[test]
fn one_text_costs_one_block() {
    let (vfs, column) = write_texts();
    let store = open(&vfs, 1 << 30);
    let strings = Strings::open(&store, column).unwrap();
    let before = store.ledger().total(MemoryState::Decoded);
    let middle = strings.get(TEXTS / 2).unwrap();
    assert_eq!(&*middle, text(TEXTS / 2).as_bytes());
    let pool = &store.directory().segments[pool_of(&store).index()];
    assert!(pool.blocks() > 4, "{} blocks", pool.blocks());
    let block = u64::from(pool.block_len);
    assert_eq!(store.ledger().total(MemoryState::Decoded) - before, block);
    drop(middle);
    store.release();
    assert_eq!(store.ledger().total(MemoryState::Decoded), before, "the columns in use stay, the block goes");
}

#[test]
fn readers_of_a_segment_share_what_one_of_them_decoded() {
    let (vfs, column) = write_texts();
    let store = open(&vfs, 1 << 30);
    let read = || {
        let strings = Strings::open(&store, column).unwrap();
        assert_eq!(&*strings.get(TEXTS / 2).unwrap(), text(TEXTS / 2).as_bytes());
    };
    read();
    let decoded = store.decoded_bytes();
    read();
    assert_eq!(store.decoded_bytes(), decoded);
    let ledger = store.ledger().total(MemoryState::Decoded);
    store.release();
    assert!(store.ledger().total(MemoryState::Decoded) < ledger);
}

#[test]
fn reading_every_text_stays_within_the_limit() {
    let (vfs, column) = write_texts();
    let store = open(&vfs, 0);
    let strings = Strings::open(&store, column).unwrap();
    let columns = store.ledger().total(MemoryState::Decoded);
    let block = u64::from(store.directory().segments[pool_of(&store).index()].block_len);
    let mut reader = strings.reader();
    for code in 0..TEXTS {
        assert_eq!(reader.str(code), Some(&*text(code)));
        let held = store.ledger().total(MemoryState::Decoded) - columns;
        assert!(held <= 2 * block, "{held} bytes at text {code}");
    }
    assert!(store.failures().first().is_none());
}

#[test]
fn a_pass_over_more_than_is_kept_keeps_its_beginning() {
    let (vfs, column) = write_texts();
    let block = u64::from(store_row(&open(&vfs, 0)).block_len);
    // The budget for blocks is three and a quarter blocks, so the last, short block does not fit.
    let store = open(&vfs, 4 * block);
    let strings = Strings::open(&store, column).unwrap();
    let columns = store.ledger().total(MemoryState::Decoded);
    let (parts, mut buffer) = (strings.pool_len().div_ceil(strings.part_len()), Vec::new());
    assert!(parts > 4);
    for _ in 0..2 {
        let pool: Vec<u8> =
            (0..parts).flat_map(|part| strings.part(part, &mut buffer).unwrap().to_vec()).collect();
        assert_eq!(pool, (0..TEXTS).map(text).collect::<String>().as_bytes());
        let kept = store.ledger().total(MemoryState::Decoded) - columns;
        assert_eq!(kept, 3 * block, "what columns leave, and seven eighths at most");
        let is_kept = |part: usize| strings.part(part, &mut Vec::new()).unwrap().into_held().is_ok();
        assert!((0..3).all(is_kept) && !(3..parts).any(is_kept));
    }
    let limit = 7 * block;
    let store = open(&vfs, limit);
    let strings = Strings::open(&store, column).unwrap();
    let columns = store.ledger().total(MemoryState::Decoded);
    (0..parts).for_each(|part| assert!(strings.part(part, &mut buffer).is_some()));
    let whole = store.load(pool_of(&store)).unwrap();
    let kept = store.ledger().total(MemoryState::Decoded) - columns - whole.len() as u64;
    let left = limit - columns - whole.len() as u64;
    assert!(kept <= left && left - kept < block, "{kept} of {left} bytes: what columns leave now");
    assert!(kept < 3 * block);
    assert!(store.failures().first().is_none());
}

#[test]
fn texts_outlive_store_and_table() {
    let (vfs, column) = write_texts();
    let store = open(&vfs, 0);
    let strings = Strings::open(&store, column).unwrap();
    drop(store);
    drop(vfs);
    assert_eq!(strings.get(7).as_deref(), Some(text(7).as_bytes()));
}

#[test]
fn a_damaged_block_is_named_and_leaves_its_neighbours() {
    let (vfs, column) = write_texts();
    let store = open(&vfs, 1 << 30);
    let row = store.directory().segments[pool_of(&store).index()];
    let mut bytes = vfs.contents(PATH).unwrap();
    let last_byte = row.offset + row.stored_len - 1;
    bytes[last_byte as usize] ^= 1;
    vfs.put("damaged", &bytes);
    let store = Store::open(&vfs, Path::new("damaged"), OpenMode::Mapped).unwrap();
    let strings = Strings::open(&store, column).unwrap();
    assert_eq!(strings.get(0).as_deref(), Some(text(0).as_bytes()));
    assert!(store.failures().first().is_none());
    assert!(strings.get(TEXTS - 1).is_none());
    let failure = store.failures().first().unwrap().to_string();
    let block = format!("segment {}, block {}", pool_of(&store).0, row.blocks() - 1);
    assert!(failure.contains(&block), "{failure}");
}

#[test]
fn a_pass_tells_of_a_damaged_block() {
    let (vfs, column) = write_texts();
    let row = *store_row(&open(&vfs, 0));
    let mut bytes = vfs.contents(PATH).unwrap();
    bytes[(row.offset + row.stored_len - 1) as usize] ^= 1;
    vfs.put(PATH, &bytes);
    for limit in [0, 1 << 30] {
        let store = open(&vfs, limit);
        let strings = Strings::open(&store, column).unwrap();
        let last = row.blocks() as usize - 1;
        let is_there = |part| strings.part(part, &mut Vec::new()).is_some();
        assert_eq!((is_there(0), is_there(last), is_there(last + 1)), (true, false, false));
        let failure = store.failures().first().unwrap().to_string();
        assert!(failure.contains(&format!("block {last}")), "{failure}");
    }
}

/// The numbers of the segments that the store has in buffers.
fn decoded(store: &Store) -> Vec<u32> {
    let rows = store.ledger().snapshot().into_iter();
    rows.filter(|row| row.state == MemoryState::Decoded).map(|row| row.account.0).collect()
}

#[test]
fn columns_nobody_holds_make_room_for_others() {
    let (vfs, [one, other]) = (MemoryVfs::new(), [0, 1].map(SegmentId));
    vfs.put(PATH, &sample::bytes());
    let store = open(&vfs, 1);
    let pin: Pinned = store.load(one).unwrap();
    store.load(other).unwrap();
    assert_eq!(decoded(&store), [0, 1], "a pin is never refused, and what was asked for last stays");
    drop(pin);
    store.load(SegmentId(2)).unwrap();
    let kept = decoded(&store);
    assert!(!kept.contains(&0) && kept.contains(&2), "{kept:?}");
    assert_eq!(store.ledger().total(MemoryState::Pinned), 0);
}

#[test]
fn a_pin_beyond_the_limit_is_refused() {
    let (vfs, _) = write_texts();
    let plain = store_row(&open(&vfs, 0)).plain_len;
    let open_within = |bytes| {
        let store = open(&vfs, 0);
        store.limit_memory(store.ledger().anonymous() + bytes);
        store
    };
    let store = open_within(plain - 1);
    let error = store.load(pool_of(&store)).unwrap_err();
    assert!(matches!(error, StoreError::OverBudget { limit, needed } if needed == limit + 1));
    assert_eq!(store.ledger().total(MemoryState::Decoded), 0, "nothing was decoded");
    let store = open_within(plain);
    assert_eq!(store.load(pool_of(&store)).unwrap().len() as u64, plain);
}

/// Opens a store that shares a budget.
fn open_with(vfs: &MemoryVfs, budget: &SharedBudget) -> Store {
    let options = StoreOptions { budget: Some(budget.clone()), ..OpenMode::Mapped.into() };
    Store::open(vfs, Path::new(PATH), options).unwrap()
}

/// The number of bytes of a budget that a store holds before any read: its tables and its bookkeeping.
fn held_when_opened(vfs: &MemoryVfs) -> u64 {
    let budget = SharedBudget::new(1 << 20);
    let store = open_with(vfs, &budget);
    let (held, tables) = (budget.held(), store.ledger().anonymous());
    assert!(held > tables && held < 2 * tables + 10_000, "{held} bytes with tables of {tables}");
    held
}

#[test]
fn what_stores_hold_counts_against_their_budget_together() {
    let (vfs, _) = write_texts();
    let plain = store_row(&open(&vfs, 0)).plain_len;
    let of_each = held_when_opened(&vfs);
    let budget = SharedBudget::new(3 * of_each + 2 * plain);
    let stores = [(); 3].map(|()| open_with(&vfs, &budget));
    assert_eq!(budget.held(), 3 * of_each);
    let pins = [0, 1].map(|store: usize| stores[store].load(pool_of(&stores[store])).unwrap());
    assert_eq!(budget.held(), budget.limit());
    let error = stores[2].load(pool_of(&stores[2])).unwrap_err();
    assert!(matches!(error, StoreError::OverBudget { limit, needed } if needed == limit + plain), "{error}");
    // Bytes without a reader are freed to make room, whichever store holds them.
    drop(pins);
    assert_eq!(stores[2].load(pool_of(&stores[2])).unwrap().len() as u64, plain);
    assert!(budget.held() <= budget.limit());
    drop(stores);
    assert_eq!((budget.held(), budget.kept()), (0, 0));
}

#[test]
fn of_stores_with_one_budget_the_least_recently_used_columns_go_first() {
    let (vfs, _) = write_texts();
    let plain = store_row(&open(&vfs, 0)).plain_len;
    // Half of the budget is for cached buffers, and seven eighths of that half are for columns: a little more
    // than two columns.
    let budget = SharedBudget::new(plain * 5);
    let stores = [(); 3].map(|()| open_with(&vfs, &budget));
    let read = |store: usize| drop(stores[store].load(pool_of(&stores[store])).unwrap());
    let kept = || stores.each_ref().map(|store| store.ledger().total(MemoryState::Decoded) == plain);
    [0, 1, 2].into_iter().for_each(read);
    assert_eq!(kept(), [false, true, true]);
    [1, 0].into_iter().for_each(read);
    assert_eq!(kept(), [true, true, false], "the second was read again");
    // If one store frees its buffers, the other stores keep theirs.
    stores[0].release();
    assert_eq!((kept(), budget.kept()), ([false, true, false], plain));
}

#[test]
fn a_store_that_is_closed_leaves_its_budget_but_for_what_readers_hold() {
    let (vfs, column) = write_texts();
    let budget = SharedBudget::new(64 << 20);
    let store = open_with(&vfs, &budget);
    let strings = Strings::open(&store, column).unwrap();
    let whole = store.load(pool_of(&store)).unwrap();
    drop(store);
    assert_eq!(strings.get(7).as_deref(), Some(text(7).as_bytes()));
    let of_readers = budget.held();
    drop(strings);
    assert!(budget.held() < of_readers, "the table and its blocks are gone");
    assert_eq!((budget.held(), budget.kept()), (whole.len() as u64, 0));
    drop(whole);
    assert_eq!(budget.held(), 0);
}

#[test]
fn tables_without_room_in_the_budget_are_refused() {
    let (vfs, _) = write_texts();
    let tables = held_when_opened(&vfs);
    let options = |bytes| StoreOptions { budget: Some(SharedBudget::new(bytes)), ..OpenMode::Mapped.into() };
    let open = |bytes| Store::open(&vfs, Path::new(PATH), options(bytes));
    assert!(matches!(open(tables - 1), Err(StoreError::OverBudget { .. })));
    assert!(open(tables).is_ok());
}
