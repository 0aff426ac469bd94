//! A page of HTML: its frame with the content policy, its headings, texts and tables.
//!
//! Every text of a graph passes [`text::escaped`], and no other function of this crate writes such texts. The
//! page is well-formed XML too, so tests read it by a strict parser.

mod page;
mod policy;
mod table;
mod text;

pub(crate) use page::Page;
pub(crate) use table::{Cell, Table, Title};
pub(crate) use text::{first_line, shortened};
