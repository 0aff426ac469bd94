"""A simple interpreter of plans, written from docs/plan.md alone. Random plans compare Varvite with it."""
