//! [`NumberMaps`]: writes a file that maps the old number of each node and edge to its new number in a
//! compacted graph.
//!
//! ```text
//! 0   64  a line: varvite-maps 1, the offset and length of the index in bytes; spaces up to 64
//! 64  ..  the maps, u32 each, all ones for removed elements
//! ..  ..  the index: JSON
//! ```
//!
//! The file appears under its name when it is complete, just before the compacted graph replaces the old one.
//! Its index has the id of the compacted graph. If the graph at the path has another id, the compaction did
//! not finish, and the maps do not apply.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value as Json, json};
use varvite::IfExists;
use varvite::change::ChangeError;
use varvite::columns::NewNumbers;
use varvite_store::{StagedFile, Vfs};

/// Length of the first line in bytes.
const HEAD: usize = 64;
/// Number of map entries per write.
const AT_ONCE: usize = 1 << 14;

/// The file of maps that is being written.
#[derive(Debug)]
pub(crate) struct NumberMaps {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The incomplete file; `None` once it is complete.
    file: Option<StagedFile>,
    end: u64,
    nodes: Json,
    edges: Vec<Json>,
}

impl NumberMaps {
    /// Creates the file `target`.
    pub(crate) fn create(vfs: Arc<dyn Vfs>, target: &Path, if_exists: IfExists) -> varvite::Result<Self> {
        let file = Some(StagedFile::create(vfs, target, if_exists)?);
        let state = State { file, end: HEAD as u64, nodes: Json::Null, edges: Vec::new() };
        Ok(Self { state: Mutex::new(state) })
    }

    /// If the graph was not renumbered, completes the file, which then states that all numbers are unchanged.
    pub(crate) fn finish(&self, file_id: &[u8; 16]) -> varvite::Result<()> {
        self.with(|state| if state.file.is_some() { state.complete(file_id) } else { Ok(()) })
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> varvite::Result<T>) -> varvite::Result<T> {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl NewNumbers for NumberMaps {
    fn nodes(&self, new_of_old: &[u32]) -> varvite::Result<(), ChangeError> {
        Ok(self.with(|state| {
            state.nodes = state.add(new_of_old, None)?;
            Ok(())
        })?)
    }

    fn edges(&self, label: &str, new_of_old: &[u32]) -> varvite::Result<(), ChangeError> {
        Ok(self.with(|state| {
            let place = state.add(new_of_old, Some(label))?;
            state.edges.push(place);
            Ok(())
        })?)
    }

    fn complete(&self, file_id: &[u8; 16]) -> varvite::Result<(), ChangeError> {
        Ok(self.with(|state| state.complete(file_id))?)
    }
}

impl State {
    /// Writes a map, and returns its offset and count.
    fn add(&mut self, new_of_old: &[u32], label: Option<&str>) -> varvite::Result<Json> {
        let place = json!({ "offset": self.end, "count": new_of_old.len() });
        for numbers in new_of_old.chunks(AT_ONCE) {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            self.write(&bytes)?;
        }
        Ok(match label {
            None => place,
            Some(label) => json!({ "label": label, "offset": place["offset"], "count": place["count"] }),
        })
    }

    fn write(&mut self, bytes: &[u8]) -> varvite::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all_at(self.end, bytes)?;
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    fn complete(&mut self, file_id: &[u8; 16]) -> varvite::Result<()> {
        self.edges.sort_by_key(|edges| edges["label"].as_str().map(str::to_owned));
        let is_renumbered = !self.nodes.is_null();
        let index = json!({
            "file_id": file_id.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
            "renumbered": is_renumbered,
            "nodes": self.nodes,
            "edges": self.edges,
        });
        let (index, at) = (index.to_string(), self.end);
        self.write(index.as_bytes())?;
        let head = format!("varvite-maps 1 {at} {}", index.len());
        let Some(mut file) = self.file.take() else { return Ok(()) };
        file.write_all_at(0, format!("{head:<width$}\n", width = HEAD - 1).as_bytes())?;
        Ok(file.commit()?)
    }
}
