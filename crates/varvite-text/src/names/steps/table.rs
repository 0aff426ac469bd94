//! The table of Joern's steps that are not in the table of `varvite-cpg`, or have another meaning there.
//!
//! The meanings are those of Joern 4.0.379, found in its sources and measured on its answers.

use varvite_cpg::prelude::*;
use varvite_cpg::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};

use super::declare::steps;
use super::{Filtered, JoernStep, Single};

/// The types of the table's columns.
mod kinds {
    use crate::names::Kinds;

    pub(super) const ANY: Kinds = Kinds::ANY;
    pub(super) const AST: Kinds = Kinds::AST_NODE;
    pub(super) const CFG: Kinds = Kinds::CFG_NODE;
    pub(super) const EXPRESSION: Kinds = Kinds::EXPRESSION;
    pub(super) const ANNOTATION: Kinds = Kinds::of(&["ANNOTATION"]);
    pub(super) const BINDING: Kinds = Kinds::of(&["BINDING"]);
    pub(super) const BLOCK: Kinds = Kinds::of(&["BLOCK"]);
    pub(super) const CALL: Kinds = Kinds::of(&["CALL"]);
    pub(super) const COMMENT: Kinds = Kinds::of(&["COMMENT"]);
    pub(super) const CONTROL_STRUCTURE: Kinds = Kinds::of(&["CONTROL_STRUCTURE"]);
    pub(super) const FIELD_IDENTIFIER: Kinds = Kinds::of(&["FIELD_IDENTIFIER"]);
    pub(super) const FILE: Kinds = Kinds::of(&["FILE"]);
    pub(super) const IDENTIFIER: Kinds = Kinds::of(&["IDENTIFIER"]);
    pub(super) const LITERAL: Kinds = Kinds::of(&["LITERAL"]);
    pub(super) const LOCAL: Kinds = Kinds::of(&["LOCAL"]);
    pub(super) const MEMBER: Kinds = Kinds::of(&["MEMBER"]);
    pub(super) const METHOD: Kinds = Kinds::of(&["METHOD"]);
    pub(super) const METHOD_REF: Kinds = Kinds::of(&["METHOD_REF"]);
    pub(super) const METHOD_RETURN: Kinds = Kinds::of(&["METHOD_RETURN"]);
    pub(super) const MODIFIER: Kinds = Kinds::of(&["MODIFIER"]);
    pub(super) const MODIFIED: Kinds = Kinds::of(&["METHOD", "MEMBER", "TYPE_DECL"]);
    pub(super) const NAMESPACE: Kinds = Kinds::of(&["NAMESPACE"]);
    pub(super) const NAMESPACE_BLOCK: Kinds = Kinds::of(&["NAMESPACE_BLOCK"]);
    pub(super) const PARAMETER: Kinds = Kinds::of(&["METHOD_PARAMETER_IN"]);
    pub(super) const PARAMETERS: Kinds =
        Kinds::of(&["METHOD_PARAMETER_IN", "METHOD_PARAMETER_OUT", "METHOD_RETURN"]);
    pub(super) const TAG: Kinds = Kinds::of(&["TAG"]);
    pub(super) const TYPE: Kinds = Kinds::of(&["TYPE"]);
    pub(super) const TYPE_DECL: Kinds = Kinds::of(&["TYPE_DECL"]);
}

/// Joern's list of assignments and of arithmetic lacks the postfix decrement.
const MISSING_IN_JOERN: &str = "<operator>.postDecrement";

/// The names of operators that Joern counts, of those in `names`.
pub(super) fn of_joern<'a>(names: &[&'a str]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| *name != MISSING_IN_JOERN).collect()
}

steps! {
    /// From a node to its children, sorted by ORDER: those of all rows together, or of the single node.
    "astChildren": AST -> AST => { out("AST").order_by(Key::Property("ORDER".into())) }

    /// From a node to its parent.
    "astParent": AST -> AST one => { in_("AST") }

    /// From a node to the other children of its parent, sorted by ORDER.
    "astSiblings": AST -> AST => {
        union([it().as_("sibling").in_("AST").out("AST")
            .filter(Key::unequal(Key::Itself, Key::first(it().select("sibling"))))
            .order_by(Key::Property("ORDER".into()))])
    }

    /// From a node to itself and the nodes above it, up to the nearest METHOD.
    "inAst": AST -> AST => { repeat(it().in_("AST"), |walk| up_to(walk, "METHOD").emit()) }

    /// From a node to the nodes above it, up to the nearest METHOD.
    "inAstMinusLeaf": AST -> AST => {
        repeat(it().in_("AST"), |walk| up_to(walk, "METHOD").emit_all_but_first())
    }

    /// From a node to itself and the nodes above it, up to the nearest BLOCK, as far as they are BLOCKs.
    "parentBlock": AST -> BLOCK => {
        repeat(it().in_("AST"), |walk| up_to(walk, "BLOCK").emit()).has_label("BLOCK")
    }

    /// From a METHOD to the CALLs that may reach it, each once.
    "callIn": METHOD -> CALL => { union([it().in_("CALL").dedup()]).has_label("CALL") }

    /// From a METHOD to the CALLs in it.
    "callOut": METHOD -> CALL => { calls() }

    /// From a METHOD to the METHODs that it calls, once for each CALL.
    "callee": METHOD -> METHOD => { callees() }

    /// From a CALL to the METHODs that it may reach.
    "callee": CALL -> METHOD => { callee() }

    /// From a METHOD to the METHODs that contain a CALL to it, once for each CALL.
    "caller": METHOD -> METHOD => {
        union([it().in_("CALL").dedup()]).has_label("CALL").nearest_ancestor("METHOD")
    }

    /// From a TAG to the CALLs with it, sorted by id.
    "call": TAG -> CALL => { tagged("CALL") }

    /// From a METHOD to the CALLs in it.
    "call": METHOD -> CALL => { calls() }

    /// From an argument to the CALL to which it is passed.
    "call": EXPRESSION -> CALL => { union([it().in_("ARGUMENT").limit(1)]).has_label("CALL") }

    /// From a node to the METHOD that contains it.
    "method": LOCAL -> METHOD => { nearest_ancestor("METHOD") }

    /// From a TYPE_DECL to its METHODs.
    "method": TYPE_DECL -> METHOD => { out("AST").has_label("METHOD") }

    /// From a FILE to its METHODs.
    "method": FILE -> METHOD => { in_("SOURCE_FILE").has_label("METHOD") }

    /// From a TAG to the METHODs with it, sorted by id.
    "method": TAG -> METHOD => { tagged("METHOD") }

    /// From a node to the METHOD that contains it.
    "method": CFG -> METHOD one => { method() }

    /// From a node to the METHOD that contains it.
    "method": PARAMETERS -> METHOD one => { method() }

    /// From a CALL to its arguments.
    "argument": CALL -> EXPRESSION => { out("ARGUMENT").has_label(&EXPRESSIONS.labels()[..]) }

    /// From an argument to the CALL to which it is passed.
    "inCall": EXPRESSION -> CALL => { union([it().in_("ARGUMENT").limit(1)]).has_label("CALL") }

    /// From a METHOD to its parameters.
    "parameter": METHOD -> PARAMETER, by NAME => { parameters() }

    /// From a TAG to the parameters with it, sorted by id.
    "parameter": TAG -> PARAMETER => { tagged("METHOD_PARAMETER_IN") }

    /// From an argument to the parameters of the called METHODs that have its place.
    "parameter": EXPRESSION -> PARAMETER => {
        union([it().as_("argument").in_("ARGUMENT").has_label("CALL").out("CALL").parameters()
            .filter(takes_argument())])
    }

    /// From a parameter to the arguments of the CALLs of its METHOD that have its place.
    "argument": PARAMETER -> EXPRESSION => {
        union([it().as_("parameter").in_("AST").has_label("METHOD").in_("CALL").has_label("CALL").out("ARGUMENT")
            .filter(Key::equal(
                Key::from("ARGUMENT_INDEX"),
                Key::first(it().select("parameter").values("INDEX")),
            ))])
    }

    /// From a TYPE to the parameters of this type.
    "parameter": TYPE -> PARAMETER => { in_("EVAL_TYPE").has_label("METHOD_PARAMETER_IN") }

    /// From a TYPE to the parameters of this type.
    "parameterOfType": TYPE -> PARAMETER => { in_("EVAL_TYPE").has_label("METHOD_PARAMETER_IN") }

    /// From a TYPE to the LOCALs of this type.
    "localOfType": TYPE -> LOCAL => { in_("EVAL_TYPE").has_label("LOCAL") }

    /// From a TYPE to the MEMBERs of this type.
    "memberOfType": TYPE -> MEMBER => { in_("EVAL_TYPE").has_label("MEMBER") }

    /// From a TYPE to the METHOD_RETURNs of this type.
    "methodReturnOfType": TYPE -> METHOD_RETURN => { in_("EVAL_TYPE").has_label("METHOD_RETURN") }

    /// From a TYPE to the expressions of this type.
    "expressionOfType": TYPE -> EXPRESSION => { in_("EVAL_TYPE").has_label(&EXPRESSIONS.labels()[..]) }

    /// From a TYPE_DECL to the TYPEs that name it.
    "referencingType": TYPE_DECL -> TYPE => { in_("REF").has_label("TYPE") }

    /// From an object to the CALLs that are made on it.
    "receivedCall": EXPRESSION -> CALL => { in_("RECEIVER").has_label("CALL") }

    /// From a METHOD to its METHOD_RETURN.
    "methodReturn": METHOD -> METHOD_RETURN one => { method_return() }

    /// From a TAG to the METHOD_RETURNs with it, sorted by id.
    "methodReturn": TAG -> METHOD_RETURN => { tagged("METHOD_RETURN") }

    /// From a METHOD to its body.
    "block": METHOD -> BLOCK one => { union([it().out("AST").has_label("BLOCK").limit(1)]) }

    /// From a METHOD to its body.
    "body": METHOD -> BLOCK one => { union([it().out("AST").has_label("BLOCK").limit(1)]) }

    /// From a METHOD to its LOCALs: from several METHODs those of METHODs in them too.
    "local": METHOD -> LOCAL => {
        union([it().out("AST").has_label("BLOCK").limit(1)]).ast().is_local()
    }, from one { out("CONTAINS").has_label("BLOCK").out("AST").has_label("LOCAL") }

    /// From a BLOCK to its LOCALs.
    "local": BLOCK -> LOCAL => { out("AST").has_label("LOCAL") }

    /// From a TAG to the LOCALs with it, sorted by id.
    "local": TAG -> LOCAL => { tagged("LOCAL") }

    /// From a METHOD to the LITERALs in it.
    "literal": METHOD -> LITERAL => { out("CONTAINS").has_label("LITERAL") }

    /// From a TAG to the LITERALs with it, sorted by id.
    "literal": TAG -> LITERAL => { tagged("LITERAL") }

    /// From a TAG to the IDENTIFIERs with it, sorted by id.
    "identifier": TAG -> IDENTIFIER => { tagged("IDENTIFIER") }

    /// From a TAG to the MEMBERs with it, sorted by id.
    "member": TAG -> MEMBER => { tagged("MEMBER") }

    /// From a METHOD to the CONTROL_STRUCTUREs in it, and in METHODs in it.
    "controlStructure": AST -> CONTROL_STRUCTURE, by CODE => { ast().is_control_structure() }

    /// From a METHOD to its `if`s.
    "ifBlock": METHOD -> CONTROL_STRUCTURE => { structures("IF") }

    /// From a METHOD to its `else`s.
    "elseBlock": METHOD -> CONTROL_STRUCTURE => { structures("ELSE") }

    /// From a METHOD to its `while`s.
    "whileBlock": METHOD -> CONTROL_STRUCTURE => { structures("WHILE") }

    /// From a METHOD to its `do`s.
    "doBlock": METHOD -> CONTROL_STRUCTURE => { structures("DO") }

    /// From a METHOD to its `for`s.
    "forBlock": METHOD -> CONTROL_STRUCTURE => { structures("FOR") }

    /// From a METHOD to its `switch`es.
    "switchBlock": METHOD -> CONTROL_STRUCTURE => { structures("SWITCH") }

    /// From a METHOD to its `try`s.
    "tryBlock": METHOD -> CONTROL_STRUCTURE => { structures("TRY") }

    /// From a METHOD to its `break`s.
    "break": METHOD -> CONTROL_STRUCTURE => { structures("BREAK") }

    /// From a METHOD to its `continue`s.
    "continue": METHOD -> CONTROL_STRUCTURE => { structures("CONTINUE") }

    /// From a METHOD to its `goto`s.
    "goto": METHOD -> CONTROL_STRUCTURE => { structures("GOTO") }

    /// From a METHOD to its `throw`s.
    "throws": METHOD -> CONTROL_STRUCTURE => { structures("THROW") }

    /// From a METHOD to the nodes that may run first.
    "cfgFirst": METHOD -> CFG => { out("CFG") }

    /// From a METHOD to the nodes that may run last.
    "cfgLast": METHOD -> CFG => { method_return().in_("CFG") }

    /// From a METHOD to the nodes of its control flow.
    "cfgNode": METHOD -> CFG => { out("CONTAINS").has_label(&CFG_NODES.labels()[..]) }

    /// From a METHOD_REF to its METHOD.
    "referencedMethod": METHOD_REF -> METHOD one => { out("REF") }

    /// From a node to its MODIFIERs.
    "modifier": MODIFIED -> MODIFIER => { out("AST").has_label("MODIFIER") }

    /// From a node to its ANNOTATIONs.
    "annotation": AST -> ANNOTATION => { out("AST").has_label("ANNOTATION") }

    /// From a FILE to its COMMENTs.
    "comment": FILE -> COMMENT => { out("AST").has_label("COMMENT") }

    /// From a node to the assignments in its subtree.
    "assignment": AST -> CALL => { ast().is_call_to(of_joern(&ASSIGNMENTS)) }

    /// From a node to the arithmetic operations in its subtree.
    "arithmetic": AST -> CALL => { ast().is_call_to(of_joern(&ARITHMETIC)) }

    /// From an expression to the first array access in its subtree.
    "arrayAccess": EXPRESSION -> CALL => { union([it().ast().is_call_to(ARRAY_ACCESSES).limit(1)]) }

    /// From a node to the array accesses in its subtree.
    "arrayAccess": AST -> CALL => { ast().is_call_to(ARRAY_ACCESSES) }

    /// From a node to the field accesses in its subtree.
    "fieldAccess": AST -> CALL => { ast().is_call_to(FIELD_ACCESSES) }

    /// From a node to the assignments above it, up to the METHOD.
    "inAssignment": AST -> CALL => { above(&ASSIGNMENTS) }

    /// From a node to the arithmetic operations above it, up to the METHOD.
    "inArithmetic": AST -> CALL => { above(&ARITHMETIC) }

    /// From a node to the array accesses above it, up to the METHOD.
    "inArrayAccess": AST -> CALL => { above(&ARRAY_ACCESSES) }

    /// From a node to the field accesses above it, up to the METHOD.
    "inFieldAccess": AST -> CALL => { above(&FIELD_ACCESSES) }

    /// From an assignment to the changed variable, field or element.
    "target": CALL -> EXPRESSION one => { argument(1) }

    /// From an assignment to the assigned expression.
    "source": CALL -> EXPRESSION one => { assigned_from() }

    /// From an array access to the array.
    "array": CALL -> EXPRESSION one => { argument(1) }

    /// From an array access to the index.
    "offset": CALL -> EXPRESSION one => { argument(2) }

    /// From an array access to the IDENTIFIERs in its index.
    "subscript": CALL -> IDENTIFIER => { argument(2).ast().is_identifier() }

    /// From a field access to the FIELD_IDENTIFIER.
    "fieldIdentifier": CALL -> FIELD_IDENTIFIER one => { argument(2).is_field_identifier() }

    /// From an indirection to its pointer.
    "pointer": CALL -> EXPRESSION one => { has("NAME", eq("<operator>.indirection")).argument(1) }

    /// From a node to the nodes that may run right after it, without METHOD_RETURNs.
    "cfgNext": CFG -> CFG => { out("CFG").where_not(it().has_label("METHOD_RETURN")) }

    /// From a node to the nodes that may run right before it, without METHOD_RETURNs.
    "cfgPrev": CFG -> CFG => { in_("CFG").where_not(it().has_label("METHOD_RETURN")) }

    /// From a CONTROL_STRUCTURE to its condition.
    "condition": CONTROL_STRUCTURE -> EXPRESSION => { out("CONDITION").has_label(&EXPRESSIONS.labels()[..]) }

    /// From a CONTROL_STRUCTURE to the nodes with ORDER 2 to which any edge leads.
    "whenTrue": CONTROL_STRUCTURE -> AST => { neighbours_of_order(2) }

    /// From a CONTROL_STRUCTURE to the nodes with ORDER 3 to which any edge leads.
    "whenFalse": CONTROL_STRUCTURE -> AST => { neighbours_of_order(3) }

    /// From a use to the definitions that reach it.
    "reachingDefIn": CFG -> CFG => { in_("REACHING_DEF") }

    /// From a definition to the uses that it reaches.
    "reachingDefOut": CFG -> CFG => { out("REACHING_DEF") }

    /// From a node to its TYPE.
    "typ": ANY -> TYPE => { out("EVAL_TYPE") }

    /// From a TYPE to its TYPE_DECL.
    "referencedTypeDecl": TYPE -> TYPE_DECL => { out("REF").has_label("TYPE_DECL") }

    /// From a TYPE_DECL to its MEMBERs.
    "member": TYPE_DECL -> MEMBER, by NAME => { canonical().out("AST").has_label("MEMBER") }

    /// From a TYPE to the MEMBERs of its TYPE_DECL.
    "member": TYPE -> MEMBER, by NAME => { out("REF").canonical().out("AST").has_label("MEMBER") }

    /// From a TYPE to the METHODs of its TYPE_DECL.
    "method": TYPE -> METHOD => { out("REF").canonical().out("AST").has_label("METHOD") }

    /// From a TYPE_DECL to its BINDINGs.
    "methodBinding": TYPE_DECL -> BINDING => { canonical().out("BINDS") }

    /// From a BINDING to its METHOD.
    "boundMethod": BINDING -> METHOD => { out("REF").has_label("METHOD") }

    /// From a TYPE_DECL to the TYPEs from which it inherits.
    "baseType": TYPE_DECL -> TYPE => { canonical().out("INHERITS_FROM").has_label("TYPE") }

    /// From a TYPE to the TYPEs from which it inherits.
    "baseType": TYPE -> TYPE => { base_types() }

    /// From a TYPE to all TYPEs from which it inherits, directly or not.
    "baseTypeTransitive": TYPE -> TYPE => { repeat(it().base_types(), each_once) }

    /// From a TYPE_DECL to the TYPE_DECLs from which it inherits.
    "baseTypeDecl": TYPE_DECL -> TYPE_DECL => { base_declarations() }

    /// From a TYPE_DECL to all TYPE_DECLs from which it inherits, directly or not.
    "baseTypeDeclTransitive": TYPE_DECL -> TYPE_DECL => { repeat(it().base_declarations(), each_once) }

    /// From a TYPE_DECL to the TYPE_DECLs that inherit from it.
    "derivedTypeDecl": TYPE_DECL -> TYPE_DECL => { derived_declarations() }

    /// From a TYPE_DECL to all TYPE_DECLs that inherit from it, directly or not.
    "derivedTypeDeclTransitive": TYPE_DECL -> TYPE_DECL => { repeat(it().derived_declarations(), each_once) }

    /// From a TYPE to the TYPE_DECLs that inherit from it.
    "derivedTypeDecl": TYPE -> TYPE_DECL => { in_("INHERITS_FROM").has_label("TYPE_DECL") }

    /// From a TYPE to the TYPEs that inherit from it.
    "derivedType": TYPE -> TYPE => { derived_types() }

    /// From a TYPE to all TYPEs that inherit from it, directly or not.
    "derivedTypeTransitive": TYPE -> TYPE => { repeat(it().derived_types(), each_once) }

    /// From a TYPE_DECL to the TYPE_DECLs that are aliases of it.
    "aliasTypeDecl": TYPE_DECL -> TYPE_DECL => { alias_declarations() }

    /// From a TYPE_DECL to all TYPE_DECLs that are aliases of it, directly or not.
    "aliasTypeDeclTransitive": TYPE_DECL -> TYPE_DECL => { repeat(it().alias_declarations(), each_once) }

    /// From a TYPE to the TYPE_DECLs that are aliases of it.
    "aliasTypeDecl": TYPE -> TYPE_DECL => { in_("ALIAS_OF").has_label("TYPE_DECL") }

    /// From a TYPE to the TYPEs of its aliases.
    "aliasType": TYPE -> TYPE => { alias_types() }

    /// From a TYPE to the TYPEs of its aliases, directly or not.
    "aliasTypeTransitive": TYPE -> TYPE => { repeat(it().alias_types(), each_once) }

    /// From a TYPE_DECL to the TYPE_DECL of which it is an alias, directly or not; from another to itself.
    "canonicalType": TYPE_DECL -> TYPE_DECL one => { canonical() }

    /// From a MEMBER to its TYPE_DECL.
    "typeDecl": MEMBER -> TYPE_DECL one => { in_("AST").has_label("TYPE_DECL") }

    /// From a METHOD to the nearest TYPE_DECL above it.
    "typeDecl": METHOD -> TYPE_DECL option => { nearest_ancestor("TYPE_DECL") }

    /// From a METHOD to the nearest TYPE_DECL above it.
    "definingTypeDecl": METHOD -> TYPE_DECL option => { nearest_ancestor("TYPE_DECL") }

    /// From a FILE to the TYPE_DECLs in it.
    "typeDecl": FILE -> TYPE_DECL => { in_("SOURCE_FILE").has_label("TYPE_DECL") }

    /// From a NAMESPACE to the TYPE_DECLs in it.
    "typeDecl": NAMESPACE -> TYPE_DECL => { in_("REF").out("AST").has_label("TYPE_DECL") }

    /// From a NAMESPACE_BLOCK to the TYPE_DECLs in it.
    "typeDecl": NAMESPACE_BLOCK -> TYPE_DECL => { out("AST").has_label("TYPE_DECL") }

    /// From a FILE to its NAMESPACE_BLOCKs.
    "namespaceBlock": FILE -> NAMESPACE_BLOCK => { namespace_blocks() }

    /// From a NAMESPACE_BLOCK to its NAMESPACE.
    "namespace": NAMESPACE_BLOCK -> NAMESPACE => { out("REF").has_label("NAMESPACE") }

    /// From a FILE to its NAMESPACEs.
    "namespace": FILE -> NAMESPACE => { namespace_blocks().out("REF").has_label("NAMESPACE") }

    /// From a TYPE_DECL to the NAMESPACE whose block it is in.
    "namespace": TYPE_DECL -> NAMESPACE => {
        in_("AST").has_label("NAMESPACE_BLOCK").out("REF").has_label("NAMESPACE")
    }

    /// From a METHOD to the NAMESPACE around it.
    "namespace": METHOD -> NAMESPACE => {
        coalesce([
            it().in_("AST").has_label("NAMESPACE_BLOCK"),
            it().nearest_ancestor("TYPE_DECL").in_("AST").has_label("NAMESPACE_BLOCK"),
        ])
        .out("REF")
        .has_label("NAMESPACE")
    }

    /// From a TYPE to the NAMESPACE of its TYPE_DECL.
    "namespace": TYPE -> NAMESPACE => {
        out("REF").in_("AST").has_label("NAMESPACE_BLOCK").out("REF").has_label("NAMESPACE")
    }

    /// From a NAMESPACE to the FILEs with a block of it.
    "file": NAMESPACE -> FILE => { in_("REF").out("SOURCE_FILE").has_label("FILE") }

    /// From a COMMENT to its FILE.
    "file": COMMENT -> FILE => { in_("AST").has_label("FILE") }

    /// From a TAG to the FILEs with it, sorted by id.
    "file": TAG -> FILE => { tagged("FILE") }

    /// From a node to the FILE that contains it; a FILE gives nothing.
    "file": ANY -> FILE => {
        coalesce([
            it().out("SOURCE_FILE").has_label("FILE"),
            it().nearest_ancestor_where(varvite::pipeline::ALL, it().out("SOURCE_FILE")).out("SOURCE_FILE"),
            it().nearest_ancestor("FILE"),
            it().has_label("NAMESPACE").in_("REF").out("SOURCE_FILE").has_label("FILE"),
        ])
    }

    /// From a node to its TAGs.
    "tag": ANY -> TAG => { out("TAGGED_BY").has_label("TAG") }

    /// Keeps TYPEs whose TYPE_DECL's source the graph has.
    "internal": TYPE -> TYPE => { where_(it().out("REF").has_not("IS_EXTERNAL", eq(true))) }

    /// Keeps TYPEs whose TYPE_DECL's source the graph lacks.
    "external": TYPE -> TYPE => { where_(it().out("REF").has("IS_EXTERNAL", eq(true))) }

    /// From TYPE_DECLs to those that they stand for, if the graph has their source.
    "internal": TYPE_DECL -> TYPE_DECL => { canonical().has_not("IS_EXTERNAL", eq(true)) }

    /// From TYPE_DECLs to those that they stand for, if the graph lacks their source.
    "external": TYPE_DECL -> TYPE_DECL => { canonical().has("IS_EXTERNAL", eq(true)) }

    /// Keeps METHODs and TYPE_DECLs whose source the graph has.
    "internal": ANY -> ANY => { has_not("IS_EXTERNAL", eq(true)) }

    /// Keeps METHODs and TYPE_DECLs whose source the graph lacks.
    "external": ANY -> ANY => { has("IS_EXTERNAL", eq(true)) }
}

/// The parts of definitions that occur several times.
trait Parts: Sized {
    fn tagged(self, label: &str) -> Self;
    fn structures(self, kind: &str) -> Self;
    fn above(self, names: &[&str]) -> Self;
    fn neighbours_of_order(self, order: i64) -> Self;
    fn canonical(self) -> Self;
    fn base_types(self) -> Self;
    fn base_declarations(self) -> Self;
    fn derived_types(self) -> Self;
    fn derived_declarations(self) -> Self;
    fn alias_types(self) -> Self;
    fn alias_declarations(self) -> Self;
    fn namespace_blocks(self) -> Self;
}

impl Parts for Pipeline {
    fn tagged(self, label: &str) -> Self {
        self.in_("TAGGED_BY").has_label(label).order_by(Key::Itself)
    }

    fn structures(self, kind: &str) -> Self {
        self.ast().is_control_structure().has("CONTROL_STRUCTURE_TYPE", eq(kind))
    }

    fn above(self, names: &[&str]) -> Self {
        let names = of_joern(names);
        self.repeat(it().in_("AST"), |walk| up_to(walk, "METHOD").emit_all_but_first()).is_call_to(names)
    }

    fn neighbours_of_order(self, order: i64) -> Self {
        self.out(varvite::pipeline::ALL).has_label(&AST_NODES.labels()[..]).has("ORDER", eq(order))
    }

    fn canonical(self) -> Self {
        let alias = it().out("ALIAS_OF").out("REF").has_label("TYPE_DECL");
        self.repeat(alias, |walk| walk.whilst(it().has_any("ALIAS_TYPE_FULL_NAME")).times(100))
    }

    fn base_types(self) -> Self {
        self.out("REF").has_label("TYPE_DECL").out("INHERITS_FROM").has_label("TYPE")
    }

    fn base_declarations(self) -> Self {
        self.canonical().out("INHERITS_FROM").out("REF").has_label("TYPE_DECL")
    }

    fn derived_types(self) -> Self {
        self.in_("INHERITS_FROM").has_label("TYPE_DECL").in_("REF").has_label("TYPE")
    }

    fn derived_declarations(self) -> Self {
        self.in_("REF").has_label("TYPE").in_("INHERITS_FROM").has_label("TYPE_DECL")
    }

    fn alias_types(self) -> Self {
        self.in_("ALIAS_OF").has_label("TYPE_DECL").in_("REF").has_label("TYPE")
    }

    fn alias_declarations(self) -> Self {
        self.in_("REF").has_label("TYPE").in_("ALIAS_OF").has_label("TYPE_DECL")
    }

    fn namespace_blocks(self) -> Self {
        self.in_("SOURCE_FILE").has_label("NAMESPACE_BLOCK")
    }
}

/// Whether a parameter has the place of the row named `argument`, or takes all arguments from an earlier
/// place on.
fn takes_argument() -> Key {
    let place = || Key::first(it().select("argument").values("ARGUMENT_INDEX"));
    let takes_rest = Key::and([Key::test("IS_VARIADIC", eq(true)), Key::at_most("INDEX", place())]);
    Key::or([Key::equal("INDEX", place()), takes_rest])
}

/// Ends a walk at nodes with a label.
fn up_to(walk: Repeat, label: &str) -> Repeat {
    walk.until(it().has_label(label))
}

/// Makes a walk give each node once, without the start.
fn each_once(walk: Repeat) -> Repeat {
    walk.emit_all_but_first().dedup()
}

const EXPRESSIONS: crate::names::Kinds = crate::names::Kinds::EXPRESSION;
const CFG_NODES: crate::names::Kinds = crate::names::Kinds::CFG_NODE;
const AST_NODES: crate::names::Kinds = crate::names::Kinds::AST_NODE;
