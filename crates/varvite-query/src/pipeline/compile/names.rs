//! Compiles the steps `as` and `select`: names of rows become numbers.
//!
//! A row gets the number of named rows around it. Pipelines that are not inside each other may use one number
//! for different rows: a pipeline sets the number each time it continues, and it never runs while another one
//! with this number runs.

use std::iter::successors;
use std::rc::Rc;

use super::steps::Compiled;
use super::{Compiler, NamedRow, bad_step};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::StepFault;
use crate::pipeline::plan::{Operator, Physical};
use crate::pipeline::rows::Shape;
use varvite_graph::nearest;

impl Compiler<'_> {
    /// A compiler for an inner pipeline whose row has a name.
    pub(super) fn with_named_row(&self, name: &str, shape: &Shape) -> Self {
        let number = self.named.as_ref().map_or(0, |row| row.number + 1);
        let (name, shape, around) = (name.to_owned(), shape.clone(), self.named.clone());
        Self { named: Some(Rc::new(NamedRow { name, shape, number, around })), ..self.clone() }
    }

    /// The operator of `as`, which has to be the first step of an inner pipeline.
    pub(super) fn named_row(
        &self,
        name: &str,
        index: usize,
        before: &Physical,
        at: &StepAt,
    ) -> Result<Compiled> {
        let row = self.named.as_ref().filter(|row| index == 0 && row.name == name);
        let row = row.ok_or_else(|| bad_step(at, StepFault::LateName))?;
        Ok(Compiled::new(Operator::Name(row.number), before.shape.clone(), before.rows))
    }

    /// The operator of `select`.
    pub(super) fn selected(&self, name: &str, before: &Physical, at: &StepAt) -> Result<Compiled> {
        let rows = || successors(self.named.as_deref(), |row| row.around.as_deref());
        let Some(row) = rows().find(|row| row.name == name) else {
            let nearest = nearest(name, rows().map(|row| row.name.as_str()));
            return Err(bad_step(at, StepFault::NoSuchName { name: name.to_owned(), nearest }));
        };
        Ok(Compiled::new(Operator::Select(row.number), row.shape.clone(), before.rows))
    }
}
