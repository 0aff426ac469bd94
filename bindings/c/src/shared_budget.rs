//! `varvite_shared_budget`: a memory limit that several open graphs share.

use varvite::memory::SharedBudget;

use crate::failure::Failure;
use crate::handle::{Counted, Handle, Kind};
use crate::pointer::{Out, OutStructs, c_struct};
use crate::status::Status;

/// The object behind a shared budget's handle.
pub(crate) struct BudgetObject(pub(crate) SharedBudget);

impl Kind for BudgetObject {
    const NAME: &'static str = "shared budget";
    const FOUND: &'static str = "it is one of a shared budget";
    const C: &'static str = "varvite_shared_budget";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

c_struct! {
    /// The limit of a budget, and the bytes that its graphs hold.
    BudgetUse = "varvite_budget_use" {
        limit: u64,
        held: u64,
        kept: u64,
        most: u64,
        given_back: u64,
    }
}

exports! {
    /// Creates a budget of `bytes` bytes.
    fn varvite_shared_budget_new(bytes: u64, budget: Out<'_, Counted<BudgetObject>>) {
        if bytes == 0 {
            let expected = "the bytes that graphs may have together";
            return Err(Failure::Value { argument: "bytes", expected, found: bytes });
        }
        budget.write(Counted::new(BudgetObject(SharedBudget::new(bytes))));
        Ok(Status::Ok)
    }

    /// The bytes that the graphs of a budget hold now.
    fn varvite_shared_budget_use(
        budget: Handle<BudgetObject>,
        budget_use: OutStructs<'_, BudgetUse>,
        use_size: u64,
    ) {
        let room = budget_use.room(use_size, 1)?;
        let budget = budget.read(|object| Ok(object.0.clone()))?;
        let watched = budget.watched();
        room.write(BudgetUse {
            limit: budget.limit(),
            held: budget.held(),
            kept: budget.kept(),
            most: watched.most,
            given_back: watched.given_back,
        });
        Ok(Status::Ok)
    }
}
