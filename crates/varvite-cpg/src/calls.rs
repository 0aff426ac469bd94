//! Steps between METHODs, their CALLs and what is passed: edges CALL, CONTAINS, ARGUMENT, RECEIVER, PARAMETER_LINK, and AST to
//! what belongs to a METHOD.

use varvite::pipeline::{Pipeline, eq, it};

/// Steps along the edges of calls and arguments.
pub trait Calls: Sized {
    /// From a METHOD to the CALLs that may reach it: CALL in.
    fn call_in(self) -> Self;
    /// From a CALL to the METHODs that it may reach: CALL out.
    fn callee(self) -> Self;
    /// From a METHOD to the CALLs in it: CONTAINS out.
    fn calls(self) -> Self;
    /// From a METHOD to the METHODs with a CALL of it, once for each CALL: CALL in, then AST in up to the METHOD.
    fn callers(self) -> Self;
    /// From a METHOD to the METHODs that it calls, once for each CALL: CONTAINS out, then CALL out.
    fn callees(self) -> Self;
    /// All METHODs from which this one may be reached, each once and the nearest first: [`Calls::callers`] any number of times.
    /// A `depth` after it is the least number of calls.
    fn transitive_callers(self) -> Self;
    /// All METHODs that may be reached from this one, each once and the nearest first: [`Calls::callees`] any number of times.
    fn transitive_callees(self) -> Self;
    /// To the METHOD that a node is in, or that it is: AST in up to there. The same METHOD that CONTAINS leads back to, and it
    /// is there for nodes without that edge too.
    fn method(self) -> Self;
    /// From a CALL to one argument, counted from 1, or to its receiver as 0: ARGUMENT out, by ARGUMENT_INDEX.
    fn argument(self, index: i64) -> Self;
    /// From a CALL to all arguments: ARGUMENT out.
    fn arguments(self) -> Self;
    /// From a CALL to the object that it is made on: RECEIVER out.
    fn receiver(self) -> Self;
    /// From an argument to the CALL that it is passed to: ARGUMENT in.
    fn in_call(self) -> Self;
    /// From a METHOD to its parameters: AST out.
    fn parameters(self) -> Self;
    /// From a METHOD to one parameter, counted from 1: AST out, by INDEX.
    fn parameter(self, index: i64) -> Self;
    /// From a METHOD to what it returns: AST out.
    fn method_return(self) -> Self;
    /// From a METHOD to the places where it is passed as a value: REF in.
    fn method_refs(self) -> Self;
}

impl Calls for Pipeline {
    fn call_in(self) -> Self {
        self.in_("CALL")
    }

    fn callee(self) -> Self {
        self.out("CALL")
    }

    fn calls(self) -> Self {
        self.out("CONTAINS").has_label("CALL")
    }

    fn callers(self) -> Self {
        self.call_in().nearest_ancestor("METHOD")
    }

    fn callees(self) -> Self {
        self.calls().callee()
    }

    fn transitive_callers(self) -> Self {
        reached(self, it().callers())
    }

    fn transitive_callees(self) -> Self {
        reached(self, it().callees())
    }

    fn method(self) -> Self {
        self.coalesce([it().has_label("METHOD"), it().nearest_ancestor("METHOD")])
    }

    fn argument(self, index: i64) -> Self {
        self.arguments().has("ARGUMENT_INDEX", eq(index))
    }

    fn arguments(self) -> Self {
        self.out("ARGUMENT")
    }

    fn receiver(self) -> Self {
        self.out("RECEIVER")
    }

    fn in_call(self) -> Self {
        self.in_("ARGUMENT").has_label("CALL")
    }

    fn parameters(self) -> Self {
        self.out("AST").has_label("METHOD_PARAMETER_IN")
    }

    fn parameter(self, index: i64) -> Self {
        self.parameters().has("INDEX", eq(index))
    }

    fn method_return(self) -> Self {
        self.out("AST").has_label("METHOD_RETURN")
    }

    fn method_refs(self) -> Self {
        self.in_("REF").has_label("METHOD_REF")
    }
}

fn reached(from: Pipeline, hop: Pipeline) -> Pipeline {
    from.repeat(hop, |walk| walk.emit_all_but_first().dedup().breadth_first())
}
