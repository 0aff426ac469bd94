//! Resolves the keys and properties of steps by name.

use std::sync::Arc;

use super::searches::{KeyOf, Searches};
use super::steps::{inner_prefix, named};
use super::{Compiler, PROPERTY_BYTES, bad_step, graph_error, misplaced};
use crate::pipeline::description::{Key, Step, Steps};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::{Needs, StepFault, Takes};
use crate::pipeline::plan::{Computation, ComputedKey, KeyPlan, Operator, Physical, PropertyPlan, ValuePlan};
use crate::pipeline::rows::{ColumnSpec, Meaning, Shape};
use varvite_graph::{GraphError, NameKind, Property, ValueType, nearest};

impl Compiler<'_> {
    /// The computations of those keys of a step that are pipelines or functions, in the order of the keys.
    pub(super) fn computed_keys(
        &self,
        step: &Step,
        before: &Physical,
        at: &StepAt,
    ) -> Result<Vec<ComputedKey>> {
        let (mut computed, searches) = (Vec::new(), Searches::of(step));
        for (number, key) in step.keys().filter(|(_, key)| key.is_computed()) {
            self.take_list::<(ComputedKey, ComputedKey)>(1, at)?;
            computed.push(self.computed_key(key, &KeyOf::new(&before.shape, at, number, &searches))?);
        }
        let found = searches.take();
        Ok(found.into_iter().chain(computed).collect())
    }

    fn computed_key<'k>(&self, key: &'k Key, of: &KeyOf<'k>) -> Result<ComputedKey> {
        let KeyOf { shape, at, column: number, .. } = *of;
        let is_column = number.is_some();
        let (by, column) = match key.unnamed() {
            Key::First(_) | Key::List(_) | Key::Exists(_) if matches!(shape, Shape::Table(_)) => {
                return Err(misplaced(at, Takes::Single, shape));
            }
            Key::List(_) if !is_column => return Err(bad_step(at, StepFault::ListKey)),
            Key::First(steps) => {
                let (by, meaning) = self.first(steps, of)?;
                (by, ColumnSpec { may_be_null: true, ..ColumnSpec::new("first", meaning) })
            }
            Key::List(steps) => {
                let (steps, meaning) = self.pipeline_of_key(steps, shape, at, number)?;
                (Computation::List(steps), ColumnSpec::list("list", meaning))
            }
            Key::Exists(steps) => {
                let column = ColumnSpec::new("exists", Meaning::Plain(ValueType::Bool));
                (Computation::Exists(self.condition(steps, shape, at, number)?), column)
            }
            key => {
                let plan = self.value(key, of)?;
                // All operands of a row may have results at one time, so the rows of a batch are as few as if
                // each operand were a column.
                self.widest.set(self.widest.get().max(of.functions.get()));
                let name = match key {
                    Key::Function(function, _) => function.name(),
                    _ => "constant",
                };
                let column = ColumnSpec { may_be_null: true, ..ColumnSpec::new(name, plan.meaning()) };
                (Computation::Value(name, Box::new(plan)), column)
            }
        };
        Ok(ComputedKey { by, column: named(column, key) })
    }

    /// The computation of a key that is the first result of an inner pipeline, and the meaning of the result.
    fn first<'k>(&self, steps: &'k Steps, of: &KeyOf<'k>) -> Result<(Computation, Meaning)> {
        let KeyOf { shape, at, column: number, .. } = *of;
        if let Some(found) = self.found(steps, of, &inner_prefix(at, number))? {
            let meaning = found.column().meaning;
            return Ok((Computation::Value("first result", Box::new(ValuePlan::stored(found))), meaning));
        }
        let (steps, meaning) = self.pipeline_of_key(steps, shape, at, number)?;
        Ok((Computation::First(steps), meaning))
    }

    /// The inner pipeline of a key, and the meaning of its results.
    fn pipeline_of_key(
        &self,
        steps: &Steps,
        shape: &Shape,
        at: &StepAt,
        number: Option<usize>,
    ) -> Result<(Vec<Physical>, Meaning)> {
        let steps = self.inside_condition().inner_steps(steps, shape, at, number)?;
        let meaning = match steps.last().map_or(shape, |last| &last.shape) {
            Shape::Nodes => Meaning::Node,
            Shape::Values(column) => column.meaning.clone(),
            shape => return Err(misplaced(at, Needs::KeyOfSingles, shape)),
        };
        Ok((steps, meaning))
    }

    /// The plans that read the keys of a step from the rows of `before`, which has computed those keys that
    /// are pipelines or functions.
    pub(super) fn keys<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k Key>,
        before: &Physical,
        at: &StepAt,
    ) -> Result<Vec<KeyPlan>> {
        let mut computed = match &before.operator {
            Operator::Compute(keys) => keys.iter(),
            _ => [].iter(),
        }
        .enumerate()
        .filter(|(_, key)| !matches!(key.by, Computation::Search(_)));
        let plan = |key: &Key| match key.is_computed().then(|| computed.next()).flatten() {
            Some((index, computed)) => Ok(KeyPlan::Computed(index, computed.column.clone())),
            None => self.key(key, &before.shape, at),
        };
        keys.into_iter().map(plan).collect()
    }

    /// The plan that reads the only key of a step.
    pub(super) fn only_key(&self, key: &Key, before: &Physical, at: &StepAt) -> Result<KeyPlan> {
        let mut plans = self.keys([key], before, at)?;
        plans.pop().ok_or_else(|| bad_step(at, StepFault::Unforeseen))
    }

    /// The plan that reads a key from rows of `shape`. The key is neither a pipeline nor a function.
    pub(super) fn key(&self, key: &Key, shape: &Shape, at: &StepAt) -> Result<KeyPlan> {
        Ok(match (key.unnamed(), shape) {
            (Key::Itself, Shape::Nodes) => KeyPlan::Node,
            (Key::Itself, Shape::Edges) => KeyPlan::Edge,
            (Key::Itself, Shape::Values(column)) => KeyPlan::Value(column.meaning.clone()),
            (Key::Label, Shape::Nodes) => {
                let (labels, names) = self.labels(at)?;
                KeyPlan::Labels(labels, names)
            }
            (Key::Label, Shape::Edges) => {
                self.take_list::<[String; 2]>(self.graph.edge_labels().len(), at)?;
                let names = self.graph.edge_labels().iter().map(|label| label.name.clone());
                KeyPlan::EdgeLabel(names.collect())
            }
            (Key::Depth, Shape::Nodes | Shape::Edges | Shape::Values(_)) => {
                self.check_lanes("depth", at)?;
                KeyPlan::Depth
            }
            (Key::Property(name), Shape::Nodes | Shape::Edges) => {
                KeyPlan::Property(self.property(name, shape, at)?)
            }
            (Key::Column(name), Shape::Table(columns)) => column_key(name, columns, at)?,
            (_, Shape::Table(columns)) => {
                return Err(bad_step(at, StepFault::ColumnMissing { columns: names_of(columns) }));
            }
            (Key::Column(_), shape) => return Err(misplaced(at, Needs::Columns, shape)),
            (_, shape) => return Err(misplaced(at, Takes::Elements, shape)),
        })
    }

    /// Fails inside a condition, because rows have neither path nor depth there.
    pub(super) fn check_lanes(&self, word: &'static str, at: &StepAt) -> Result<()> {
        match self.in_condition {
            true => Err(bad_step(at, StepFault::InCondition { word })),
            false => Ok(()),
        }
    }

    /// The property `name` of rows of `shape`.
    pub(super) fn property(&self, name: &str, shape: &Shape, at: &StepAt) -> Result<PropertyPlan> {
        let of_edges = match shape {
            Shape::Nodes => false,
            Shape::Edges => true,
            shape => return Err(misplaced(at, Takes::Elements, shape)),
        };
        let properties = || {
            let all = self.graph.property_ids().zip(self.graph.properties());
            all.filter(|(_, info)| info.edge_label.is_some() == of_edges)
        };
        let mut found = properties().filter(|(_, info)| info.name == name);
        let Some((id, info)) = found.next() else {
            let kind = if of_edges { NameKind::EdgeProperty } else { NameKind::Property };
            let nearest = nearest(name, properties().map(|(_, info)| info.name.as_str()));
            return Err(graph_error(at, GraphError::Unknown { kind, name: name.to_owned(), nearest }));
        };
        if found.next().is_some() {
            return Err(bad_step(at, StepFault::SeveralProperties { name: name.to_owned() }));
        }
        let edge_label = info.edge_label.as_ref().map(|label| self.graph.edge_label(label));
        let edge_label = edge_label.transpose().map_err(|error| graph_error(at, error))?;
        self.take(size_of::<Property>() + PROPERTY_BYTES + name.len(), at)?;
        let property = self.graph.property_at(id).map_err(|error| graph_error(at, error))?;
        let property = Arc::new(property);
        Ok(PropertyPlan { name: name.into(), edge_label, property })
    }

    /// The meaning of the values of `shape`. Fails if its rows are not values.
    pub(super) fn meaning<'a>(&self, shape: &'a Shape, at: &StepAt) -> Result<&'a Meaning> {
        match shape {
            Shape::Values(column) => Ok(&column.meaning),
            shape => Err(misplaced(at, Takes::Values, shape)),
        }
    }
}

/// The key for a column of a table. In a column of lists, the key is the length of the list.
fn column_key(name: &str, columns: &[ColumnSpec], at: &StepAt) -> Result<KeyPlan> {
    let found = columns.iter().enumerate().find(|(_, column)| &*column.name == name);
    let Some((index, column)) = found else {
        let (name, columns) = (name.to_owned(), names_of(columns));
        return Err(bad_step(at, StepFault::ColumnUnknown { name, columns }));
    };
    let column = match column.is_list {
        true => ColumnSpec::new(name, Meaning::Plain(ValueType::U64)),
        false => column.clone(),
    };
    Ok(KeyPlan::Column(index, column))
}

fn names_of(columns: &[ColumnSpec]) -> Vec<String> {
    columns.iter().map(|column| column.name.to_string()).collect()
}
