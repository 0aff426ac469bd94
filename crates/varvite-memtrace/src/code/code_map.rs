//! [`CodeMap`]: finds the function that contains the address of an instruction.
//!
//! Modules become ranges of addresses that do not overlap: if several files were mapped at the same address,
//! one after another, only the last one is used. A module without a path is memory that belongs to no file
//! any more, and hides files. A binary is read when its first instruction occurs.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

use varvite_trace::Module;

use super::binaries::Binaries;
use super::binary::Binary;
use super::error::BinaryError;

/// The code that was mapped into a program's memory.
pub(crate) struct CodeMap<'b> {
    binaries: &'b dyn Binaries,
    stretches: BTreeMap<u64, Stretch>,
    files: Vec<CodeFile>,
}

/// A range of addresses to which a part of a file was mapped.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    end: u64,
    /// The start address of the module to which the range belongs.
    part: u64,
    file_offset: u64,
    file: usize,
}

/// A file that was mapped into a program's memory.
pub(crate) struct CodeFile {
    module: Module,
    /// The binary, or the reason why it could not be used; `None` before its first use.
    binary: Option<Result<Rc<Binary>, BinaryError>>,
}

/// The code at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Code {
    Function { file: usize, function: usize },
    NoSymbol { file: usize },
    NoBinary { file: usize },
    NoModule,
}

impl<'b> CodeMap<'b> {
    pub(crate) fn of(modules: &[Module], binaries: &'b dyn Binaries) -> Self {
        let mut map = Self { binaries, stretches: BTreeMap::new(), files: Vec::new() };
        let mut numbers = HashMap::new();
        for module in modules.iter().filter(|module| module.is_code && module.len > 0) {
            let range = map.clear(module);
            if module.path.is_empty() {
                continue;
            }
            let file = *numbers.entry((&module.path, &module.build_id)).or_insert(map.files.len());
            if file == map.files.len() {
                map.files.push(CodeFile { module: module.clone(), binary: None });
            }
            let (part, file_offset) = (range.start, module.file_offset);
            map.stretches.insert(range.start, Stretch { end: range.end, part, file_offset, file });
        }
        map
    }

    /// Removes the files at the addresses of a module, and returns these addresses.
    fn clear(&mut self, module: &Module) -> Range<u64> {
        let (start, end) = (module.address, module.address.saturating_add(module.len));
        let before = self.stretches.range(..start).next_back().map(|(start, stretch)| (*start, *stretch));
        if let Some((before, stretch)) = before.filter(|(_, stretch)| stretch.end > start) {
            self.stretches.insert(before, Stretch { end: start, ..stretch });
            if stretch.end > end {
                self.stretches.insert(end, stretch);
            }
        }
        let covered: Vec<(u64, Stretch)> =
            self.stretches.range(start..end).map(|(at, stretch)| (*at, *stretch)).collect();
        for (at, stretch) in covered {
            self.stretches.remove(&at);
            if stretch.end > end {
                self.stretches.insert(end, stretch);
            }
        }
        start..end
    }

    /// The code at an address, and the range of addresses around it that have the same code.
    pub(crate) fn find(&mut self, address: u64) -> (Range<u64>, Code) {
        let (start, stretch) = match self.stretches.range(..=address).next_back() {
            Some((start, stretch)) if address < stretch.end => (*start, *stretch),
            before => {
                let from = before.map_or(0, |(_, stretch)| stretch.end);
                let to = self.stretches.range(address..).next().map_or(u64::MAX, |(start, _)| *start);
                return (from..to, Code::NoModule);
            }
        };
        let (file, around) = (stretch.file, start..stretch.end);
        let Ok(binary) = self.files[file].open(self.binaries) else {
            return (around, Code::NoBinary { file });
        };
        let Some(bias) = binary.bias(stretch.part, stretch.file_offset) else {
            return (around, Code::NoSymbol { file });
        };
        let in_memory = |own: u64| own.wrapping_add(bias);
        let functions = binary.functions();
        let (from, to, code) = match binary.function_at(address.wrapping_sub(bias)) {
            Ok(number) => {
                let function = &functions[number];
                (
                    in_memory(function.start),
                    in_memory(function.end),
                    Code::Function { file, function: number },
                )
            }
            Err(after) => {
                let from =
                    after.checked_sub(1).map_or(around.start, |before| in_memory(functions[before].end));
                let to = functions.get(after).map_or(around.end, |function| in_memory(function.start));
                (from, to, Code::NoSymbol { file })
            }
        };
        (from.max(around.start)..to.min(around.end), code)
    }

    /// The binary of a file; `None` if the binary was not read, or could not be used.
    pub(crate) fn binary(&self, file: usize) -> Option<&Binary> {
        self.files[file].binary.as_ref()?.as_deref().ok()
    }

    /// Converts an address in memory to an address in its file.
    pub(crate) fn own_address(&self, address: u64) -> Option<u64> {
        let (_, stretch) =
            self.stretches.range(..=address).next_back().filter(|(_, stretch)| address < stretch.end)?;
        let bias = self.binary(stretch.file)?.bias(stretch.part, stretch.file_offset)?;
        Some(address.wrapping_sub(bias))
    }

    pub(crate) fn files(&self) -> &[CodeFile] {
        &self.files
    }
}

impl CodeFile {
    fn open(&mut self, binaries: &dyn Binaries) -> Result<&Binary, &BinaryError> {
        let opened = self.binary.get_or_insert_with(|| match binaries.find(&self.module) {
            Ok(binary) if binary.is_stripped() => Err(BinaryError::Stripped),
            found => found,
        });
        opened.as_deref()
    }

    /// The build id that the trace has; empty if it has none.
    pub(crate) fn build_id(&self) -> &[u8] {
        &self.module.build_id
    }

    pub(crate) fn path(&self) -> String {
        String::from_utf8_lossy(&self.module.path).into_owned()
    }

    /// The reason why the binary could not be used; `None` if there was no problem.
    pub(crate) fn problem(&self) -> Option<&BinaryError> {
        self.binary.as_ref()?.as_ref().err()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Nothing;

    impl Binaries for Nothing {
        fn find(&self, _: &Module) -> Result<Rc<Binary>, BinaryError> {
            Err(BinaryError::NotElf)
        }
    }

    fn module(path: &str, address: u64, len: u64) -> Module {
        Module { path: path.into(), address, len, is_code: true, ..Module::default() }
    }

    fn check(modules: &[Module], expected: &[(u64, Option<&str>)]) {
        let mut map = CodeMap::of(modules, &Nothing);
        for (address, path) in expected {
            let (range, code) = map.find(*address);
            assert!(range.contains(address), "{address}: {range:?}");
            let found = match code {
                Code::NoModule => None,
                Code::NoBinary { file } => Some(map.files[file].path()),
                other => panic!("{other:?}"),
            };
            assert_eq!(found.as_deref(), *path, "{address}");
        }
    }

    #[test]
    fn addresses_are_in_the_module_that_came_last() {
        let modules = [module("a", 100, 100), module("b", 150, 10), module("c", 190, 20)];
        let expected = [
            (99, None),
            (100, Some("a")),
            (149, Some("a")),
            (150, Some("b")),
            (159, Some("b")),
            (160, Some("a")),
            (189, Some("a")),
            (190, Some("c")),
            (209, Some("c")),
            (210, None),
            (u64::MAX - 1, None),
            (0, None),
        ];
        check(&modules, &expected);
    }

    proptest! {
        #[test]
        fn every_address_is_in_the_last_module_over_it(places in proptest::collection::vec((0u64..100, 0u64..40), 0..9)) {
            let modules: Vec<Module> =
                (0..).zip(&places).map(|(number, (address, len))| module(&format!("m{number}"), *address, *len)).collect();
            let expected: Vec<(u64, Option<usize>)> = (0..150)
                .map(|at| (at, modules.iter().rposition(|module| (module.address..module.address + module.len).contains(&at))))
                .collect();
            let names: Vec<String> = (0..modules.len()).map(|number| format!("m{number}")).collect();
            let expected: Vec<(u64, Option<&str>)> =
                expected.into_iter().map(|(at, number)| (at, number.map(|number| names[number].as_str()))).collect();
            check(&modules, &expected);
        }
    }

    #[test]
    fn memory_that_belongs_to_no_file_any_more_hides_the_file() {
        let modules = [module("a", 100, 100), module("", 120, 10), module("b", 125, 2)];
        check(&modules, &[(119, Some("a")), (120, None), (125, Some("b")), (129, None), (130, Some("a"))]);
    }

    #[test]
    fn a_module_over_others_hides_them() {
        let modules =
            [module("a", 100, 10), module("b", 110, 10), module("c", 90, 25), module("empty", 95, 0)];
        check(&modules, &[(90, Some("c")), (114, Some("c")), (115, Some("b")), (120, None)]);
        check(&[module("end", u64::MAX - 5, 100)], &[(u64::MAX - 5, Some("end")), (5, None)]);
    }
}
