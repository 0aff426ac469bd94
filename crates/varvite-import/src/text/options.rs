//! The options for the new file, which all text importers share: a macro defines the same methods for each
//! importer.

use varvite_graph::internal::{DraftOptions, TreeLabel};

/// Defines the methods of an importer that has its `DraftOptions` in a field `options` and its `Expansion` in
/// a field `expansion`. `$tasks` is the lifetime of the importer's task.
macro_rules! target_options {
    ($tasks:lifetime) => {
        /// Numbers nodes in pre-order of the edges of this label, so that the descendants of a node are a
        /// range of ids. By default nodes are numbered along `AST` if there are such edges, and otherwise in
        /// the order in which they are read.
        pub fn tree(mut self, edge_label: impl Into<String>) -> Self {
            self.options.tree = TreeLabel::Named(edge_label.into());
            self
        }

        /// The storage profile of the new file.
        pub fn profile(mut self, profile: Profile) -> Self {
            self.options.write.profile = profile;
            self
        }

        /// The codec for the blocks of an archive; zstd by default. Other profiles use no codec.
        pub fn codec(mut self, codec: Codec) -> Self {
            self.options.write.codec = codec;
            self
        }

        /// Whether an existing file is replaced or causes an error; by default, it causes an error.
        pub fn if_exists(mut self, if_exists: IfExists) -> Self {
            self.options.write.if_exists = if_exists;
            self
        }

        /// Adds an index of the property `property`, whose values must be texts. May be called several times.
        pub fn index(mut self, property: impl Into<String>) -> Self {
            self.options.indexes.push(property.into());
            self
        }

        /// The limit of the decompressed length of a compressed file: by default 200 bytes for each
        /// compressed byte, but at least 64 MiB.
        pub fn expansion(mut self, expansion: Expansion) -> Self {
            self.expansion = expansion;
            self
        }

        /// Writes to `vfs` instead of the operating system's file system.
        pub fn vfs(mut self, vfs: Arc<dyn Vfs>) -> Self {
            self.options.vfs = vfs;
            self
        }

        /// The limits of the import:
        ///
        /// - Several threads encode.
        /// - Ids and labels of nodes, and one column for each thread, stay in memory. Values and edges go to
        ///   a temporary file beside the target if they would take more than half of the memory limit.
        /// - The import ends soon after the cancel flag is set, and leaves no file.
        /// - Progress first counts the bytes that are read, then steps: one for each edge label and each
        ///   property.
        pub fn task(mut self, task: Task<$tasks>) -> Self {
            self.options.task = task;
            self
        }
    };
}

/// The default options of an import: nodes are numbered along the syntax tree of code property graphs, if
/// there is one.
pub(crate) fn draft_options<'a>() -> DraftOptions<'a> {
    DraftOptions { tree: TreeLabel::IfThere("AST"), ..DraftOptions::default() }
}

pub(crate) use target_options;
