//! Properties of operators that decide how they may run, such as whether an operator treats each row
//! independently, and whether it reads trails.

use super::{Body, Filter, Keep, OfEach, Operator, Physical, Project};

/// The number of rows that hops produce on one thread in 0.1 to 0.3 ms.
const FEW_ROWS: f64 = 16384.0;

/// The greatest estimate of a pipeline's rows for which it is narrow.
const NARROW_ROWS: f64 = 16.0;

impl Physical {
    /// Whether the operator is a hop that gives so few rows that the caller's thread alone is as fast as
    /// several threads.
    pub(crate) fn spreads_to_few(&self) -> bool {
        matches!(self.operator, Operator::Hop(_) | Operator::HopEdges(_)) && self.rows <= FEW_ROWS
    }

    /// Whether the operator treats each row independently of other rows.
    pub(crate) fn is_independent(&self) -> bool {
        use Operator::{Choose, Coalesce, Compute, Keep, Path, Project, Repeat, Union};
        self.is_rowwise()
            || matches!(
                self.operator,
                Union(_)
                    | Coalesce(_)
                    | Choose(_)
                    | Repeat(_)
                    | Path
                    | Compute(_)
                    | Project(_)
                    | Keep(super::Keep::True(_))
            )
    }

    /// Whether the operator, or one nested in it, reads trails.
    pub(crate) fn reads_trails(&self) -> bool {
        let reads = |steps: &Vec<Self>| steps.iter().any(Self::reads_trails);
        match &self.operator {
            Operator::Path | Operator::SimplePath => true,
            Operator::Union(branches) | Operator::Coalesce(branches) => branches.iter().any(reads),
            Operator::Choose(choose) => {
                choose.cases.iter().map(|(_, then)| then).chain(&choose.otherwise).any(reads)
            }
            Operator::Repeat(repeat) => matches!(&repeat.body, Body::Steps(steps) if reads(steps)),
            _ => false,
        }
    }

    /// Whether the operator does so little work for a row that copying the row's trail to a thread would cost
    /// more.
    pub(crate) fn is_brief(&self) -> bool {
        match &self.operator {
            Operator::InnerInput | Operator::EndOfEdge(_) | Operator::Path | Operator::SimplePath => true,
            Operator::Filter(filter) => {
                matches!(
                    filter,
                    Filter::Labels(_) | Filter::Ids(_) | Filter::EdgeLabels(_) | Filter::Present(_)
                )
            }
            _ => false,
        }
    }

    /// Whether an inner pipeline of these steps may run for many rows at once: each operator then keeps the
    /// order of rows, passes their numbers on, and treats the rows of each number independently. A `limit`
    /// may only follow operators that give at most one row, because it does not stop them early in such a
    /// run.
    pub(crate) fn run_together(steps: &[Self]) -> bool {
        let limit = steps.iter().rposition(|step| matches!(step.operator, Operator::Keep(Keep::Limit(_))));
        let mut limited = steps.iter().take(limit.unwrap_or(0));
        steps.iter().all(Self::passes_numbers) && limited.all(Self::gives_at_most_one)
    }

    fn passes_numbers(&self) -> bool {
        match &self.operator {
            Operator::SimplePath => false,
            Operator::Union(branches) | Operator::Coalesce(branches) => {
                branches.iter().all(|branch| Self::run_together(branch))
            }
            Operator::Keep(keep) => !keep.holds_rows(),
            Operator::Name(_) | Operator::Compute(_) => true,
            Operator::Project(project) => !matches!(project, Project::Columns(_)),
            _ => self.is_rowwise(),
        }
    }

    /// Whether an inner pipeline of these steps probably gives so few results for a row that finding all of
    /// them costs little more than finding the first.
    pub(crate) fn are_narrow(steps: &[Self]) -> bool {
        steps.iter().all(|step| match &step.operator {
            Operator::Descendants(_) | Operator::Ancestors(_) => false,
            Operator::Union(branches) | Operator::Coalesce(branches) => {
                branches.iter().all(|branch| Self::are_narrow(branch))
            }
            _ => step.rows <= NARROW_ROWS,
        })
    }

    /// Whether the operator gives at most one row for each row that it takes.
    pub(crate) fn gives_at_most_one(&self) -> bool {
        use Operator::{Compute, EndOfEdge, Filter, InnerInput, Name, NearestAncestor, Select};
        match &self.operator {
            InnerInput | Name(_) | Select(_) | Filter(_) | EndOfEdge(_) | NearestAncestor { .. } => true,
            Compute(_) | Operator::Keep(_) | Operator::HopEach(_, OfEach::First(0 | 1)) => true,
            Operator::Project(project) => matches!(project, Project::Map(_)),
            _ => false,
        }
    }

    /// Whether the operator treats each row independently and keeps the order of rows, so that an inner
    /// pipeline may get many rows at once. A pipeline that names its row may not.
    pub(crate) fn is_rowwise(&self) -> bool {
        matches!(
            self.operator,
            Operator::InnerInput
                | Operator::Hop(_)
                | Operator::HopEach(..)
                | Operator::HopEdges(_)
                | Operator::EndOfEdge(_)
                | Operator::Filter(_)
                | Operator::Descendants(_)
                | Operator::Ancestors(_)
                | Operator::NearestAncestor { .. }
                | Operator::SimplePath
                | Operator::Select(_)
        )
    }
}
