//! Runs the target `scip` of `fuzz` a few thousand times, with changed indexes and with random bytes.

use proptest::prelude::*;
use varvite_testing::scip_index::{DEFINITION, ScipDocument, ScipIndex, symbol};
use varvite_testing::targets::scip::import_scip;

fn index() -> Vec<u8> {
    let [f, a] = ["f().", "A#"].map(symbol);
    let document = ScipDocument::at("a.py")
        .text(5, "f(1)\nf(2)")
        .enclosing(&[0, 0, 1], &f, DEFINITION, &[0, 0, 9, 0])
        .occurrence(&[1, 0, 1], &f, 0)
        .occurrence(&[1, 2, 3], "local 1", DEFINITION)
        .information(&a, 7, "A", &[&f]);
    ScipIndex::new().document(document).bytes()
}

proptest! {
    #[test]
    fn changed_indexes_are_imported_or_refused(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4)
    ) {
        let mut index = index();
        let len = index.len();
        for (at, byte) in changes {
            index[at % len] = byte;
        }
        import_scip(&index);
    }

    #[test]
    fn random_bytes_are_imported_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        import_scip(&bytes);
    }
}
