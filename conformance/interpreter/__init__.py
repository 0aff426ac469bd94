"""A plain interpreter of plans, written from docs/plan.md, and the random plans that compare Varvite with it."""
