//! The steps that begin a query, such as `cpg.call`.

use varvite::pipeline::{Pipeline, all_nodes, eq, nodes, one_of};
use varvite_cpg::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};

use super::super::Kinds;
use super::table::of_joern;

/// A step that begins a query.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) name: &'static str,
    pub(crate) to: Kinds,
    /// The property with which a text as argument is compared.
    pub(crate) filtered: Option<&'static str>,
    pub(crate) begin: fn() -> Pipeline,
}

macro_rules! starts {
    ($($name:literal $label:literal $(by $by:literal)?;)+) => {
        &[$(Start {
            name: $name,
            to: Kinds::of(&[$label]),
            filtered: starts!(@by $($by)?),
            begin: || nodes($label),
        }),+]
    };
    (@by) => { None };
    (@by $by:literal) => { Some($by) };
}

/// The starts that give all nodes of one label.
const LABELLED: &[Start] = starts! {
    "annotation" "ANNOTATION";
    "annotationLiteral" "ANNOTATION_LITERAL";
    "annotationParameter" "ANNOTATION_PARAMETER";
    "annotationParameterAssign" "ANNOTATION_PARAMETER_ASSIGN";
    "arrayInitializer" "ARRAY_INITIALIZER";
    "binding" "BINDING";
    "block" "BLOCK";
    "call" "CALL" by "NAME";
    "closureBinding" "CLOSURE_BINDING";
    "comment" "COMMENT" by "CODE";
    "configFile" "CONFIG_FILE";
    "controlStructure" "CONTROL_STRUCTURE" by "CODE";
    "dependency" "DEPENDENCY" by "NAME";
    "fieldIdentifier" "FIELD_IDENTIFIER";
    "file" "FILE" by "NAME";
    "finding" "FINDING";
    "identifier" "IDENTIFIER" by "NAME";
    "imports" "IMPORT";
    "jumpLabel" "JUMP_LABEL";
    "jumpTarget" "JUMP_TARGET";
    "keyValuePair" "KEY_VALUE_PAIR";
    "literal" "LITERAL" by "CODE";
    "local" "LOCAL" by "NAME";
    "member" "MEMBER" by "NAME";
    "metaData" "META_DATA";
    "method" "METHOD" by "NAME";
    "methodParameterIn" "METHOD_PARAMETER_IN" by "NAME";
    "methodParameterOut" "METHOD_PARAMETER_OUT";
    "methodRef" "METHOD_REF";
    "methodReturn" "METHOD_RETURN";
    "modifier" "MODIFIER";
    "namespace" "NAMESPACE" by "NAME";
    "namespaceBlock" "NAMESPACE_BLOCK" by "NAME";
    "parameter" "METHOD_PARAMETER_IN" by "NAME";
    "ret" "RETURN" by "CODE";
    "tag" "TAG" by "NAME";
    "tagNodePair" "TAG_NODE_PAIR";
    "templateDom" "TEMPLATE_DOM";
    "typ" "TYPE" by "NAME";
    "typeArgument" "TYPE_ARGUMENT";
    "typeDecl" "TYPE_DECL" by "NAME";
    "typeParameter" "TYPE_PARAMETER";
    "typeRef" "TYPE_REF";
    "unknown" "UNKNOWN";
};

/// The other starts.
const COMPOSED: &[Start] = &[
    Start { name: "all", to: Kinds::ANY, filtered: None, begin: all_nodes },
    Start {
        name: "argument",
        to: Kinds::EXPRESSION,
        filtered: Some("CODE"),
        begin: || nodes("CALL").out("ARGUMENT").has_label(&Kinds::EXPRESSION.labels()[..]),
    },
    base("astNode", Kinds::AST_NODE, || nodes(&Kinds::AST_NODE.labels()[..])),
    base("cfgNode", Kinds::CFG_NODE, || nodes(&Kinds::CFG_NODE.labels()[..])),
    base("expression", Kinds::EXPRESSION, || nodes(&Kinds::EXPRESSION.labels()[..])),
    base("declaration", Kinds::DECLARATION, || nodes(&Kinds::DECLARATION.labels()[..])),
    structure("ifBlock", || structures("IF")),
    structure("elseBlock", || structures("ELSE")),
    structure("whileBlock", || structures("WHILE")),
    structure("doBlock", || structures("DO")),
    structure("forBlock", || structures("FOR")),
    structure("switchBlock", || structures("SWITCH")),
    structure("tryBlock", || structures("TRY")),
    structure("break", || structures("BREAK")),
    structure("continue", || structures("CONTINUE")),
    structure("goto", || structures("GOTO")),
    structure("throws", || structures("THROW")),
    operator("assignment", || nodes("CALL").has("NAME", one_of(of_joern(&ASSIGNMENTS)))),
    operator("arithmetic", || nodes("CALL").has("NAME", one_of(of_joern(&ARITHMETIC)))),
    operator("arrayAccess", || nodes("CALL").has("NAME", one_of(ARRAY_ACCESSES))),
    operator("fieldAccess", || nodes("CALL").has("NAME", one_of(FIELD_ACCESSES))),
];

/// All starts.
pub(crate) const START_STEPS: [&[Start]; 2] = [LABELLED, COMPOSED];

const fn base(name: &'static str, to: Kinds, begin: fn() -> Pipeline) -> Start {
    Start { name, to, filtered: None, begin }
}

const fn structure(name: &'static str, begin: fn() -> Pipeline) -> Start {
    Start { name, to: Kinds::of(&["CONTROL_STRUCTURE"]), filtered: None, begin }
}

const fn operator(name: &'static str, begin: fn() -> Pipeline) -> Start {
    Start { name, to: Kinds::of(&["CALL"]), filtered: None, begin }
}

fn structures(kind: &str) -> Pipeline {
    nodes("CONTROL_STRUCTURE").has("CONTROL_STRUCTURE_TYPE", eq(kind))
}
