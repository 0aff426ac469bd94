//! The rule that the modules of a folder form layers: two modules that use each other can't be read, tested
//! or changed separately.
//!
//! A folder's modules include everything below them. A module and its own submodules may use each other,
//! because they are one type in several files.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::files::{File, Files, Finding};
use super::modules::{ModulePath, Modules};

/// For each child of a module, the other children that it uses, each with the first line that uses it.
type Arrows<'a> = BTreeMap<String, BTreeMap<String, Place<'a>>>;

#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a File,
    line: usize,
}

/// No modules of a folder use each other in a cycle.
pub(crate) fn modules_form_layers(files: &Files) -> Vec<Finding> {
    let roots = files.iter().filter(|file| is_root(file));
    roots.flat_map(|root| circles_below(root, files)).collect()
}

fn is_root(file: &File) -> bool {
    ["/src/lib.rs", "/src/main.rs"].iter().any(|end| file.path.ends_with(end))
}

fn circles_below(root: &File, files: &Files) -> Vec<Finding> {
    let modules = Modules::below(root, files);
    let mut findings = Vec::new();
    for arrows in arrows_by_folder(&modules).values() {
        let mut known = BTreeSet::new();
        for name in arrows.keys() {
            if known.contains(name.as_str()) {
                continue;
            }
            if let Some(circle) = way(name, name, arrows) {
                known.extend(arrows.keys().map(String::as_str).filter(|other| {
                    *other == name || (reaches(name, other, arrows) && reaches(other, name, arrows))
                }));
                findings.push(finding(&circle, arrows));
            }
        }
    }
    findings
}

fn arrows_by_folder<'a>(modules: &Modules<'a>) -> BTreeMap<ModulePath, Arrows<'a>> {
    let mut folders: BTreeMap<ModulePath, Arrows<'a>> = BTreeMap::new();
    for (from, module) in modules.iter() {
        for (path, line) in module.source.mentions() {
            let Some(to) = modules.home(from, path) else { continue };
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let (Some(source), Some(target)) = (from.get(shared), to.get(shared)) else { continue };
            let arrows = folders.entry(from[..shared].to_vec()).or_default();
            let place = Place { file: module.file, line };
            arrows.entry(source.clone()).or_default().entry(target.clone()).or_insert(place);
        }
    }
    folders
}

fn reaches(from: &str, to: &str, arrows: &Arrows<'_>) -> bool {
    way(from, to, arrows).is_some()
}

/// The shortest chain of uses from one module to another: the modules of the chain, including both ends.
fn way<'n>(from: &'n str, to: &str, arrows: &'n Arrows<'_>) -> Option<Vec<&'n str>> {
    let mut ways = VecDeque::from([vec![from]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let last = *way.last()?;
        for next in arrows.get(last).into_iter().flat_map(BTreeMap::keys) {
            let longer: Vec<&str> = way.iter().copied().chain([next.as_str()]).collect();
            if next == to {
                return Some(longer);
            }
            if seen.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    None
}

fn finding(circle: &[&str], arrows: &Arrows<'_>) -> Finding {
    let places: Vec<Place<'_>> = circle.windows(2).map(|pair| arrows[pair[0]][pair[1]]).collect();
    let back: Vec<String> =
        places.iter().skip(1).map(|place| format!("{}:{}", place.file.path, place.line)).collect();
    let what = format!(
        "{} is a circle (then {}): modules of one folder form layers; move what both need below them",
        circle.join(" -> "),
        back.join(", ")
    );
    places[0].file.finding(places[0].line, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[(&str, &str)], expected: &[&str]) {
        let found: Vec<String> =
            modules_form_layers(&Files::of_texts(texts)).iter().map(Finding::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn two_modules_that_need_each_other_are_found() {
        check(
            &[
                ("crates/x/src/lib.rs", "mod a; mod b;"),
                ("crates/x/src/a.rs", "\nuse crate::b::B; struct A;"),
                ("crates/x/src/b.rs", "struct B; fn f() { super::a::A::new() }"),
            ],
            &["crates/x/src/a.rs:2: a -> b -> a is a circle (then crates/x/src/b.rs:1): \
               modules of one folder form layers; move what both need below them"],
        );
    }

    #[test]
    fn a_longer_circle_is_found_once() {
        check(
            &[
                ("crates/x/src/main.rs", "mod a; mod b; mod c;"),
                ("crates/x/src/a.rs", "use crate::b::B;"),
                ("crates/x/src/b.rs", "use crate::c::C; struct B;"),
                ("crates/x/src/c.rs", "use crate::a;"),
            ],
            &["crates/x/src/a.rs:1: a -> b -> c -> a is a circle \
               (then crates/x/src/b.rs:1, crates/x/src/c.rs:1): \
               modules of one folder form layers; move what both need below them"],
        );
    }

    #[test]
    fn a_folder_counts_with_what_lies_below_it() {
        check(
            &[
                ("crates/x/src/lib.rs", "mod a; mod b;"),
                ("crates/x/src/a/mod.rs", "mod deep; pub(crate) use deep::Deep;"),
                ("crates/x/src/a/deep.rs", "use crate::b::B; struct Deep;"),
                ("crates/x/src/b.rs", "use crate::a::Deep; struct B;"),
            ],
            &["crates/x/src/a/deep.rs:1: a -> b -> a is a circle (then crates/x/src/b.rs:1): \
               modules of one folder form layers; move what both need below them"],
        );
    }

    #[test]
    fn a_name_counts_where_it_is_defined_not_where_it_is_re_exported() {
        check(
            &[
                ("crates/x/src/lib.rs", "mod a; mod b; mod c;"),
                ("crates/x/src/a.rs", "pub(crate) use crate::c::C; use crate::b::B;"),
                ("crates/x/src/b.rs", "use crate::a::C; struct B;"),
                ("crates/x/src/c.rs", "struct C;"),
            ],
            &[],
        );
    }

    #[test]
    fn a_module_and_its_own_parts_may_need_each_other() {
        check(
            &[
                ("crates/x/src/lib.rs", "mod a; struct Root;"),
                ("crates/x/src/a/mod.rs", "mod part; use part::Part; struct A;"),
                ("crates/x/src/a/part.rs", "use super::A; use crate::Root; struct Part;"),
            ],
            &[],
        );
    }

    #[test]
    fn layers_and_tests_are_free() {
        check(
            &[
                ("crates/x/src/lib.rs", "mod a; mod b;"),
                ("crates/x/src/a.rs", "use crate::b::B; struct A;"),
                ("crates/x/src/b.rs", "struct B;\n#[cfg(test)]\nmod tests { use crate::a::A; }"),
            ],
            &[],
        );
    }
}
