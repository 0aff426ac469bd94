//! Renumbers the names of a directory in the order of its rows, and leaves out unused names.
//!
//! Layers are added and dropped. Without the renumbering, a file would keep the names of dropped layers, and
//! the order of names would show which layer was added first.

use varvite_format::{Directory, EdgeLabelId, NameId, Names, NamesBuilder, Owner, PropertyRow};

/// Numbers the names of `directory` in the order in which a new file gets them.
pub(crate) fn number_names(directory: &mut Directory) {
    let old = std::mem::take(&mut directory.names);
    let mut new = Renamer { old: &old, new: NamesBuilder::default() };
    for row in &mut directory.layers {
        [&mut row.name, &mut row.tool, &mut row.version].into_iter().for_each(|name| new.rename(name));
    }
    directory.labels.iter_mut().for_each(|row| new.rename(&mut row.name));
    let properties = &mut directory.properties;
    for (label, row) in (0..).map(EdgeLabelId).zip(&mut directory.edge_labels) {
        new.rename(&mut row.name);
        let of_edges = properties.iter_mut().filter(|property| property.owner == Owner::Edge(label));
        of_edges.for_each(|property| new.rename_property(property));
    }
    let of_nodes = properties.iter_mut().filter(|property| property.owner == Owner::Node);
    of_nodes.for_each(|property| new.rename_property(property));
    directory.names = new.new.build();
}

struct Renamer<'a> {
    old: &'a Names,
    new: NamesBuilder,
}

/// The number that marks a default value as a text.
const TEXT: u8 = 2;

impl Renamer<'_> {
    fn rename(&mut self, name: &mut NameId) {
        *name = self.new.intern(self.old.get(*name));
    }

    fn rename_property(&mut self, row: &mut PropertyRow) {
        if row.default_kind == TEXT {
            // This name exists, which was checked when the directory was read.
            let mut default = NameId(row.default as u32);
            self.rename(&mut default);
            row.default = default.0.into();
        }
        self.rename(&mut row.name);
    }
}
