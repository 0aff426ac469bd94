//! [`Repeat`]: the rules of a repeated pipeline: how often it repeats, and which nodes are results.

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::Value as Json;

use super::Steps;
use super::fields::{Field, Fields};
use crate::pipeline::error::Result;

/// A repeated pipeline: its depth, its order, and its results.
///
/// Without `times`, `until`, `whilst` and `emit`, the walk visits everything and has no results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Repeat {
    /// The repeated pipeline, which takes nodes and gives nodes.
    pub body: Steps,
    /// The depth at which nodes are results. The walk stops at them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// A condition. The nodes for which it gives any row are results, and the walk stops at them. The start
    /// is not tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Steps>,
    /// A condition. Nodes for which it gives no row are results, and the walk stops at them. The start is
    /// tested too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whilst: Option<Steps>,
    /// The visited nodes that are results in addition to those at which the walk stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emit: Option<Emit>,
    /// Whether each node is visited at most once for each start.
    pub dedup: bool,
    /// The order of the walk: depth first or breadth first.
    pub order: WalkOrder,
}

/// The visited nodes that are results of a `repeat`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Emit {
    /// Every node, the start included.
    All,
    /// Every node but the start.
    AllButFirst,
    /// Nodes for which the pipeline gives any result.
    Where(Steps),
}

/// The order in which a `repeat` visits nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WalkOrder {
    /// Depth first.
    #[default]
    Depth,
    /// Breadth first.
    Breadth,
}

/// The fields of `Repeat` are written as fields of the step `repeat`, which has no others.
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
