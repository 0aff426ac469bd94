//! Properties: lists of values that their types allow, and tables of distinct texts.

use std::hash::{BuildHasher, RandomState};

use varvite_format::{ColumnId, PropertyId};

use super::Problems;
use crate::columns::property_name;
use crate::error::Result;
use crate::pass::{Pass, ScratchVec};
use crate::scan::{ListColumns, for_each_text};
use crate::value::Cardinality;

/// Lists are as long as the property may have, and values are of its type.
pub(super) fn check_property(pass: &Pass<'_>, id: PropertyId, problems: &mut Problems) -> Result<()> {
    let graph = pass.graph;
    let directory = graph.store().directory();
    let name = property_name(directory, id);
    let lists = ListColumns::of_property(graph, id).map(|lists| lists.until(pass.flag()));
    let Some(lists) = problems.undamaged(&name, lists)? else { return Ok(()) };
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
    let is_relative =
        |column: ColumnId| directory.columns.get(column.index()).is_some_and(|row| row.relative);
    if is_relative(directory.properties[id.index()].values) {
        problems.add(format!("{name} values"), "values that stand for themselves", "differences from a key");
    }
    Ok(())
}

/// Every text is within the pool, UTF-8 if it must be, and there once.
pub(super) fn check_texts(pass: &Pass<'_>, id: PropertyId, problems: &mut Problems) -> Result<()> {
    let name = format!("{} strings", property_name(pass.graph.store().directory(), id));
    let Some(property) = problems.undamaged(&name, pass.graph.property_at(id))? else { return Ok(()) };
    let Some(strings) = property.strings() else { return Ok(()) };
    if strings.is_sorted() {
        return check_sorted(pass, id, &name, problems);
    }
    // A hash that nobody can foresee, and the texts themselves where two are equal.
    let seed = RandomState::new().hash_one(0);
    let (mut hashes, mut code) = (ScratchVec::with_capacity(pass, strings.len() as usize)?, 0u32);
    let read = for_each_text(pass, id, |text| {
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

/// The same where texts rise, so that equal ones are neighbours.
fn check_sorted(pass: &Pass<'_>, id: PropertyId, name: &str, problems: &mut Problems) -> Result<()> {
    let (mut last, mut code, mut out_of_order): (Option<Vec<u8>>, _, _) = (None, 0u32, None);
    let read = for_each_text(pass, id, |text| {
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
