use std::sync::Arc;
use varvite_import::flatgraph::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let profile = varvite::Profile::ALL.into_iter().find(|p| p.name() == a[3]).unwrap();
    let write = varvite::write::WriteOptions { profile, if_exists: varvite::IfExists::Replace, ..Default::default() };
    let t = std::time::Instant::now();
    let r = import(Arc::new(varvite_store::vfs::RealVfs), a[1].as_ref(), a[2].as_ref(), &ImportOptions { write, threads: 2 }, &|s| {
        if a.len() > 4 { eprintln!("{:?} {} {}/{}", t.elapsed(), s.name, s.done, s.total) }
    });
    println!("{r:?} {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let g = varvite::Graph::open(&a[2]).unwrap();
    println!("open {:?} methods {}", t.elapsed(), g.nodes("METHOD").unwrap().len());
    let d = g.store().directory();
    let size = |c: varvite_format::ColumnId| -> u64 {
        fn go(d: &varvite_format::Directory, c: varvite_format::ColumnId) -> u64 {
            let r = &d.columns[c.index()];
            r.segments.iter().flatten().map(|s| d.segments[s.index()].stored_len).sum::<u64>()
                + r.children.iter().flatten().map(|c| go(d, *c)).sum::<u64>()
        }
        go(d, c)
    };
    let enc = |c: varvite_format::ColumnId| format!("{}{}", d.columns[c.index()].encoding.name(), if d.columns[c.index()].relative { "-rel" } else { "" });
    let show = |what: String, c: Option<varvite_format::ColumnId>| if let Some(c) = c {
        let n = d.columns[c.index()].count;
        println!("{what:40} {:12} #{:4} {:>10} {:>12} B {:6.2} bits", enc(c), c.0, n, size(c), size(c) as f64 * 8.0 / n.max(1) as f64);
    };
    if a.len() > 4 {
        show("codes".into(), d.codes); show("subtree".into(), d.subtree);
        for l in &d.labels { show(format!("label {}", d.names.get(l.name)), Some(l.nodes)); show(format!("origin {}", d.names.get(l.name)), l.origin); }
        for l in &d.edge_labels { for (s, r) in [("out", l.out), ("in", l.in_)] {
            show(format!("{} {s} nodes", d.names.get(l.name)), r.nodes); show(format!("{} {s} offsets", d.names.get(l.name)), r.offsets); show(format!("{} {s} neighbors", d.names.get(l.name)), r.neighbors); }
            show(format!("{} places", d.names.get(l.name)), l.places); }
        for p in &d.properties { let n = d.names.get(p.name); show(format!("{n} present"), Some(p.present)); show(format!("{n} offsets"), p.offsets); show(format!("{n} values"), Some(p.values)); show(format!("{n} strings"), p.strings);
            if let Some(s) = p.strings { for c in d.columns[s.index()].children { show(format!("{n}   strings child"), c) } } }
    }
}
