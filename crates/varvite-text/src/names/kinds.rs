//! [`Kinds`]: the labels that the nodes of a row may have, as Joern's types say it.

/// The labels of nodes in code property graphs, in the order of the schema.
pub(crate) const LABELS: [&str; 44] = [
    "ANNOTATION",
    "ANNOTATION_LITERAL",
    "ANNOTATION_PARAMETER",
    "ANNOTATION_PARAMETER_ASSIGN",
    "ARRAY_INITIALIZER",
    "BINDING",
    "BLOCK",
    "CALL",
    "CLOSURE_BINDING",
    "COMMENT",
    "CONFIG_FILE",
    "CONTROL_STRUCTURE",
    "DEPENDENCY",
    "FIELD_IDENTIFIER",
    "FILE",
    "FINDING",
    "IDENTIFIER",
    "IMPORT",
    "JUMP_LABEL",
    "JUMP_TARGET",
    "KEY_VALUE_PAIR",
    "LITERAL",
    "LOCAL",
    "LOCATION",
    "MEMBER",
    "META_DATA",
    "METHOD",
    "METHOD_PARAMETER_IN",
    "METHOD_PARAMETER_OUT",
    "METHOD_REF",
    "METHOD_RETURN",
    "MODIFIER",
    "NAMESPACE",
    "NAMESPACE_BLOCK",
    "RETURN",
    "TAG",
    "TAG_NODE_PAIR",
    "TEMPLATE_DOM",
    "TYPE",
    "TYPE_ARGUMENT",
    "TYPE_DECL",
    "TYPE_PARAMETER",
    "TYPE_REF",
    "UNKNOWN",
];

/// A set of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u64);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ANY: Self = Self((1 << LABELS.len()) - 1);

    /// The base types of Joern's schema.
    pub(crate) const EXPRESSION: Self = Self::of(&[
        "ANNOTATION",
        "ANNOTATION_LITERAL",
        "ARRAY_INITIALIZER",
        "BLOCK",
        "CALL",
        "CONTROL_STRUCTURE",
        "FIELD_IDENTIFIER",
        "IDENTIFIER",
        "LITERAL",
        "METHOD_REF",
        "RETURN",
        "TEMPLATE_DOM",
        "TYPE_REF",
        "UNKNOWN",
    ]);
    pub(crate) const CFG_NODE: Self = Self::EXPRESSION.or(Self::of(&[
        "JUMP_TARGET",
        "METHOD",
        "METHOD_PARAMETER_IN",
        "METHOD_PARAMETER_OUT",
        "METHOD_RETURN",
    ]));
    pub(crate) const DECLARATION: Self =
        Self::of(&["LOCAL", "MEMBER", "METHOD", "METHOD_PARAMETER_IN", "METHOD_PARAMETER_OUT"]);
    pub(crate) const AST_NODE: Self = Self::CFG_NODE.or(Self::of(&[
        "ANNOTATION_PARAMETER",
        "ANNOTATION_PARAMETER_ASSIGN",
        "COMMENT",
        "FILE",
        "IMPORT",
        "JUMP_LABEL",
        "LOCAL",
        "MEMBER",
        "MODIFIER",
        "NAMESPACE",
        "NAMESPACE_BLOCK",
        "TYPE_ARGUMENT",
        "TYPE_DECL",
        "TYPE_PARAMETER",
    ]));

    /// The set of some labels. Panics, while the program is compiled, if one does not exist.
    pub(crate) const fn of(labels: &[&str]) -> Self {
        let (mut bits, mut index) = (0, 0);
        while index < labels.len() {
            bits |= 1 << place(labels[index]);
            index += 1;
        }
        Self(bits)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The labels, in the order of the schema.
    pub(crate) fn labels(self) -> Vec<&'static str> {
        let chosen = LABELS.iter().enumerate().filter(|(index, _)| self.0 >> index & 1 == 1);
        chosen.map(|(_, label)| *label).collect()
    }

    /// The set of a type of Joern's, such as `Call` or `Expression`.
    pub(crate) fn of_type(name: &str) -> Option<Self> {
        Some(match name {
            "Expression" => Self::EXPRESSION,
            "CfgNode" => Self::CFG_NODE,
            "Declaration" => Self::DECLARATION,
            "AstNode" => Self::AST_NODE,
            "StoredNode" => Self::ANY,
            name => Self::of_label(&super::upper_case(name))?,
        })
    }

    /// The set of one label.
    pub(crate) fn of_label(label: &str) -> Option<Self> {
        LABELS.iter().position(|known| *known == label).map(|index| Self(1 << index))
    }

    /// The set in words, for errors.
    pub(crate) fn words(self) -> String {
        match self {
            Self::ANY => "nodes".to_owned(),
            Self::EXPRESSION => "expressions".to_owned(),
            Self::CFG_NODE => "nodes of the control flow".to_owned(),
            Self::AST_NODE => "nodes of the syntax tree".to_owned(),
            Self::DECLARATION => "declarations".to_owned(),
            kinds => kinds.labels().join(" or "),
        }
    }
}

const fn place(label: &str) -> usize {
    let mut index = 0;
    while index < LABELS.len() {
        if is_equal(LABELS[index], label) {
            return index;
        }
        index += 1;
    }
    panic!("no such label")
}

const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
