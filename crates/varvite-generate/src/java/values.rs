//! Generates accessors of properties: the Java type of a property, and the code that reads its values.
//!
//! The type shows the cardinality: a mandatory value is returned as the plain value, a value that may be
//! missing as an optional, and several values as an array or a list.

use varvite::{Cardinality, ValueType};

use super::accessor::Accessor;
use super::layout::{FarType, PropertyMember};
use super::text::{in_comment, literal};

/// The Java type with which the values of a property are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Int,
    Long,
    Double,
    Text,
    Bytes,
    Ref,
}

impl Kind {
    /// The kind for a value type. Integers are `int` if every value of the type fits.
    pub(super) fn of(value_type: ValueType) -> Self {
        match value_type {
            ValueType::Bool => Self::Boolean,
            ValueType::I8 | ValueType::I16 | ValueType::I32 | ValueType::U8 | ValueType::U16 => Self::Int,
            ValueType::I64 | ValueType::U32 | ValueType::U64 => Self::Long,
            ValueType::F32 | ValueType::F64 => Self::Double,
            ValueType::String => Self::Text,
            ValueType::Bytes => Self::Bytes,
            ValueType::Ref => Self::Ref,
        }
    }

    /// The class of columns of this kind, and the method of `Graph` that opens such a column.
    pub(super) fn column(self) -> (&'static str, &'static str) {
        match self {
            Self::Boolean | Self::Int => ("IntProperty", "ints"),
            Self::Long => ("LongProperty", "longs"),
            Self::Double => ("DoubleProperty", "doubles"),
            Self::Text => ("TextProperty", "texts"),
            Self::Bytes => ("BytesProperty", "bytes"),
            Self::Ref => ("RefProperty", "refs"),
        }
    }

    /// The Java types of a mandatory value, of an optional value, and of the items of a list.
    fn types(self, far: &str) -> (String, String, String) {
        let names =
            |one: &str, optional: &str, item: &str| (one.to_owned(), optional.to_owned(), item.to_owned());
        match self {
            Self::Boolean => names("boolean", "Optional<Boolean>", "Boolean"),
            Self::Int => names("int", "OptionalInt", "int"),
            Self::Long => names("long", "OptionalLong", "long"),
            Self::Double => names("double", "OptionalDouble", "double"),
            Self::Text => names("String", "Optional<String>", "String"),
            Self::Bytes => names("byte[]", "Optional<byte[]>", "byte[]"),
            Self::Ref => (far.to_owned(), format!("Optional<{far}>"), far.to_owned()),
        }
    }

    fn is_primitive(self) -> bool {
        matches!(self, Self::Boolean | Self::Int | Self::Long | Self::Double)
    }

    /// A default as a Java expression; `None` if it is not a value of this kind.
    fn default_of(self, text: &str) -> Option<String> {
        match self {
            Self::Boolean => match text {
                "true" | "1" => Some("true".to_owned()),
                "false" | "0" => Some("false".to_owned()),
                _ => None,
            },
            Self::Int => text.parse::<i32>().ok().map(|value| value.to_string()),
            Self::Long => text.parse::<i64>().ok().map(|value| format!("{value}L")),
            Self::Double => {
                text.parse::<f64>().ok().filter(|value| value.is_finite()).map(|v| format!("{v:?}"))
            }
            Self::Text => Some(literal(text)),
            Self::Bytes | Self::Ref => None,
        }
    }
}

/// The accessors of one property.
pub(super) fn accessors(member: &PropertyMember<'_>, far: FarType<'_>) -> Vec<Accessor> {
    let reader = Reader { member, far, kind: Kind::of(member.property.value_type) };
    let mut accessors = match member.property.cardinality {
        Cardinality::One => vec![reader.one()],
        Cardinality::Optional => reader.optional(),
        Cardinality::List => vec![reader.list()],
    };
    if member.property.cardinality != Cardinality::List {
        accessors.extend(reader.number());
    }
    if member.edge_label.is_some() {
        accessors.iter_mut().for_each(|accessor| accessor.owner = "edge");
    }
    accessors
}

/// The schema's description of a property, for the documentation.
pub(super) fn description(member: &PropertyMember<'_>) -> String {
    let property = member.property;
    let default = property.default.as_ref();
    let default = default.map_or_else(String::new, |text| format!(", {} where absent", shown_default(text)));
    let of = member.edge_label.map_or_else(String::new, |label| format!(" of {} edges", in_comment(label)));
    let (name, kind) = (in_comment(&property.name), property.value_type.name());
    format!("{name}{of} ({kind}, {}{default})", property.cardinality.name())
}

fn shown_default(text: &str) -> String {
    if text.is_empty() { "empty".to_owned() } else { in_comment(text) }
}

struct Reader<'a> {
    member: &'a PropertyMember<'a>,
    far: FarType<'a>,
    kind: Kind,
}

impl Reader<'_> {
    fn one(&self) -> Accessor {
        let (one, _, _) = self.kind.types(self.far.name());
        let default = self.member.property.default.as_ref().and_then(|text| self.kind.default_of(text));
        let accessor = self.accessor(&one).body([self.column()]);
        match default {
            Some(default) => accessor.body(self.value_or(&default)),
            None => accessor
                .doc("Throws {@link java.util.NoSuchElementException} if the node has no value.")
                .body(self.value_or_nothing()),
        }
    }

    /// Code that reads a value, or returns `default`.
    fn value_or(&self, default: &str) -> Vec<String> {
        match self.kind {
            Kind::Boolean => {
                vec![format!("return column == null ? {default} : column.is({}, {default});", self.owner())]
            }
            Kind::Int | Kind::Long | Kind::Double => {
                vec![format!("return column == null ? {default} : column.get({}, {default});", self.owner())]
            }
            Kind::Text | Kind::Bytes | Kind::Ref => vec![
                format!("String text = column == null ? null : column.get({});", self.owner()),
                format!("return text == null ? {default} : text;"),
            ],
        }
    }

    /// Code that reads a mandatory value, and throws if it is missing.
    fn value_or_nothing(&self) -> Vec<String> {
        let owner = self.owner();
        let name = literal(&self.member.property.name);
        let throws = format!("    throw noValue({owner}, {name});");
        if self.kind.is_primitive() {
            let absent = format!("if (column == null || !column.isPresent({owner})) {{");
            return vec![absent, throws, "}".to_owned(), format!("return {};", self.present())];
        }
        if self.kind == Kind::Ref {
            let other = format!("int other = column == null ? -1 : column.get({owner});");
            let value = format!("return {};", self.far.handle("this", "other"));
            return vec![other, "if (other < 0) {".to_owned(), throws, "}".to_owned(), value];
        }
        let (one, _, _) = self.kind.types("");
        let value = format!("{one} value = column == null ? null : column.get({owner});");
        vec![value, "if (value == null) {".to_owned(), throws, "}".to_owned(), "return value;".to_owned()]
    }

    /// An expression that reads a primitive value that is known to exist.
    fn present(&self) -> String {
        match self.kind {
            Kind::Boolean => format!("column.is({}, false)", self.owner()),
            _ => format!("column.get({}, 0)", self.owner()),
        }
    }

    fn optional(&self) -> Vec<Accessor> {
        let (one, optional, _) = self.kind.types(self.far.name());
        let owner = self.owner();
        let accessor = self.accessor(&optional).body([self.column()]);
        if !self.kind.is_primitive() {
            return vec![match self.kind {
                Kind::Ref => accessor.body([
                    format!("int other = column == null ? -1 : column.get({owner});"),
                    format!(
                        "return other < 0 ? Optional.empty() : Optional.of({});",
                        self.far.handle("this", "other")
                    ),
                ]),
                _ => accessor.body([format!(
                    "return Optional.ofNullable(column == null ? null : column.get({owner}));"
                )]),
            }];
        }
        let class = optional.split('<').next().unwrap_or_default();
        let accessor = accessor.body([
            format!("if (column == null || !column.isPresent({owner})) {{"),
            format!("    return {class}.empty();"),
            "}".to_owned(),
            format!("return {class}.of({});", self.present()),
        ]);
        let get = if self.kind == Kind::Boolean { "is" } else { "get" };
        let mut plain = self.accessor(&one).body([
            self.column(),
            format!("return column == null ? absent : column.{get}({owner}, absent);"),
        ]);
        plain.doc = vec![format!("{}, or {{@code absent}}. Allocates nothing.", self.description())];
        plain.takes = Some((primitive(self.kind), "absent"));
        vec![accessor, plain]
    }

    fn list(&self) -> Accessor {
        let (_, _, item) = self.kind.types(self.far.name());
        let owner = self.owner();
        if self.kind.is_primitive() && self.kind != Kind::Boolean {
            return self.accessor(&format!("{item}[]")).body([
                self.column(),
                format!("{item}[] values = new {item}[column == null ? 0 : column.count({owner})];"),
                "if (column != null) {".to_owned(),
                format!("    column.copyInto({owner}, values, 0);"),
                "}".to_owned(),
                "return values;".to_owned(),
            ]);
        }
        let at = format!("column.at({owner}, i)");
        let value = match self.kind {
            Kind::Boolean => format!("{at} != 0"),
            Kind::Ref => format!("{at} < 0 ? null : {}", self.far.handle("this", &at)),
            _ => at,
        };
        self.accessor(&format!("List<{item}>")).doc("An element is null if the graph has a null there.").body(
            [
                self.column(),
                format!("int count = column == null ? 0 : column.count({owner});"),
                format!("List<{item}> values = new ArrayList<>(count);"),
                "for (int i = 0; i < count; i++) {".to_owned(),
                format!("    values.add({value});"),
                "}".to_owned(),
                "return Collections.unmodifiableList(values);".to_owned(),
            ],
        )
    }

    /// The accessor of the number that stands for a value: the code of a text, or the id of a node.
    fn number(&self) -> Option<Accessor> {
        let (suffix, get, doc) = match self.kind {
            Kind::Text => ("Code", "code", "The code of the text"),
            Kind::Ref => ("Id", "get", "The id of the node"),
            _ => return None,
        };
        let mut accessor = Accessor::new(format!("{}{suffix}", self.member.name), "int")
            .body([self.column(), format!("return column == null ? -1 : column.{get}({});", self.owner())]);
        let none = if self.kind == Kind::Text { "-1 if there is none" } else { "negative if there is none" };
        accessor.doc = vec![format!("{doc} of {}, {none}. Allocates nothing.", self.description())];
        Some(accessor)
    }

    fn accessor(&self, returns: &str) -> Accessor {
        let cost = if self.is_free(returns) { "Allocates nothing." } else { "Allocates the result." };
        Accessor::new(&self.member.name, returns).doc(format!("{}. {cost}", self.description()))
    }

    fn is_free(&self, returns: &str) -> bool {
        self.kind.is_primitive() && returns == primitive(self.kind)
    }

    fn description(&self) -> String {
        description(self.member)
    }

    fn column(&self) -> String {
        format!("{} column = {}IfAny();", self.kind.column().0, self.member.name)
    }

    fn owner(&self) -> &'static str {
        if self.member.edge_label.is_some() { "edge" } else { "node" }
    }
}

/// The name of the primitive Java type of a kind.
fn primitive(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "boolean",
        Kind::Int => "int",
        Kind::Long => "long",
        Kind::Double => "double",
        Kind::Text | Kind::Bytes | Kind::Ref => "",
    }
}
