//! Properties: lists of values that their types allow, and tables of distinct texts.

use varvite_format::ColumnId;

use super::Problems;
use crate::columns::property_name;
use crate::error::Result;
use crate::graph::Graph;
use crate::scan::{Lists, for_each_text};
use crate::value::Cardinality;

/// Lists are as long as the property may have, and values are of its type.
pub(super) fn check_property(graph: &Graph, index: usize, problems: &mut Problems) -> Result<()> {
    let directory = graph.store().directory();
    let name = property_name(directory, index);
    let Some(lists) = problems.undamaged(&name, Lists::of_property(graph, index))? else { return Ok(()) };
    let one = graph.properties()[index].cardinality != Cardinality::List;
    let mut scan = lists.scan();
    let mut too_long = None;
    while let Some(list) = scan.next_list() {
        if one && list.len > 1 {
            too_long = too_long.or(Some(list));
        }
        while scan.next_entry().is_some() {}
    }
    if let Some(list) = too_long {
        problems.add(&name, format!("one value for owner {}", list.owner), list.len);
    }
    problems.0.extend(scan.finish().err().map(|error| error.to_string()));
    let is_relative =
        |column: ColumnId| directory.columns.get(column.index()).is_some_and(|row| row.relative);
    if is_relative(directory.properties[index].values) {
        problems.add(format!("{name} values"), "values that stand for themselves", "differences from a key");
    }
    Ok(())
}

/// Every text is within the pool, UTF-8 if it must be, and there once.
pub(super) fn check_texts(graph: &Graph, index: usize, problems: &mut Problems) -> Result<()> {
    let name = format!("{} strings", property_name(graph.store().directory(), index));
    let Some(property) = problems.undamaged(&name, graph.property_at(index))? else { return Ok(()) };
    let is_sorted = property.strings().is_some_and(|strings| strings.is_sorted());
    let mut last: Option<Vec<u8>> = None;
    let mut out_of_order = None;
    let mut hashes = Vec::new();
    let mut code = 0u32;
    let read = for_each_text(graph, index, |text| {
        if is_sorted {
            if last.as_deref().is_some_and(|last| last >= text) {
                out_of_order = out_of_order.or(Some(code));
            }
            let last = last.get_or_insert_default();
            last.clear();
            last.extend_from_slice(text);
        } else {
            hashes.push(*blake3::hash(text).as_bytes());
        }
        code += 1;
    });
    problems.undamaged(&name, read)?;
    if let Some(code) = out_of_order {
        problems.add(&name, "texts that rise", format!("another at text {code}"));
    }
    hashes.sort_unstable();
    if hashes.windows(2).any(|pair| pair[0] == pair[1]) {
        problems.add(&name, "each text once", "one of them twice");
    }
    Ok(())
}
