//! Steps to what a node means or belongs to: edges REF, EVAL_TYPE, SOURCE_FILE, CONDITION and TAGGED_BY.

use varvite::pipeline::{Pipeline, it};

use crate::Kinds;

/// Steps to declarations, types, files and tags.
pub trait References: Sized {
    /// From an IDENTIFIER or METHOD_REF to what it names: REF out.
    fn refs_to(self) -> Self;
    /// From a LOCAL or parameter to the IDENTIFIERs that name it: REF in.
    fn referencing_identifiers(self) -> Self;
    /// From an expression or declaration to its TYPE: EVAL_TYPE out.
    fn eval_type(self) -> Self;
    /// To the FILE that a node is in: SOURCE_FILE out from it, or from the nearest node above that has such an edge. A FILE is
    /// its own.
    fn file(self) -> Self;
    /// From a CONTROL_STRUCTURE to what it asks: CONDITION out.
    fn condition(self) -> Self;
    /// To the TAGs of a node: TAGGED_BY out.
    fn tags(self) -> Self;
}

impl References for Pipeline {
    fn refs_to(self) -> Self {
        self.out("REF")
    }

    fn referencing_identifiers(self) -> Self {
        self.in_("REF").is_identifier()
    }

    fn eval_type(self) -> Self {
        self.out("EVAL_TYPE")
    }

    fn file(self) -> Self {
        let above = it().nearest_ancestor_where(varvite::pipeline::ALL, it().out("SOURCE_FILE"));
        self.coalesce([it().is_file(), it().out("SOURCE_FILE"), above.out("SOURCE_FILE")])
    }

    fn condition(self) -> Self {
        self.out("CONDITION")
    }

    fn tags(self) -> Self {
        self.out("TAGGED_BY")
    }
}
