//! flatgraph's file: what a real one says, what is written comes back, and what damage does.

mod bounds;
mod cancelling;
mod content;
mod damage;
mod draft;
mod export;
mod facts;
mod golden;
mod hostile;
mod index;
mod roundtrip;
mod sound;
mod source_text;
mod unsayable;
