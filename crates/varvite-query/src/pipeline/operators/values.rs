//! The operators of `values`, `label`, `depth` and `columns`, which turn rows into numbers with a meaning.

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::lists::{has_room, push_list};
use super::node_numbers::{NodeNumbers, each_key};
use super::stop::Stop;
use crate::pipeline::plan::{KeyPlan, Project, PropertyPlan};
use crate::pipeline::rows::{Batch, Cells, Meaning};

/// Makes the operator for a [`Project`].
pub(crate) fn operator(plan: &Project) -> Box<dyn Operate> {
    match plan {
        Project::Values(by) => Box::new(ValuesOperator::new(by.clone())),
        Project::Map(by) => Box::new(MapOperator::new(by.clone())),
        Project::Columns(columns) => Box::new(ColumnsOperator::new(columns.clone())),
    }
}

/// Gives the values of a property or of another key: all values of a list, and nothing for a row without a
/// value.
#[derive(Debug)]
struct ValuesOperator {
    by: KeyPlan,
    numbers: NodeNumbers,
    /// The position in the input, and in the list of the current row, since lists may be longer than a batch.
    has_input: bool,
    row: usize,
    taken: usize,
}

impl ValuesOperator {
    fn new(by: KeyPlan) -> Self {
        Self { by, numbers: NodeNumbers::default(), has_input: false, row: 0, taken: 0 }
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        self.has_input = false;
        let carries = cx.carried.trail || cx.carried.depth;
        match &self.by {
            KeyPlan::Property(plan) if plan.property.is_list() => {
                return self.fill_lists(input, output, carries, cx);
            }
            KeyPlan::Property(PropertyPlan { edge_label: None, property, .. }) if !carries => {
                self.numbers.for_each(property, &input.nodes, |number| {
                    if let Some(number) = number {
                        output.numbers.push(number);
                    }
                });
                return Ok(());
            }
            _ => {}
        }
        for row in 0..input.rows() {
            let first = output.numbers.len();
            output.numbers.extend(self.by.number(input, row));
            if carries {
                cx.extend_carried(output, first, input, row)?;
            }
        }
        Ok(())
    }

    /// Appends the items of lists, until the batch is full.
    fn fill_lists(
        &mut self,
        input: &Batch,
        output: &mut Batch,
        carries: bool,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let KeyPlan::Property(plan) = &self.by else { return Ok(()) };
        while self.row < input.rows() {
            let first = output.numbers.len();
            let room = cx.batch_rows.saturating_sub(first);
            if room == 0 {
                self.has_input = true;
                return Ok(());
            }
            let owner = plan.owner(input, self.row);
            let list = owner.map_or(0..0, |owner| plan.property.range(owner));
            let left = list.start.saturating_add(self.taken)..list.end;
            let part = left.start..left.end.min(left.start.saturating_add(room));
            let numbers = part.clone().map_while(|at| plan.property.number_at(at, owner.unwrap_or(0)));
            output.numbers.extend(numbers);
            cx.tick_by(1 + part.len())?;
            if carries {
                cx.extend_carried(output, first, input, self.row)?;
            }
            let is_sound = output.numbers.len() - first == part.len();
            match part.end < left.end && is_sound {
                true => self.taken += part.len(),
                false => (self.row, self.taken) = (self.row + 1, 0),
            }
        }
        Ok(())
    }
}

impl Operate for ValuesOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        loop {
            if !self.has_input {
                if !pull(before, cx)? {
                    return Ok(false);
                }
                (self.row, self.taken) = (0, 0);
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
            self.fill(input, output, cx)?;
            if !output.numbers.is_empty() {
                return Ok(true);
            }
        }
    }

    fn reset(&mut self) {
        self.has_input = false;
    }
}

/// The operator of `map`: one value or node for each row that has the key.
#[derive(Debug)]
struct MapOperator {
    by: KeyPlan,
    gives_nodes: bool,
    numbers: NodeNumbers,
}

impl MapOperator {
    fn new(by: KeyPlan) -> Self {
        let gives_nodes = matches!(by.column().meaning, Meaning::Node);
        Self { by, gives_nodes, numbers: NodeNumbers::default() }
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        let carries = cx.carried.trail || cx.carried.depth;
        let needs_cache = self.by.property().is_some_and(|property| !property.is_list());
        if carries || needs_cache && !self.numbers.is_affordable(&input.nodes, cx.budget) {
            return self.fill_rows(input, output, cx);
        }
        let Self { by, gives_nodes, numbers } = self;
        let Batch { nodes, numbers: values, .. } = output;
        if let (KeyPlan::Computed(index, _), false) = (&*by, *gives_nodes)
            && let Some(keys) = input.computed.get(*index).and_then(Cells::whole_keys)
        {
            values.extend_from_slice(keys);
            return Ok(());
        }
        match gives_nodes {
            true => each_key(by, numbers, input, |node| nodes.extend(node.map(|node| node as u32))),
            false => each_key(by, numbers, input, |value| values.extend(value)),
        }
        Ok(())
    }

    /// Fills row by row, with what rows carry.
    fn fill_rows(&self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        for row in 0..input.rows() {
            let Some(number) = self.by.number(input, row) else { continue };
            let first = output.rows();
            match self.gives_nodes {
                true => output.nodes.push(number as u32),
                false => output.numbers.push(number),
            }
            cx.extend_carried(output, first, input, row)?;
        }
        Ok(())
    }
}

impl Operate for MapOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.fill(input, output, cx)?;
            if output.rows() > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {}
}

/// The operator of `columns`.
#[derive(Debug)]
struct ColumnsOperator {
    columns: Vec<KeyPlan>,
    numbers: NodeNumbers,
    has_lists: bool,
    has_input: bool,
    row: usize,
    output_held: usize,
}

impl ColumnsOperator {
    fn new(columns: Vec<KeyPlan>) -> Self {
        let has_lists = columns.iter().any(has_list);
        Self { columns, numbers: NodeNumbers::default(), has_lists, has_input: false, row: 0, output_held: 0 }
    }

    /// Fills rows without lists, column by column.
    fn fill(&mut self, input: &Batch, output: &mut Batch) {
        output.edges.extend_from_slice(&input.edges);
        let do_nodes_rise = input.nodes.len() == input.rows() && input.nodes.is_sorted();
        for (by, cells) in self.columns.iter().zip(&mut output.table) {
            match by {
                KeyPlan::Edge => (0..input.rows()).for_each(|row| cells.push(Some(row as i64))),
                // The cache that serves nodes that do not ascend holds only one property, but there may be
                // several columns.
                KeyPlan::Property(_) if !do_nodes_rise => {
                    (0..input.rows()).for_each(|row| cells.push(by.number(input, row)));
                }
                by => each_key(by, &mut self.numbers, input, |number| cells.push(number)),
            }
        }
    }

    /// Fills rows with lists, row by row, until the batch is full.
    fn fill_rows(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while self.row < input.rows() && has_room(output) {
            let edge = output.edges.len() as i64;
            output.edges.extend(input.edges.get(self.row));
            for (column, by) in self.columns.iter().enumerate() {
                match by {
                    KeyPlan::Property(plan) if plan.property.is_list() => {
                        let owner = plan.owner(input, self.row);
                        let list = owner.map_or(0..0, |owner| plan.property.range(owner));
                        let len = list.len();
                        let numbers = list.map_while(|at| plan.property.number_at(at, owner.unwrap_or(0)));
                        push_list(output, column, len, numbers, &mut self.output_held, cx)?;
                    }
                    KeyPlan::Computed(index, spec) if spec.is_list => {
                        let list = input.computed.get(*index).map_or(&[][..], |cells| cells.list(self.row));
                        push_list(
                            output,
                            column,
                            list.len(),
                            list.iter().copied(),
                            &mut self.output_held,
                            cx,
                        )?;
                    }
                    KeyPlan::Edge => output.table[column].push(Some(edge)),
                    by => output.table[column].push(by.number(input, self.row)),
                }
            }
            self.row += 1;
        }
        self.has_input = self.row < input.rows();
        Ok(())
    }
}

/// Whether a column of the key has lists.
fn has_list(by: &KeyPlan) -> bool {
    match by {
        KeyPlan::Property(plan) => plan.property.is_list(),
        KeyPlan::Computed(_, column) => column.is_list,
        _ => false,
    }
}

impl Operate for ColumnsOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.has_input {
            if !pull(before, cx)? {
                return Ok(false);
            }
            self.row = 0;
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        output.table.resize_with(self.columns.len(), Cells::default);
        for (by, cells) in self.columns.iter().zip(&mut output.table) {
            cells.refers = by.refers();
        }
        match self.has_lists {
            true => self.fill_rows(input, output, cx)?,
            false => self.fill(input, output),
        }
        Ok(true)
    }

    fn reset(&mut self) {
        self.has_input = false;
    }
}
