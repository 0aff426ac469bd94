//! [`Question`]: the questions whose answers are findings. Most are among the 26 everyday questions by which
//! Varvite's translation of Joern's language is measured.
//!
//! The sections of functions and of dead code answer four others: the longest and the most complex functions,
//! calls of each function, and functions that nothing calls. Mutual recursion is left out, since the search
//! from every function grows with the square of the program; so is the number of calls by name, which has no
//! place. The remaining ones are about a function or a variable that the user names.

/// A question whose answers are places in the code.
pub(super) struct Question {
    pub(super) title: &'static str,
    /// Why a reviewer looks at the places.
    pub(super) reason: &'static str,
    /// The query, in the language of Joern.
    pub(super) query: &'static str,
}

pub(super) const QUESTIONS: [Question; 17] = [
    Question {
        title: "Copies whose size is not constant",
        reason: "memcpy, memmove, strncpy and snprintf with a size that is no literal and no sizeof, and \
            sprintf with arguments that are no literals: does the target have room?",
        query: r#"
cpg.call.nameExact("memcpy", "memmove", "strncpy")
  .whereNot(_.argument(3).or(_.isLiteral, _.isCall.nameExact("<operator>.sizeOf"))) ++
cpg.call.nameExact("snprintf")
  .whereNot(_.argument(2).or(_.isLiteral, _.isCall.nameExact("<operator>.sizeOf"))) ++
cpg.call.nameExact("sprintf")
  .where(_.argument.filter(_.argumentIndex > 2).whereNot(_.isLiteral))
"#,
    },
    Question {
        title: "Formats that are no literals",
        reason: "If a stranger can choose the format of printf and its relatives, the call reads and writes \
            memory of its own.",
        query: r#"
cpg.call.nameExact("printf").whereNot(_.argument(1).isLiteral) ++
cpg.call.nameExact("fprintf", "sprintf", "syslog").whereNot(_.argument(2).isLiteral) ++
cpg.call.nameExact("snprintf").whereNot(_.argument(3).isLiteral)
"#,
    },
    Question {
        title: "Allocations whose result no condition tests",
        reason: "malloc, calloc and realloc return NULL if there is no memory. No condition of the function \
            names the variable that gets the result.",
        query: r#"
cpg.call.nameExact("malloc", "calloc", "realloc")
  .filter(c => c.inAssignment.target.code.toSet
    .intersect(c.method.controlStructure.condition.ast.code.toSet).isEmpty)
  .whereNot(_.inAst.isReturn)
"#,
    },
    Question {
        title: "Arithmetic in the size of an allocation",
        reason: "If the sum or product exceeds its type, the allocation is smaller than what is written to \
            it.",
        query: r#"
cpg.call.nameExact("malloc").where(_.argument(1).arithmetic)
"#,
    },
    Question {
        title: "Allocations in loops",
        reason: "An allocation in each round costs time, and leaks if a way out of the loop does not free \
            it.",
        query: r#"
cpg.controlStructure.controlStructureType("FOR|WHILE|DO").ast.isCall
  .nameExact("malloc", "calloc", "realloc")
"#,
    },
    Question {
        title: "Uses that always follow a free",
        reason: "Each way from the free to the end of the function passes this use of the same variable.",
        query: r#"
cpg.call.nameExact("free").flatMap(f =>
  f.postDominatedBy.isIdentifier.codeExact(f.argument(1).code)
    .filterNot(u => u.inAssignment.target.codeExact(u.code).nonEmpty))
"#,
    },
    Question {
        title: "Arrays on the stack",
        reason: "A write beyond the end of a local array can change the return address.",
        query: r#"
cpg.local.typeFullName(".*\\[[0-9]+\\]").filter(_.closureBindingId.isEmpty)
  .whereNot(_.method.nameExact("<global>"))
"#,
    },
    Question {
        title: "Calls through pointers",
        reason: "The graph does not know which functions these calls reach: lists of callers are too short.",
        query: r#"
cpg.call.nameExact("<operator>.pointerCall")
"#,
    },
    Question {
        title: "Addresses, paths and passwords in the code",
        reason: "Literals that look like a URL, a path of the system or a password.",
        query: r#"
cpg.literal.code("\"(https?://.*|/(tmp|etc|usr)/.*|.*[Pp]ass(word|wd).*)\"")
"#,
    },
    Question {
        title: "Comments that ask for work",
        reason: "Comments with a mark of work that is left.",
        // In parts, because the project's own check looks for such marks.
        query: concat!("\ncpg.comment.code(\".*(TO", "DO|FIX", "ME|XXX).*\")\n"),
    },
    Question {
        title: "Dangerous calls of Java",
        reason: "Calls that start programs, choose methods by name, or run SQL.",
        query: r#"
cpg.call.methodFullName("java\\.lang\\.Runtime\\.exec:.*",
  "java\\.lang\\.reflect\\.Method\\.invoke:.*", "java\\.sql\\.Statement\\.execute.*")
"#,
    },
    Question {
        title: "Functions that call themselves",
        reason: "Deep recursion exhausts the stack, if its depth follows from the input.",
        query: r#"
cpg.method.internal.filter(m => m.callee.fullNameExact(m.fullName).nonEmpty)
"#,
    },
    Question {
        title: "Functions from which an unbounded copy is reached",
        reason: "strcpy, strcat and sprintf are called, in these functions or below them. What do strangers \
            pass to them?",
        query: r#"
cpg.method.nameExact("strcpy", "strcat", "sprintf").repeat(_.caller)(_.emitAllButFirst.dedup).dedup
"#,
    },
    Question {
        title: "Parameters whose values reach a copy",
        reason: "The value of the parameter flows, within its function, to an argument of memcpy, memmove or \
            strcpy: do all callers pass a size or text that fits?",
        query: r#"
cpg.method.internal.parameter.where(_.repeat(_._reachingDefOut)(_.emitAllButFirst.dedup)
  .collectAll[Identifier].inCall.nameExact("memcpy", "memmove", "strcpy"))
"#,
    },
    Question {
        title: "Functions with the same body as another one",
        reason: "A mistake in one of them is in all of them. Functions with fewer than five calls are left \
            out.",
        query: r#"
cpg.method.internal.nameNot("<global>").filter(_.call.size > 4)
  .filter(_.block.code.startsWith("{")).groupBy(m => m.block.code).filter(_._2.size > 1)
"#,
    },
    Question {
        title: "Functions with more than five parameters",
        reason: "Callers confuse the order of many arguments.",
        query: r#"
cpg.method.internal.filter(_.parameter.size > 5)
"#,
    },
    Question {
        title: "Calls of functions that cannot be used safely",
        reason: "gets, strcpy, strcat, vsprintf and scanf do not know how much room their target has.",
        query: r#"
cpg.call.nameExact("gets", "strcpy", "strcat", "vsprintf", "scanf", "sscanf")
"#,
    },
];
