//! Checks properties: each value is valid for its type, no list is longer than the cardinality allows, and no
//! string table has the same text twice.

use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;

use varvite_format::{ColumnId, NodeSet, PropertyId};
use varvite_store::Pinned;

use super::Problems;
use crate::cursor::columns::property_name;
use crate::cursor::property::{Property, PropertyChange};
use crate::cursor::value::Cardinality;
use crate::error::Result;
use crate::scan::columns::{ListColumns, for_each_text};
use crate::scan::graph_scan::{GraphScan, ScratchVec};

/// Checks that the values of a property are valid for its type, and that no list is too long for its
/// cardinality.
pub(super) fn check_property(
    graph_scan: &GraphScan<'_>,
    id: PropertyId,
    problems: &mut Problems,
) -> Result<()> {
    let graph = graph_scan.graph;
    let directory = graph.store().directory();
    let name = property_name(directory, id);
    let Some(property) = problems.undamaged(&name, graph.property_at(id))? else { return Ok(()) };
    if let Some(change) = property.change.clone() {
        check_change(&property, &change, &name, problems);
        if let Some(values) = change.values.clone() {
            let lists = ListColumns::of_stored(format!("changed {name}"), values);
            check_lists(graph_scan, id, &lists.until(graph_scan.flag()), problems);
        }
    }
    check_lists(
        graph_scan,
        id,
        &ListColumns::of_stored(name.clone(), property).until(graph_scan.flag()),
        problems,
    );
    let is_relative =
        |column: ColumnId| directory.columns.get(column.index()).is_some_and(|row| row.relative);
    if is_relative(directory.properties[id.index()].values) {
        problems.add(format!("{name} values"), "absolute values", "differences from a key");
    }
    Ok(())
}

/// Checks a change of a property. An owner with a changed value must be in the set of changed owners, and
/// must not be removed. If texts were added, the first of them has the code that stands for null in the base.
/// So no owner's null may still be read from the base.
fn check_change(property: &Property, change: &PropertyChange, name: &str, problems: &mut Problems) {
    let contains = |set: &Option<NodeSet<Pinned>>, owner| set.as_ref().is_some_and(|set| set.contains(owner));
    let mut present = change.values.iter().flat_map(|values| values.owners());
    let stray = |owner: &u32| !contains(&change.owners, *owner) || contains(&change.removed, *owner);
    if let Some(owner) = present.find(stray) {
        let expected = "values of owners that were changed and are there";
        problems.add(format!("changed {name} owners"), expected, format!("one of {owner}"));
    }
    let null = property.stored_bounds.null().filter(|null| property.bounds.null() != Some(*null));
    let Some(null) = null.filter(|_| property.value_type().is_text()) else { return };
    let mut read = None;
    property.find_in_base(null, |owner| match change.members.hides(owner) {
        true => ControlFlow::Continue(()),
        false => {
            read = Some(owner);
            ControlFlow::Break(())
        }
    });
    if let Some(owner) = read {
        let expected = "no null among values of the base that are still there";
        problems.add(name, expected, format!("one of {owner}"));
    }
}

fn check_lists(graph_scan: &GraphScan<'_>, id: PropertyId, lists: &ListColumns, problems: &mut Problems) {
    let (graph, name) = (graph_scan.graph, &lists.name);
    let one = graph.properties()[id.index()].cardinality != Cardinality::List;
    let mut scan = lists.scan();
    let mut too_long = None;
    while let Some(list) = scan.next_list() {
        if one && list.len > 1 {
            too_long = too_long.or(Some(list));
        }
        while scan.next_entry().is_some() {}
    }
    if let Some(list) = too_long {
        problems.add(name.as_str(), format!("one value for owner {}", list.owner), list.len);
    }
    problems.0.extend(scan.finish().err().map(|error| error.to_string()));
}

/// Checks that every text of a table is within the pool, is UTF-8 if the property's type requires it, and
/// occurs once.
pub(super) fn check_texts(graph_scan: &GraphScan<'_>, id: PropertyId, problems: &mut Problems) -> Result<()> {
    let name = format!("{} strings", property_name(graph_scan.graph.store().directory(), id));
    let Some(property) = problems.undamaged(&name, graph_scan.graph.property_at(id))? else { return Ok(()) };
    let Some(strings) = property.strings() else { return Ok(()) };
    if strings.is_sorted() {
        return check_sorted(graph_scan, id, &name, problems);
    }
    // To find equal texts, hashes with a secret seed are compared, and then the texts themselves if two
    // hashes are equal.
    let seed = RandomState::new().hash_one(0);
    let (mut hashes, mut code) = (ScratchVec::with_capacity(graph_scan, strings.len() as usize)?, 0u32);
    let read = for_each_text(graph_scan, id, |text| {
        hashes.push((varvite_codec::hash(text, seed), code))?;
        code += 1;
        Ok(())
    });
    problems.undamaged(&name, read)?;
    hashes.sort_unstable();
    let is_equal = |pair: &[(u64, u32)]| {
        pair[0].0 == pair[1].0 && strings.get(pair[0].1).as_deref() == strings.get(pair[1].1).as_deref()
    };
    if hashes.windows(2).any(is_equal) {
        problems.add(name.as_str(), "each text once", "one of them twice");
    }
    Ok(())
}

/// The same as [`check_texts`], for a sorted table, in which equal texts would be adjacent.
fn check_sorted(
    graph_scan: &GraphScan<'_>,
    id: PropertyId,
    name: &str,
    problems: &mut Problems,
) -> Result<()> {
    let (mut last, mut code, mut out_of_order): (Option<Vec<u8>>, _, _) = (None, 0u32, None);
    let read = for_each_text(graph_scan, id, |text| {
        if last.as_deref().is_some_and(|last| last >= text) {
            out_of_order = out_of_order.or(Some(code));
        }
        let last = last.get_or_insert_default();
        last.clear();
        last.extend_from_slice(text);
        code += 1;
        Ok(())
    });
    problems.undamaged(name, read)?;
    if let Some(code) = out_of_order {
        problems.add(name, "texts that rise", format!("another at text {code}"));
    }
    Ok(())
}
