//! `varvite_apply` and `varvite_apply_bytes`, which commit a diff to a file, optionally as a new layer; and
//! `varvite_drop_layers`, which removes layers.

use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::Arc;

use varvite::Task;
use varvite::change::{Applied, Diff};
use varvite::write::{GraphChange, LayerSpec, drop_layers};
use varvite_format::NONE;
use varvite_store::vfs::{InterruptibleVfs, RealVfs};
use varvite_store::{Identity, Vfs};

use crate::c_type::Char;
use crate::diff::{DiffObject, read};
use crate::failure::Failure;
use crate::handle::Handle;
use crate::pointer::{
    Byte, FieldItems, Items, NamedOutStructs, OptionalNamedOutItems, OptionalOutItems, Options, OutStructs,
    PathText, SizedFirst, StructRoom, Texts, c_struct,
};
use crate::status::Status;

c_struct! {
    /// Options for applying a diff.
    ApplySettings = "varvite_apply_options" {
        size: u32,
        no_lock: u32,
        memory_bytes: u64,
        layer: FieldItems<Char>,
        tool: FieldItems<Char>,
        version: FieldItems<Char>,
        source: [u8; 32],
        file_id: [u8; 16],
        generation: u64,
        directory_hash: u64,
    }
}

c_struct! {
    /// The result of applying a diff.
    CApplied = "varvite_applied" {
        first_node: u64,
        node_count: u64,
        edge_count: u64,
        file_length: u64,
        written: u64,
        generation: u64,
        record: u64,
    }
}

impl Default for ApplySettings {
    fn default() -> Self {
        Self {
            size: size_of::<Self>() as u32,
            no_lock: 0,
            memory_bytes: 0,
            layer: FieldItems::NULL,
            tool: FieldItems::NULL,
            version: FieldItems::NULL,
            source: [0; 32],
            file_id: [0; 16],
            generation: 0,
            directory_hash: 0,
        }
    }
}

impl SizedFirst for ApplySettings {}

impl ApplySettings {
    /// The layer that the diff's additions become; `None` if the caller names no layer.
    fn layer(&self) -> Result<Option<LayerSpec<'_>>, Failure> {
        if self.layer.is_null() {
            return Ok(None);
        }
        Ok(Some(LayerSpec {
            name: self.layer.text("options.layer")?,
            tool: text_or_nothing(&self.tool, "options.tool")?,
            version: text_or_nothing(&self.version, "options.version")?,
            source: self.source,
        }))
    }

    /// The state of the file for which the diff was made; `None` if the options state no generation.
    fn made_for(&self) -> Option<Identity> {
        let Self { file_id, generation, directory_hash, .. } = *self;
        (generation != 0).then(|| Identity::of(file_id, generation, directory_hash))
    }

    fn apply(&self, path: &Path, diff: &Diff, answer: Answer<'_>) -> Result<Status, Failure> {
        answer.check(diff)?;
        let layer = self.layer()?;
        let change = GraphChange::begin(disk("options.no_lock", self.no_lock)?, path)?;
        if let Some(seen) = self.made_for() {
            change.check_identity(&seen)?;
        }
        let applied = match &layer {
            None => change.apply_with(diff, &Task::new())?,
            Some(layer) => change.add_layer(layer, diff, &Task::new())?,
        };
        answer.write(&applied);
        Ok(Status::Ok)
    }
}

fn text_or_nothing<'a>(text: &'a FieldItems<Char>, name: &'static str) -> Result<&'a str, Failure> {
    if text.is_null() { Ok("") } else { text.text(name) }
}

/// The file system that a writer uses. If `no_lock` is 1, the writer also works if the file system has no
/// locks.
pub(crate) fn disk(argument: &'static str, no_lock: u32) -> Result<Arc<dyn Vfs>, Failure> {
    match no_lock {
        0 => Ok(Arc::new(RealVfs)),
        1 => Ok(Arc::new(InterruptibleVfs::over(Arc::new(RealVfs)).going_without_locks())),
        other => Err(Failure::Value { argument, expected: "0 or 1", found: other.into() }),
    }
}

/// The caller's buffers for the result of applying a diff.
pub(crate) struct Answer<'c> {
    applied: StructRoom<'c, CApplied>,
    ranks: Option<&'c mut [MaybeUninit<u32>]>,
}

impl<'c> Answer<'c> {
    pub(crate) fn of(
        (applied, size): (NamedOutStructs<'c, CApplied>, u64),
        (ranks, capacity): (OptionalNamedOutItems<'c, u32>, u64),
    ) -> Result<Self, Failure> {
        Ok(Self { applied: applied.room(size, 1)?, ranks: ranks.slice(capacity)? })
    }

    /// Fails if the caller's buffer is too small for the ranks of all edges that the diff adds. Called before
    /// the diff is applied, because an applied diff can't be undone.
    pub(crate) fn check(&self, diff: &Diff) -> Result<(), Failure> {
        let needed = diff.new_edges() as u64;
        match &self.ranks {
            Some(room) if (room.len() as u64) < needed => {
                Err(Failure::TooSmall { argument: "ranks", capacity: room.len() as u64, needed })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn write(self, applied: &Applied) {
        let edges = applied.edges();
        self.applied.write(CApplied {
            first_node: applied.nodes.start.into(),
            node_count: applied.nodes.len() as u64,
            edge_count: edges.len() as u64,
            file_length: applied.file_len,
            written: applied.written,
            generation: applied.generation,
            record: applied.record,
        });
        for (place, rank) in self.ranks.into_iter().flatten().zip(edges) {
            place.write(rank.unwrap_or(NONE));
        }
    }
}

exports! {
    /// Applies a diff to a file: all of it, or nothing.
    fn varvite_apply(
        path: PathText<'_>,
        diff: Handle<DiffObject>,
        options: Options<'_, ApplySettings>,
        applied: OutStructs<'_, CApplied>,
        applied_size: u64,
        ranks: OptionalOutItems<'_, u32>,
        capacity: u64,
    ) {
        let answer = Answer::of((applied, applied_size), (ranks, capacity))?;
        diff.read(|object| options.apply(path, &object.0, answer))
    }

    /// The same as `varvite_apply`, for an encoded diff.
    fn varvite_apply_bytes(
        path: PathText<'_>,
        bytes: Items<'_, Byte>,
        length: u64,
        options: Options<'_, ApplySettings>,
        applied: OutStructs<'_, CApplied>,
        applied_size: u64,
        ranks: OptionalOutItems<'_, u32>,
        capacity: u64,
    ) {
        let answer = Answer::of((applied, applied_size), (ranks, capacity))?;
        options.apply(path, &read(bytes.bytes(length)?, path, options.memory_bytes)?, answer)
    }

    /// Removes layers from a file.
    fn varvite_drop_layers(
        path: PathText<'_>,
        layers: Texts<'_>,
        layer_count: u64,
        options: Options<'_, ApplySettings>,
    ) {
        let disk = disk("options.no_lock", options.no_lock)?;
        drop_layers(disk, path, &layers.all(layer_count)?, &Task::new())?;
        Ok(Status::Ok)
    }
}
