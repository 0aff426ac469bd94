//! SCIP indexes that claim more than they have, or whose content a careless loop would read again and again.

use varvite_testing::scip_index::{DEFINITION, ScipDocument, ScipIndex, symbol};

use crate::bomb::zstd_run;
use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Scip,
        &[
            ("half-of-an-index", || {
                let whole = one(small());
                whole[..whole.len() - 5].to_vec()
            }),
            ("a-document-of-2^63-bytes", || {
                let claim = [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
                [ScipIndex::new().bytes(), claim.to_vec()].concat()
            }),
            ("a-range-that-goes-backwards", || one(small().occurrence(&[3, 9, 2], &symbol("f()."), 0))),
            ("a-range-of-huge-numbers", || one(small().occurrence(&[u64::MAX; 4], &symbol("f()."), 0))),
            ("an-index-that-is-not-utf-8", || ScipIndex::new().field(2, b"\x0a\x02\xff\xfe").bytes()),
            ("an-index-without-metadata", || ScipIndex::default().document(small()).bytes()),
            ("a-million-occurrences-of-one-symbol", || {
                let text = symbol("f().");
                one((0..1_000_000)
                    .fold(small(), |document, number| document.occurrence(&[number, 0, 1], &text, 0)))
            }),
            ("100000-definitions-of-one-symbol-in-each-other", || {
                let text = symbol("f().");
                one((0..100_000).fold(small(), |document, number| {
                    document.enclosing(&[number, 0, 1], &text, DEFINITION, &[number, 0, 1_000_000, 0])
                }))
            }),
            ("100000-methods-in-each-other", || {
                one((0..100_000).fold(small(), |document, number| {
                    let text = symbol(&format!("f{number}()."));
                    document.enclosing(&[number, 0, 1], &text, DEFINITION, &[number, 0, 1_000_000, 0])
                }))
            }),
            ("calls-at-both-ends-of-a-line-of-a-megabyte", || {
                let document = small().text(5, &"é".repeat(1 << 20));
                let text = symbol("f().");
                one((0..100_000).fold(document, |document, number| {
                    let start = if number % 2 == 0 { 0 } else { 1 << 20 };
                    document.occurrence(&[0, start, start + 1 + number % 7], &text, 0)
                }))
            }),
            ("100000-references-in-a-line-of-blanks", || {
                let (document, text) = (small().text(5, &" ".repeat(1 << 20)), symbol("f()."));
                one((0..100_000).fold(document, |document, number| {
                    document.occurrence(&[0, number, number + 1], &text, 0)
                }))
            }),
            ("a-name-of-a-megabyte-of-100000-references", || {
                let document = small().information("local 1", 0, &"x".repeat(1 << 20), &[]);
                one((0..100_000)
                    .fold(document, |document, number| document.occurrence(&[number, 0, 1], "local 1", 0)))
            }),
            ("a-path-of-a-megabyte", || one(ScipDocument::at(&"x".repeat(1 << 20)))),
            ("100000-definitions-of-a-long-path", || {
                let document = ScipDocument::at(&"x".repeat(1024));
                one((0..100_000).fold(document, |document, number| {
                    document.occurrence(&[number, 0, 1], &format!("a . . . {number:x}()."), DEFINITION)
                }))
            }),
            ("a-symbol-of-a-megabyte-of-descriptors", || {
                one(small().occurrence(&[0, 0, 1], &symbol(&"a/".repeat(1 << 19)), DEFINITION))
            }),
            ("symbols-that-contain-each-other", || {
                one((1..2_000).fold(small(), |document, number| {
                    document.occurrence(&[number, 0, 1], &symbol(&"a/".repeat(number as usize)), DEFINITION)
                }))
            }),
            ("a-million-documents-of-one-path", || {
                let index = (0..1_000_000)
                    .fold(ScipIndex::new(), |index, _| index.document(ScipDocument::at("nodes.csv")));
                index.bytes()
            }),
            ("paths-that-lead-elsewhere", || {
                let paths =
                    ["/etc/passwd", "../../../../etc/passwd", "a/../../b", "C:\\x", "\0", "/dev/zero"];
                let text = symbol("f().");
                paths
                    .iter()
                    .fold(ScipIndex::new(), |index, path| {
                        index.document(ScipDocument::at(path).occurrence(&[0, 0, 1], &text, 0))
                    })
                    .bytes()
            }),
            ("a-symbol-with-the-key-of-a-file", || one(small().occurrence(&[5, 0, 1], "\0a.py", DEFINITION))),
            ("a-million-relationships-of-one-symbol", || {
                let other = symbol("A#");
                one(small().information(&symbol("B#"), 7, "", &vec![&*other; 1_000_000]))
            }),
            ("two-gigabytes-of-blanks-in-zstd", || zstd_run(&ScipIndex::new().bytes(), b' ', b"")),
            ("two-gigabytes-in-a-field-in-zstd", || {
                // An unknown field of two gigabytes.
                let head = [ScipIndex::new().bytes(), vec![0x4a, 0x80, 0x80, 0x80, 0x80, 0x08]].concat();
                zstd_run(&head, b'x', b"")
            }),
        ],
    )
}

/// A document with one method.
fn small() -> ScipDocument {
    ScipDocument::at("a.py").occurrence(&[0, 4, 5], &symbol("f()."), DEFINITION)
}

fn one(document: ScipDocument) -> Vec<u8> {
    ScipIndex::new().document(document).bytes()
}
