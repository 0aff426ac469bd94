//! Finds the modules of a crate, as declared in its sources, and the module to which a path leads.
//!
//! Code for tests is ignored. Names are followed through `use` declarations, even private ones, because a
//! module's submodules can use the names that it imports. Macros are not expanded, and types are not
//! resolved. A path ends at the module that defines its item; a path that begins with an item of the module
//! itself leads to no other module.

use std::collections::BTreeMap;

use super::files::{File, Files};
use super::paths::{Source, Use};

/// The names on the path from the root of a crate to a module.
pub(crate) type ModulePath = Vec<String>;

/// The root file of a crate, and all modules declared in it, directly or indirectly.
pub(crate) struct Modules<'a> {
    by_path: BTreeMap<ModulePath, Module<'a>>,
}

/// A module: a file of a crate, and its references.
pub(crate) struct Module<'a> {
    pub(crate) file: &'a File,
    pub(crate) source: Source,
}

/// The maximum number of re-exports that are followed. There is a limit because they may form a cycle.
const REEXPORTS_MAX: usize = 20;

impl<'a> Modules<'a> {
    /// Reads the modules of a crate from its root, such as `src/lib.rs`.
    pub(crate) fn below(root: &File, files: &'a Files) -> Self {
        let texts: BTreeMap<&str, (&File, &str)> =
            files.texts().map(|(file, text)| (file.path.as_str(), (file, text))).collect();
        let folder = root.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut by_path = BTreeMap::new();
        let mut open = vec![(ModulePath::new(), root.path.clone())];
        while let Some((path, name)) = open.pop() {
            let Some((file, text)) = texts.get(name.as_str()) else { continue };
            let source = Source::of(text);
            for child in &source.declared {
                let path = with(&path, child);
                let place = format!("{folder}/{}", path.join("/"));
                let names = [format!("{place}.rs"), format!("{place}/mod.rs")];
                open.extend(names.map(|name| (path.clone(), name)));
            }
            by_path.insert(path, Module { file, source });
        }
        Self { by_path }
    }

    /// Every module with its path; the root comes first, with an empty path.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&ModulePath, &Module<'a>)> {
        self.by_path.iter()
    }

    /// The module that defines the item at `path`, as seen from the module `from`; `None` if it is not in
    /// this crate.
    pub(crate) fn home(&self, from: &[String], path: &[String]) -> Option<ModulePath> {
        self.follow(from, path, REEXPORTS_MAX)
    }

    fn follow(&self, from: &[String], path: &[String], reexports: usize) -> Option<ModulePath> {
        let reexports = reexports.checked_sub(1)?;
        let mut at = from.to_vec();
        for (i, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ => {
                    let child = with(&at, name);
                    if !self.by_path.contains_key(&child) {
                        let (rest, relative) = (&path[i..], i == 0);
                        return self.item(at, rest, relative, reexports);
                    }
                    at = child;
                }
            }
        }
        Some(at)
    }

    /// The module that defines the first name of `rest`, if this name is not a submodule of `at`.
    fn item(&self, at: ModulePath, rest: &[String], relative: bool, reexports: usize) -> Option<ModulePath> {
        let (name, tail) = rest.split_first()?;
        let source = &self.by_path.get(&at)?.source;
        if let Some(found) =
            source.uses.iter().find(|found| found.name == *name && found.path != [name.clone()])
        {
            let path: Vec<String> = found.path.iter().chain(tail).cloned().collect();
            return self.follow(&at, &path, reexports);
        }
        if source.defines(name) {
            return Some(at);
        }
        // A glob of another crate leads to no module of this crate. Looking up that crate's name through the
        // globs of this module would not end.
        let is_ours = |glob: &&Use| {
            let first = glob.path.first().map_or("", String::as_str);
            ["crate", "self", "super"].contains(&first) || self.by_path.contains_key(&with(&at, first))
        };
        let globs = source.uses.iter().filter(|found| found.name == Use::GLOB).filter(is_ours);
        let mut homes = globs.filter_map(|glob| {
            let module = self.follow(&at, &glob.path, reexports)?;
            let inside = &self.by_path.get(&module)?.source;
            let names = inside.uses.iter().any(|found| found.name == *name);
            let holds = names || inside.defines(name) || inside.declared.contains(name);
            if holds { self.follow(&module, rest, reexports) } else { None }
        });
        homes.next().or_else(|| (!relative).then_some(at.clone()))
    }
}

fn with(path: &[String], name: &str) -> ModulePath {
    path.iter().map(String::as_str).chain([name]).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[(&str, &str)], from: &str, path: &str, expected: Option<&str>) {
        let files = Files::of_texts(texts);
        let root = files.iter().next().expect("the first file is the root");
        let names = |path: &str| -> Vec<String> {
            path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        let home = Modules::below(root, &files).home(&names(from), &names(path));
        assert_eq!(home, expected.map(names), "{path} in {from}");
    }

    #[test]
    fn globs_of_other_crates_lead_nowhere_and_end() {
        let texts = [("crates/a/src/lib.rs", "pub use b::*; pub use c::d::*; pub use e::*; pub use f::*;")];
        check(&texts, "", "b::X", None);
    }

    #[test]
    fn a_path_leads_to_the_module_that_defines_its_item() {
        let texts = [
            ("crates/a/src/lib.rs", "mod x; mod y;"),
            ("crates/a/src/x/mod.rs", "mod deep; pub(crate) use deep::Deep; pub(crate) struct Own;"),
            ("crates/a/src/x/deep.rs", "pub(crate) struct Deep;"),
            (
                "crates/a/src/y.rs",
                "use std::fs; use crate::x; use crate::x::Deep as Renamed; struct Mine(*const Renamed);",
            ),
        ];
        check(&texts, "y", "crate::x::Deep", Some("x::deep"));
        check(&texts, "y", "crate::x::Own", Some("x"));
        check(&texts, "y", "super::x::deep::Deep::new", Some("x::deep"));
        check(&texts, "y", "x::Deep", Some("x::deep"));
        check(&texts, "y", "Renamed::new", Some("x::deep"));
        check(&texts, "x::deep", "super::super::y::Renamed", Some("x::deep"));
        check(&texts, "y", "Mine::new", Some("y"));
        check(&texts, "y", "fs::read", None);
        check(&texts, "y", "std::x::Deep", None);
        check(&texts, "y", "Elsewhere::new", None);
    }

    #[test]
    fn a_glob_leads_to_what_it_takes_in() {
        let texts = [
            ("crates/a/src/lib.rs", "mod x; mod y; pub use x::*; pub use y::*;"),
            ("crates/a/src/x.rs", "pub struct Left;"),
            ("crates/a/src/y.rs", "pub struct Right;"),
        ];
        check(&texts, "y", "crate::Left", Some("x"));
        check(&texts, "x", "crate::Right", Some("y"));
        check(&texts, "x", "crate::Neither", Some(""));
    }

    #[test]
    fn names_that_re_export_each_other_end() {
        let texts = [
            ("crates/a/src/lib.rs", "mod x; mod y;"),
            ("crates/a/src/x.rs", "pub use crate::y::Name;"),
            ("crates/a/src/y.rs", "pub use crate::x::Name;"),
        ];
        check(&texts, "", "x::Name", None);
    }

    #[test]
    fn files_that_nobody_declares_are_not_part_of_the_crate() {
        let texts = [
            ("crates/a/src/lib.rs", "#[cfg(test)] mod tests;"),
            ("crates/a/src/tests.rs", "use crate::stray::Name;"),
            ("crates/a/src/stray.rs", "pub struct Name;"),
        ];
        let files = Files::of_texts(&texts);
        let modules = Modules::below(files.iter().next().expect("a root"), &files);
        assert_eq!(modules.iter().count(), 1);
    }
}
