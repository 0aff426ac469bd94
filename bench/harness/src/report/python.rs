//! The page of `cargo xtask bench-python`: the Python package beside the libraries that its users know. A row
//! has its own peers, so that a new measure or peer needs no column.

use crate::record::figures::ratio_text;
use crate::record::results::{Results, Row};
use crate::report::section::{circumstances, graph_words, page_of, section};
use crate::report::table::Column;

/// The side of the package.
const OURS: &str = "Varvite";

pub(super) fn page(results: &Results) -> String {
    let words = format!(
        "{} {} Python {}; {}. Medians (least-greatest); after a peer, in brackets, its median divided by that \
         of Varvite, bold if the peer is better.",
        graph_words(results),
        circumstances(results),
        results.word("/versions/Python"),
        versions(results),
    );
    let columns = [Column::side(OURS, OURS), Column::new("others", others)];
    let rows = section("", "", results.rows.iter(), &columns);
    page_of(&format!("Python, {}", results.stem()), &words, [rows])
}

/// The versions of the packages.
fn versions(results: &Results) -> String {
    let all = results.circumstances.pointer("/versions").and_then(|versions| versions.as_object());
    let packages = all.into_iter().flatten().filter(|(name, _)| *name != "Python" && *name != "rustc");
    let words = packages.map(|(name, version)| format!("{name} {}", version.as_str().unwrap_or("unknown")));
    words.collect::<Vec<_>>().join(", ")
}

/// The figures of all sides but ours, each with its ratio.
fn others(row: &Row) -> String {
    let sides = row.sides.keys().filter(|side| *side != OURS);
    let cells = sides.map(|side| format!("{side} {}{}", row.text(side), ratio(row, side)));
    cells.collect::<Vec<_>>().join("; ")
}

fn ratio(row: &Row, side: &str) -> String {
    match row.ratio(side, OURS) {
        None => String::new(),
        Some(ratio) if ratio < 1.0 => format!(" [**{}**]", ratio_text(ratio)),
        Some(ratio) => format!(" [{}]", ratio_text(ratio)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use serde_json::json;

    #[test]
    fn a_row_has_its_own_peers_with_ratios() {
        let versions = json!({"Python": "3.11.7", "polars": "2.1.0"});
        let about = json!({"date": "2026-01-31", "name": "python-zlib", "versions": versions});
        let mut results = Results { circumstances: about, rows: Vec::new() };
        let open = results.row_mut("open", "open", Unit::Time);
        [("NetworkX", 40e6), (OURS, 2e6)].into_iter().for_each(|(side, time)| open.add(side, time));
        let scan = results.row_mut("scan", "scan", Unit::Time);
        [("Parquet", 1e6), (OURS, 2e6)].into_iter().for_each(|(side, time)| scan.add(side, time));
        let page = page(&results);
        assert!(page.contains("| open | 2.00 ms | NetworkX 40.0 ms [20] |"), "{page}");
        assert!(page.contains("| scan | 2.00 ms | Parquet 1.00 ms [**0.50**] |"), "{page}");
        assert!(page.contains("Python 3.11.7; polars 2.1.0."), "{page}");
    }
}
