//! [`Locals`]: the symbols of a single document, such as `local 4`.

use std::collections::HashMap;

use varvite_graph::Reserved;
use varvite_graph::internal::DraftFault;

use super::class::Class;
use super::graph::{GraphDraft, Property};
use super::message::Document;
use super::source_text::TextCursor;
use super::symbol::is_local;

/// Bytes of memory for each symbol: its entry in the table.
const ENTRY: usize = 128;
/// The longest name in bytes. A longer one would be repeated in each reference.
const NAME_MAX: usize = 256;

/// The symbols of a document, by their text.
pub(super) struct Locals<'m> {
    /// The symbols, in the order in which they were added.
    list: Vec<Local<'m>>,
    /// The indexes of the symbols.
    of_text: HashMap<&'m str, usize>,
    room: Reserved,
}

/// A symbol of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local<'m> {
    pub(super) node: u32,
    pub(super) class: Class,
    /// SCIP's name, else the text of its definition in the source, else the symbol itself.
    pub(super) name: &'m str,
    /// The number of its first definition.
    pub(super) definition: Option<u32>,
}

impl<'m> Locals<'m> {
    /// Adds a node for each symbol. `order` has the numbers of all occurrences, by their start.
    pub(super) fn of(
        document: &Document<'m>,
        order: &[u32],
        mut source: Option<TextCursor<'m>>,
        graph: &mut GraphDraft,
    ) -> Result<Self, DraftFault> {
        let room = Reserved::nothing_of(graph.budget());
        let mut locals = Self { list: Vec::new(), of_text: HashMap::new(), room };
        for information in document.symbols.iter().filter(|found| is_local(found.symbol)) {
            let class = Class::of_local(information.kind);
            let local = locals.add(information.symbol, class, graph)?;
            if is_name(information.display_name) {
                local.name = information.display_name;
            }
        }
        for number in order {
            let occurrence = &document.occurrences[*number as usize];
            if is_local(occurrence.symbol) {
                let local = locals.add(occurrence.symbol, Class::Local, graph)?;
                if occurrence.roles.is_definition() && local.definition.is_none() {
                    local.definition = Some(*number);
                    let spot = source.as_mut().and_then(|source| source.spot(occurrence.range));
                    if let Some(name) = spot.map(|spot| spot.name()).filter(|name| is_name(name))
                        && local.name == occurrence.symbol
                    {
                        local.name = name;
                    }
                }
            }
        }
        for local in &locals.list {
            graph.text(Property::Name, local.node, local.name)?;
        }
        Ok(locals)
    }

    pub(super) fn get(&self, symbol: &str) -> Option<&Local<'m>> {
        self.list.get(*self.of_text.get(symbol)?)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    fn add(
        &mut self,
        symbol: &'m str,
        class: Class,
        graph: &mut GraphDraft,
    ) -> Result<&mut Local<'m>, DraftFault> {
        let index = match self.of_text.get(symbol) {
            Some(index) => *index,
            None => {
                self.room.take(ENTRY)?;
                let node = graph.node(class.label())?;
                let name = if symbol.len() <= NAME_MAX { symbol } else { "local" };
                self.list.push(Local { node, class, name, definition: None });
                self.of_text.insert(symbol, self.list.len() - 1);
                self.list.len() - 1
            }
        };
        Ok(&mut self.list[index])
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= NAME_MAX && !name.contains(|character: char| character.is_control())
}
