//! The nodes and edges of a graph of NetworkX, read from its dictionaries.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use varvite::algorithms::{AlgorithmOptions, NodeLists, Subgraph};

use super::keys::Keys;
use super::network::Network;
use crate::failure::{Failure, Result};
use crate::options::Limits;

/// The number of edges between two looks for signals.
const LOOK: usize = 1 << 15;

/// A network of NetworkX's nodes and edges: the dictionaries of out-edges and of in-edges by node; without
/// the latter, edges lead both ways. In multigraphs, each entry is a dictionary of parallel edges. `weight`
/// is the attribute that is looked for.
#[pyfunction]
pub(crate) fn convert_network(
    nodes: &Bound<'_, PyAny>,
    out: &Bound<'_, PyMapping>,
    in_: Option<&Bound<'_, PyMapping>>,
    is_multi: bool,
    weight: Option<&Bound<'_, PyAny>>,
    limits: Limits,
) -> PyResult<Network> {
    let py = nodes.py();
    let (mut objects, numbers) = (Vec::new(), PyDict::new(py));
    for (number, node) in nodes.try_iter()?.enumerate() {
        let node = node?;
        numbers.set_item(&node, number)?;
        objects.push(node.unbind());
    }
    let count =
        u32::try_from(objects.len()).map_err(|_| Failure::Argument("2^32 nodes or more".to_owned()))?;
    let mut reader =
        Reader { objects: &objects, numbers: &numbers, is_multi, weight, is_weighted: false, read: 0 };
    let out = reader.lists(out)?;
    let in_ = in_.map(|in_| reader.lists(in_)).transpose()?;
    let is_weighted = reader.is_weighted;
    let options = AlgorithmOptions::from(limits.task()?);
    let subgraph =
        py.detach(|| -> Result<Subgraph> { Ok(Subgraph::of_lists(count, out, in_, &options)?) })?;
    let keys = Keys::Objects { objects, numbers: numbers.unbind() };
    Ok(Network::new(None, subgraph, keys, is_weighted, limits))
}

struct Reader<'a, 'py> {
    objects: &'a [Py<PyAny>],
    numbers: &'a Bound<'py, PyDict>,
    is_multi: bool,
    weight: Option<&'a Bound<'py, PyAny>>,
    is_weighted: bool,
    read: usize,
}

impl<'py> Reader<'_, 'py> {
    /// The list of each node.
    fn lists(&mut self, edges: &Bound<'py, PyMapping>) -> PyResult<NodeLists> {
        let py = edges.py();
        let mut lists = NodeLists::with_capacity(self.objects.len(), self.objects.len());
        for node in self.objects {
            let of_node = edges.get_item(node.bind(py))?;
            match of_node.cast::<PyDict>() {
                Ok(dict) => dict.iter().try_for_each(|(next, data)| self.edge(&next, &data, &mut lists))?,
                Err(_) => self.mapping(&of_node, &mut lists)?,
            }
            lists.end_list().map_err(Failure::from)?;
        }
        Ok(lists)
    }

    /// Reads a list that is no dictionary, such as that of a view of another graph.
    fn mapping(&mut self, of_node: &Bound<'py, PyAny>, lists: &mut NodeLists) -> PyResult<()> {
        for next in of_node.try_iter()? {
            let next = next?;
            self.edge(&next, &of_node.get_item(&next)?, lists)?;
        }
        Ok(())
    }

    fn edge(
        &mut self,
        next: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        lists: &mut NodeLists,
    ) -> PyResult<()> {
        self.read += 1;
        if self.read.is_multiple_of(LOOK) {
            next.py().check_signals()?;
        }
        let number = self.numbers.get_item(next)?;
        let number =
            number.ok_or_else(|| Failure::Argument("an edge leads to a node that is missing".to_owned()))?;
        let number: u32 = number.extract()?;
        (0..if self.is_multi { data.len()? } else { 1 }).for_each(|_| lists.push(number));
        self.is_weighted = self.is_weighted || self.has_weight(data)?;
        Ok(())
    }

    fn has_weight(&self, data: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Some(weight) = self.weight else { return Ok(false) };
        if !self.is_multi {
            return data.contains(weight);
        }
        let parallel = data.cast::<PyMapping>()?.values()?;
        for data in parallel {
            if data.contains(weight)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
