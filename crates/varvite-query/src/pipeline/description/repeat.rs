//! [`Repeat`]: the rules of a repeated pipeline: its number of turns, and its results.

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::Value as Json;

use super::Steps;
use super::fields::{Field, Fields};
use crate::pipeline::error::Result;

/// A repeated pipeline: its depth, its order, and the nodes that come out.
///
/// Without `times`, `until`, `whilst` and `emit` everything is walked and nothing comes out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Repeat {
    /// The pipeline, from nodes to nodes.
    pub body: Steps,
    /// Nodes at this depth come out, and the walk does not go on from them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Nodes for which it gives anything come out, and the walk does not go on from them. Not tested for the
    /// start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Steps>,
    /// Nodes for which it gives nothing come out, and the walk does not go on from them. Tested for the start
    /// too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whilst: Option<Steps>,
    /// The nodes that come out on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emit: Option<Emit>,
    /// Each node at most once for each start.
    pub dedup: bool,
    /// Depth first or breadth first.
    pub order: WalkOrder,
}

/// The nodes that come out of a `repeat` on the way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Emit {
    /// Every node, the start included.
    All,
    /// Every node but the start.
    AllButFirst,
    /// Nodes for which the pipeline gives anything.
    Where(Steps),
}

/// The order in which a `repeat` visits nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WalkOrder {
    /// Deep before wide.
    #[default]
    Depth,
    /// Wide before deep.
    Breadth,
}

/// Its fields are those of the step itself, which has no others.
impl Field for Repeat {
    fn read(f: &mut Fields, _: &'static str) -> Result<Self> {
        Ok(Self {
            body: f.read("body")?,
            times: f.read("times")?,
            until: f.read("until")?,
            whilst: f.read("whilst")?,
            emit: f.read("emit")?,
            dedup: f.read_or_default("dedup", "false")?,
            order: f.read_or_default("order", "depth")?,
        })
    }

    fn write<M: SerializeMap>(&self, _: &'static str, step: &mut M) -> std::result::Result<(), M::Error> {
        self.body.write("body", step)?;
        self.times.write("times", step)?;
        self.until.write("until", step)?;
        self.whilst.write("whilst", step)?;
        self.emit.write("emit", step)?;
        self.dedup.write("dedup", step)?;
        self.order.write("order", step)
    }
}

impl Field for Emit {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let expected = "\"all\", \"all_but_first\" or {\"where\": [..]}";
        match f.need(field, expected)? {
            Json::String(word) if word == "all" => Ok(Self::All),
            Json::String(word) if word == "all_but_first" => Ok(Self::AllButFirst),
            json @ Json::Object(_) => {
                let mut fields = f.inner(&format!("{}, emit", f.at()), json)?;
                let steps = fields.read("where")?;
                fields.finish()?;
                Ok(Self::Where(steps))
            }
            other => Err(f.wrong(field, expected, &other)),
        }
    }
}

impl Field for WalkOrder {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let found = f.need(field, "an order")?;
        match found.as_str() {
            Some("depth") => Ok(Self::Depth),
            Some("breadth") => Ok(Self::Breadth),
            _ => Err(f.wrong(field, "\"depth\" or \"breadth\"", &found)),
        }
    }
}
