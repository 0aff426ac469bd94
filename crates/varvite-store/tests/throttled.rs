//! Tests of the limit on bytes written per second.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use varvite_store::vfs::ThrottledVfs;
use varvite_store::{Cancel, StoreError, Vfs};
use varvite_testing::vfs::MemoryVfs;

#[test]
fn so_many_bytes_are_written_in_a_second_until_it_is_let_go_or_cancelled() {
    let (memory, cancel) = (MemoryVfs::new(), Cancel::default());
    let vfs = ThrottledVfs::over(Arc::new(memory.clone()), 10_000, &cancel);
    let file = vfs.create_new(Path::new("file")).unwrap();
    let began = Instant::now();
    (0..4).for_each(|part| file.write_all_at(part * 500, &[0; 500]).unwrap());
    assert!(began.elapsed() >= Duration::from_millis(150), "the first need not wait");
    file.write_all_at(2_000, &[1; 1_000_000]).unwrap();
    cancel.cancel();
    assert!(matches!(file.write_all_at(0, &[2]), Err(StoreError::Cancelled)), "a hundred seconds are left");
    vfs.let_go();
    file.write_all_at(0, &[3]).unwrap();
    assert_eq!(memory.contents("file").unwrap()[0], 3);
}
