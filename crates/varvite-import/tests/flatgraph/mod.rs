//! flatgraph files: the content of a real one, round trips, and the effect of damage.

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
