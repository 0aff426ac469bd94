//! Tables of nodes and GraphML documents with endless rows, names or elements.

use crate::bomb::zstd_run;
use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    [tables(), documents()].concat()
}

fn tables() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Table,
        &[
            ("a-quote-that-is-never-closed", || [&b":ID,name\n1,\""[..], &vec![b'x'; 70 << 20]].concat()),
            ("a-row-of-a-million-fields", || [&b":ID\n"[..], &vec![b','; 1_000_000]].concat()),
            ("a-header-of-a-million-columns", || vec![b','; 1_000_000]),
            ("3000-properties-of-50000-nodes", || {
                let columns: String = (0..3_000).map(|number| format!(",p{number}:int")).collect();
                let rows: String = (0..50_000).map(|number| format!("{number},1\n")).collect();
                format!(":ID{columns}\n{rows}").into_bytes()
            }),
            ("20000-labels", || {
                let rows: String = (0..20_000).map(|number| format!("{number},L{number}\n")).collect();
                format!(":ID,:LABEL\n{rows}").into_bytes()
            }),
            ("16000-labels-of-16000-label-sets", || {
                let rows: String = (0..16_000).map(|number| format!("{number},L{number};L0\n")).collect();
                format!(":ID,:LABEL\n{rows}").into_bytes()
            }),
            ("a-node-of-a-million-labels", || [&b":ID,:LABEL\n1,"[..], &b"A;".repeat(1_000_000)].concat()),
            ("a-list-of-4-million-values", || {
                [&b":ID,list:byte[]\n1,"[..], &b"1;".repeat(4_000_000), &b"1\n"[..]].concat()
            }),
            ("a-million-nodes-without-an-id", || [&b"name\n"[..], &b"x\n".repeat(1_000_000)].concat()),
            ("a-million-empty-lines", || [&b":ID\n"[..], &vec![b'\n'; 1_000_000]].concat()),
            ("the-same-id-100000-times", || [&b":ID\n"[..], &b"1\n".repeat(100_000)].concat()),
            ("ids-of-one-megabyte", || {
                let id = |number: usize| format!("{}{number}\n", "x".repeat(1 << 20));
                [":ID\n".to_owned(), (0..30).map(id).collect()].concat().into_bytes()
            }),
            ("a-table-that-is-not-utf-8", || b":ID,name\n1,\xff\n".to_vec()),
            ("a-table-of-zeros", || vec![0; 100_000]),
            ("numbers-of-10000-digits", || format!(":ID,n:long\n1,{}\n", "9".repeat(10_000)).into_bytes()),
            ("a-gzip-file-of-one-gigabyte-of-zeros", gzip_bomb),
            ("two-gigabytes-of-empty-lines-in-zstd", || zstd_run(b":ID\na\n", b'\n', b"b\n")),
            ("a-gigabyte-of-empty-lines-in-gzip", gzip_of_empty_lines),
        ],
    )
}

fn documents() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Graphml,
        &[
            ("100000-elements-in-each-other", || {
                format!("<graphml><graph><node id='a'>{}", "<data key='k'>".repeat(100_000)).into_bytes()
            }),
            ("entities-of-entities", || {
                let mut text = "<!DOCTYPE graphml [<!ENTITY e0 'x'>".to_owned();
                for number in 1..30 {
                    text.push_str(&format!("<!ENTITY e{number} '&e{0};&e{0};'>", number - 1));
                }
                text.push_str(
                    "]><graphml><key id='k'/><graph><node id='a'><data key='k'>&e29;</data></node>",
                );
                (text + "</graph></graphml>").into_bytes()
            }),
            ("an-entity-that-lies-elsewhere", || {
                let entity = "<!DOCTYPE graphml [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>";
                inside_of(
                    &format!("{entity}<graphml><key id='k'/>"),
                    "<node id='a'><data key='k'>&e;</data></node>",
                )
            }),
            ("a-tag-of-70-megabytes", || inside("", &format!("<node id='{}'/>", "x".repeat(70 << 20)))),
            ("100000-attributes-of-one-name", || {
                inside("", &format!("<node {}/>", "id='a' ".repeat(100_000)))
            }),
            ("20000-keys", || {
                let key = |number| format!("<key id='k{number}' for='all' attr.name='n{number}'/>");
                inside(&(0..20_000).map(key).collect::<String>(), "")
            }),
            ("60-defaults-of-a-megabyte", || {
                let default = "x".repeat(1 << 20);
                let key =
                    |number| format!("<key id='k{number}' for='node'><default>{default}</default></key>");
                let node = |number| format!("<node id='{number}'/>");
                inside(&(0..60).map(key).collect::<String>(), &(0..20_000).map(node).collect::<String>())
            }),
            ("a-million-edges-to-nowhere", || {
                let edge = |number| format!("<edge source='s{number}' target='t{number}'/>");
                inside("", &(0..1_000_000).map(edge).collect::<String>())
            }),
            ("16000-edge-labels-of-50-keys", || {
                let key = |number| format!("<key id='k{number}' for='edge'><default>1</default></key>");
                let edge = |number| format!("<edge source='a' target='a' label='L{number}'/>");
                let edges: String = (0..16_000).map(edge).collect();
                inside(&(0..50).map(key).collect::<String>(), &format!("<node id='a'/>{edges}"))
            }),
            ("a-list-of-brackets", || {
                let list = format!("<node id='a'><data key='k'>{}</data></node>", "[".repeat(100_000));
                inside("<key id='k' attr.list='long'/>", &list)
            }),
            ("a-node-twice", || inside("", "<node id='a'/><node id='a'/>")),
            ("half-of-a-document", || b"<graphml><graph><node id='a'".to_vec()),
            ("a-document-that-is-not-utf-8", || {
                inside("", "<node id='a'/>").into_iter().chain([0xff]).collect()
            }),
            ("a-document-of-another-kind", || b"<html><body/></html>".to_vec()),
            ("two-gigabytes-of-blanks-in-zstd", || {
                zstd_run(b"<graphml><graph edgedefault='directed'>", b' ', b"</graph></graphml>")
            }),
            ("two-gigabytes-of-blanks-in-a-tag-in-zstd", || zstd_run(b"<graphml ", b' ', b"/>")),
        ],
    )
}

fn inside(keys: &str, graph: &str) -> Vec<u8> {
    inside_of(&format!("<graphml>{keys}"), graph)
}

fn inside_of(head: &str, graph: &str) -> Vec<u8> {
    format!("{head}<graph edgedefault='directed'>{graph}</graph></graphml>").into_bytes()
}

fn gzip_of_empty_lines() -> Vec<u8> {
    use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
    let mut writer = FrameWriter::new(Framing::Gzip, 6, Vec::new(), &FrameOptions::default())
        .expect("memory for a compressor");
    writer.write_plain(b":ID\na\n").expect("a vector takes everything");
    for _ in 0..1024 {
        writer.write_plain(&vec![b'\n'; 1 << 20]).expect("a vector takes everything");
    }
    writer.finish().expect("a vector takes everything")
}

/// A compressed megabyte that expands to a gigabyte.
fn gzip_bomb() -> Vec<u8> {
    use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
    let mut writer = FrameWriter::new(Framing::Gzip, 6, Vec::new(), &FrameOptions::default())
        .expect("memory for a compressor");
    writer.write_plain(b":ID,name\n").expect("a vector takes everything");
    for number in 0..1024 {
        writer.write_plain(format!("{number},").as_bytes()).expect("a vector takes everything");
        writer.write_plain(&vec![b'0'; 1 << 20]).expect("a vector takes everything");
        writer.write_plain(b"\n").expect("a vector takes everything");
    }
    writer.finish().expect("a vector takes everything")
}
