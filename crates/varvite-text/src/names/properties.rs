//! The properties of nodes in code property graphs: their types, and what stands for an absent value.

/// A property of nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Property {
    /// The name in the schema, such as `METHOD_FULL_NAME`.
    pub(crate) name: &'static str,
    pub(crate) kind: ValueKind,
    pub(crate) presence: Presence,
}

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Text,
    Integer,
    Boolean,
}

/// The number of values that a node may have, as Joern's schema says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Presence {
    /// One value. Files of graphs leave out the default, so an absent value is this one.
    Default(Default),
    /// One value or none: `Option` in Scala.
    Optional,
    /// Any number of values.
    List,
}

/// The value that stands for an absent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Default {
    Text(&'static str),
    Integer(i64),
    Boolean(bool),
}

const fn text(name: &'static str) -> Property {
    text_or(name, "<empty>")
}

const fn text_or(name: &'static str, default: &'static str) -> Property {
    Property { name, kind: ValueKind::Text, presence: Presence::Default(Default::Text(default)) }
}

const fn number(name: &'static str) -> Property {
    Property { name, kind: ValueKind::Integer, presence: Presence::Default(Default::Integer(-1)) }
}

const fn truth(name: &'static str) -> Property {
    Property { name, kind: ValueKind::Boolean, presence: Presence::Default(Default::Boolean(false)) }
}

const fn optional(name: &'static str, kind: ValueKind) -> Property {
    Property { name, kind, presence: Presence::Optional }
}

const fn texts(name: &'static str) -> Property {
    Property { name, kind: ValueKind::Text, presence: Presence::List }
}

/// All properties of nodes, in the order of their names.
pub(crate) const PROPERTIES: [Property; 58] = [
    optional("ALIAS_TYPE_FULL_NAME", ValueKind::Text),
    number("ARGUMENT_INDEX"),
    optional("ARGUMENT_NAME", ValueKind::Text),
    text("AST_PARENT_FULL_NAME"),
    text("AST_PARENT_TYPE"),
    text("CANONICAL_NAME"),
    text("CLASS_NAME"),
    text("CLASS_SHORT_NAME"),
    optional("CLOSURE_BINDING_ID", ValueKind::Text),
    optional("CLOSURE_ORIGINAL_NAME", ValueKind::Text),
    text("CODE"),
    optional("COLUMN_NUMBER", ValueKind::Integer),
    optional("COLUMN_NUMBER_END", ValueKind::Integer),
    text("CONTAINED_REF"),
    text("CONTENT"),
    text("CONTROL_STRUCTURE_TYPE"),
    optional("DEPENDENCY_GROUP_ID", ValueKind::Text),
    text("DISPATCH_TYPE"),
    texts("DYNAMIC_TYPE_HINT_FULL_NAME"),
    text("EVALUATION_STRATEGY"),
    optional("EXPLICIT_AS", ValueKind::Boolean),
    text("FILENAME"),
    text("FULL_NAME"),
    text("GENERIC_SIGNATURE"),
    optional("HASH", ValueKind::Text),
    optional("IMPORTED_AS", ValueKind::Text),
    optional("IMPORTED_ENTITY", ValueKind::Text),
    number("INDEX"),
    texts("INHERITS_FROM_TYPE_FULL_NAME"),
    optional("IS_EXPLICIT", ValueKind::Boolean),
    truth("IS_EXTERNAL"),
    truth("IS_VARIADIC"),
    optional("IS_WILDCARD", ValueKind::Boolean),
    text("KEY"),
    text("LANGUAGE"),
    optional("LINE_NUMBER", ValueKind::Integer),
    optional("LINE_NUMBER_END", ValueKind::Integer),
    text("METHOD_FULL_NAME"),
    text("METHOD_SHORT_NAME"),
    text("MODIFIER_TYPE"),
    text("NAME"),
    text("NODE_LABEL"),
    optional("OFFSET", ValueKind::Integer),
    optional("OFFSET_END", ValueKind::Integer),
    number("ORDER"),
    texts("OVERLAYS"),
    text("PACKAGE_NAME"),
    text("PARSER_TYPE_NAME"),
    texts("POSSIBLE_TYPES"),
    text("ROOT"),
    text_or("SIGNATURE", ""),
    optional("STATIC_RECEIVER", ValueKind::Text),
    text("SYMBOL"),
    text("TYPE_DECL_FULL_NAME"),
    text("TYPE_FULL_NAME"),
    text_or("VALUE", ""),
    text("VARIABLE"),
    text("VERSION"),
];

/// The property of a name in camel case, such as `methodFullName`.
pub(crate) fn find_property(name: &str) -> Option<&'static Property> {
    let upper = super::upper_case(name);
    PROPERTIES.iter().find(|property| property.name == upper)
}
