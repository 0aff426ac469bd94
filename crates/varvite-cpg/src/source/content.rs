//! [`OlderContent`]: the values of CONTENT that a graph has without the layer of sources.

use std::collections::HashMap;

use varvite::columns::NewTexts;
use varvite::memory::Reserved;
use varvite::{Budget, Graph, Property, PropertyInfo, ValueType};

use super::error::SourceError;
use super::folder::is_placeholder;
use super::{CONTENT, LAYER};

/// The greatest length of a placeholder that is read to recognise it.
const PLACEHOLDER_LEN_MAX: usize = 64;
/// Bytes of memory for a text that was written.
const WRITTEN_BYTES: usize = 32;

/// The values of CONTENT that the graph has without the layer. Joern gives every FILE the value `<empty>`,
/// and files that are not code, such as CONFIG_FILEs, their text. They stay visible where no source takes
/// their place.
pub(super) struct OlderContent {
    property: Option<Property>,
    /// The nodes with a value, in ascending order.
    pub(super) nodes: Vec<u32>,
    /// The first node with each text that was written, by the number of the text.
    written: HashMap<i64, u32>,
    /// Pays for the nodes and the numbers.
    room: Reserved,
}

impl OlderContent {
    /// Finds the values. `files` are the FILEs of the graph.
    ///
    /// # Errors
    /// [`SourceError::HasContent`] if FILEs have texts already.
    pub(super) fn of(graph: &Graph, files: &[u32], budget: &Budget) -> Result<Self, SourceError> {
        let properties = graph.properties_without(&[LAYER]);
        let is_it = |info: &PropertyInfo| {
            info.edge_label.is_none() && info.name == CONTENT && info.value_type == ValueType::String
        };
        let found = properties.iter().find(|(_, info)| is_it(info));
        let property = found.map(|(id, _)| graph.property_at(*id)).transpose()?;
        let with_text = |content| files.iter().filter(|node| is_text(content, **node)).count() as u64;
        match property.as_ref().map_or(0, with_text) {
            0 => {}
            files => {
                let layer = found.and_then(|(_, info)| graph.layers().get(info.layer as usize));
                let layer = layer.map(|layer| layer.name.clone()).unwrap_or_default();
                return Err(SourceError::HasContent { files, layer });
            }
        }
        let (mut room, mut nodes) = (Reserved::nothing_of(budget), Vec::new());
        for node in property.iter().flat_map(Property::owners) {
            room.make_room(&mut nodes, 1)?;
            nodes.push(node);
        }
        Ok(Self { property, nodes, written: HashMap::new(), room })
    }

    /// Writes the text that a node has. Each different text is read once.
    pub(super) fn keep(&mut self, node: u32, texts: &mut NewTexts<'_>) -> Result<(), SourceError> {
        let Some(property) = &self.property else { return Ok(()) };
        let Some(code) = property.number(node) else { return Ok(()) };
        if let Some(earlier) = self.written.get(&code) {
            return Ok(texts.repeat(node, *earlier)?);
        }
        if let Some(text) = property.str(node) {
            self.room.take(WRITTEN_BYTES)?;
            texts.push(node, &text)?;
            self.written.insert(code, node);
        }
        Ok(())
    }
}

/// Whether a value of CONTENT is a text, and not a placeholder of a frontend. Long texts are not read.
pub(super) fn is_text(content: &Property, node: u32) -> bool {
    let code = content.number(node).and_then(|code| u32::try_from(code).ok());
    let Some((texts, code)) = content.strings().zip(code) else { return false };
    let len = texts.text_len(code).unwrap_or(0);
    len > PLACEHOLDER_LEN_MAX || content.str(node).is_some_and(|text| !is_placeholder(&text))
}
