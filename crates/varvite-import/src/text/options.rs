//! Options of importers of text for the new file: the same methods for each.

use varvite_graph::internal::{DraftOptions, TreeLabel};

/// The methods of an importer that has its `DraftOptions` in a field `options` and its `Expansion` in
/// `expansion`; their lifetime is that of its tasks.
macro_rules! target_options {
    ($tasks:lifetime) => {
        /// Numbers nodes in pre-order of the edges of this label, so that the descendants of a node are a
        /// range of ids. Without it they are numbered along `AST`, where there are such edges, and else in
        /// the order in which they are read.
        pub fn tree(mut self, edge_label: impl Into<String>) -> Self {
            self.options.tree = TreeLabel::Named(edge_label.into());
            self
        }

        /// The profile of the new file.
        pub fn profile(mut self, profile: Profile) -> Self {
            self.options.write.profile = profile;
            self
        }

        /// The codec of the blocks of an archive: zstd by default. Other profiles have none.
        pub fn codec(mut self, codec: Codec) -> Self {
            self.options.write.codec = codec;
            self
        }

        /// The treatment of an existing file: it is refused by default.
        pub fn if_exists(mut self, if_exists: IfExists) -> Self {
            self.options.write.if_exists = if_exists;
            self
        }

        /// Keeps an index of the property of this name, which must hold texts. May be called for several.
        pub fn index(mut self, property: impl Into<String>) -> Self {
            self.options.indexes.push(property.into());
            self
        }

        /// The largest plain size of a compressed file: 200 bytes for each of its own beyond 64 MiB by
        /// default.
        pub fn expansion(mut self, expansion: Expansion) -> Self {
            self.expansion = expansion;
            self
        }

        /// Writes to another file system than that of the operating system.
        pub fn vfs(mut self, vfs: Arc<dyn Vfs>) -> Self {
            self.options.vfs = vfs;
            self
        }

        /// The limits of the import:
        ///
        /// - Threads encode.
        /// - Ids and labels of nodes stay in memory, and one column for each thread. Values and edges go to a
        ///   temporary file beside the target where they would take more than half of the memory.
        /// - The import ends soon after the flag is set, and leaves nothing behind.
        /// - Progress counts bytes that are read, then steps, one for each edge label and property.
        pub fn task(mut self, task: Task<$tasks>) -> Self {
            self.options.task = task;
            self
        }
    };
}

/// The options of an import unless others are named: nodes are numbered along the syntax tree of code
/// property graphs, if there is one.
pub(crate) fn draft_options<'a>() -> DraftOptions<'a> {
    DraftOptions { tree: TreeLabel::IfThere("AST"), ..DraftOptions::default() }
}

pub(crate) use target_options;
