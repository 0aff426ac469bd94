//! Copies of columns: the stored bytes are equal and get new checksums; a damaged column is not copied.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::{ColumnId, Directory, Ints, Profile, Strings};
use varvite_store::{IfExists, Result, Store, StoreWriter, Task};
use varvite_testing::vfs::MemoryVfs;

use crate::sample::{self, FILE_ID, NODES, PATH, TEXTS};

const COPY: &str = "copy.varvite";
const OTHER_ID: [u8; 16] = *b"another file id.";

/// Copies all columns that the directory names, and returns the bytes of the new file.
fn copy(store: &Store, file_id: [u8; 16]) -> Result<Vec<u8>> {
    let vfs = MemoryVfs::new();
    let profile = store.header().profile;
    let target = Arc::new(vfs.clone());
    let mut writer = StoreWriter::create(target, Path::new(COPY), IfExists::Refuse, file_id, profile)?;
    let mut directory = store.directory().clone();
    let copied = match writer.copy(store, directory.roots(), &Task::new()) {
        Ok(copied) => copied,
        Err(error) => {
            drop(writer);
            assert_eq!(vfs.paths(), [""; 0].map(Path::new));
            return Err(error);
        }
    };
    directory.renumber(|old| copied.number(old).unwrap());
    writer.finish(directory)?;
    Ok(vfs.contents(COPY).unwrap())
}

#[test]
fn a_copy_of_everything_is_the_file_itself() {
    for (codec, profile) in [(Codec::None, Profile::Direct), (Codec::Zstd, Profile::Archive)] {
        let vfs = MemoryVfs::new();
        sample::write(Arc::new(vfs.clone()), Path::new(PATH), codec, profile).unwrap();
        let bytes = vfs.contents(PATH).unwrap();
        let copied = copy(&sample::open(&bytes).unwrap(), FILE_ID).unwrap();
        assert_eq!(copied, bytes);
    }
}

#[test]
fn a_copy_under_another_id_has_checksums_of_its_own() {
    let original = sample::open(&sample::bytes()).unwrap();
    let copied = sample::open(&copy(&original, OTHER_ID).unwrap()).unwrap();
    assert_eq!(copied.header().file_id, OTHER_ID);
    assert_eq!(copied.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    for (old, new) in original.directory().segments.iter().zip(&copied.directory().segments) {
        assert_eq!((old.offset, old.stored_len, old.codec), (new.offset, new.stored_len, new.codec));
        assert_ne!(old.table_hash, new.table_hash);
    }
}

#[test]
fn columns_that_are_not_asked_for_stay_behind() {
    let original = sample::open(&sample::bytes()).unwrap();
    let property = original.directory().properties[0];
    let vfs = MemoryVfs::new();
    let target = Arc::new(vfs.clone());
    let profile = Profile::Archive;
    let mut writer =
        StoreWriter::create(target, Path::new(COPY), IfExists::Refuse, OTHER_ID, profile).unwrap();
    let copied = writer.copy(&original, property.strings, &Task::new()).unwrap();
    assert_eq!(copied.number(property.values), None);
    assert_eq!(copied.number(ColumnId(u32::MAX)), None);
    writer.finish(Directory { nodes: NODES, ..Directory::default() }).unwrap();
    let store = sample::open(&vfs.contents(COPY).unwrap()).unwrap();
    assert!(store.directory().columns.len() < original.directory().columns.len());
    let texts = Strings::open(&store, copied.number(property.strings.unwrap()).unwrap()).unwrap();
    let mut reader = texts.reader();
    let read: Vec<_> = (0..texts.len()).map(|code| reader.str(code).unwrap().to_owned()).collect();
    assert_eq!(read, TEXTS);
    assert!(Ints::open(&store, ColumnId(0)).is_ok(), "offsets of texts are the first column now");
}

#[test]
fn nothing_is_made_of_a_damaged_block() {
    let mut bytes = sample::bytes();
    let row = sample::open(&bytes).unwrap().directory().segments[1];
    bytes[row.offset as usize] ^= 1;
    let error = copy(&sample::open(&bytes).unwrap(), OTHER_ID).unwrap_err().to_string();
    assert!(error.starts_with(PATH) && error.contains("segment 1, block 0"), "{error}");
    bytes[row.offset as usize] ^= 1;
    bytes[row.table_offset() as usize] ^= 1;
    let error = copy(&sample::open(&bytes).unwrap(), OTHER_ID).unwrap_err().to_string();
    assert!(error.contains("block table of segment 1"), "{error}");
}

#[test]
fn a_root_that_does_not_exist_is_an_error() {
    let original = sample::open(&sample::bytes()).unwrap();
    let vfs = Arc::new(MemoryVfs::new());
    let mut writer =
        StoreWriter::create(vfs, Path::new(COPY), IfExists::Refuse, OTHER_ID, Profile::Direct).unwrap();
    let error = writer.copy(&original, [ColumnId(99)], &Task::new()).unwrap_err().to_string();
    assert!(error.contains("a column that exists"), "{error}");
}

#[test]
fn columns_after_a_mark_share_nothing_with_those_before() {
    use varvite_format::{Keys, Purpose, encode_ints};
    use varvite_store::prepare;

    let vfs = Arc::new(MemoryVfs::new());
    let mut writer =
        StoreWriter::create(vfs, Path::new(COPY), IfExists::Refuse, OTHER_ID, Profile::Direct).unwrap();
    let column = || {
        let column = encode_ints(&[1i64, 5, 7], Keys::None, Purpose::Numbers, Profile::Direct).unwrap();
        prepare(column, Codec::None).unwrap()
    };
    let before = writer.add(column()).unwrap();
    assert_eq!(writer.add(column()).unwrap(), before);
    writer.forget();
    let after = writer.add(column()).unwrap();
    assert_ne!(after, before);
    assert_eq!(writer.add(column()).unwrap(), after);
}
