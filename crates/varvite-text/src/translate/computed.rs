//! Values that Joern computes from the properties of a node.

use varvite::pipeline::{Key, it};

use super::filters::scalar_of;
use super::value::{Node, Part, Scalar, Scope, Type, Value};
use crate::names::{Kinds, find_property};

/// The values that Joern computes from properties.
pub(super) fn computed(name: &str, kinds: Kinds) -> Option<(Key, Type)> {
    let methods = Kinds::of(&["METHOD"]);
    match name {
        "numberOfLines" if kinds.is_subset_of(methods) => {
            let lines = Key::subtract("LINE_NUMBER_END", "LINE_NUMBER");
            let counted = Key::add(lines, Key::constant(1));
            Some((Key::first_of([counted, Key::constant(0)]), Type::Integer))
        }
        "isStub" => Some((Key::not(has_body()), Type::Boolean)),
        "isNotStub" => Some((has_body(), Type::Boolean)),
        _ => None,
    }
}

/// Whether a METHOD has a CFG successor besides its METHOD_RETURN.
fn has_body() -> Key {
    Key::exists(it().out("CFG").where_not(it().has_label("METHOD_RETURN")))
}

/// The location of a node: a record.
pub(super) fn location(node: &Node, behind: impl Fn(Scalar) -> Scalar) -> Value {
    let scope = node.scope;
    let of_method = |property: &str| {
        let method = varvite_cpg::Tree::in_ast(it()).has_label("METHOD").limit(1);
        let stored = Key::first(method.values(property));
        Scalar::of(scope, Key::first_of([stored, Key::constant("<empty>")]), Type::Text)
    };
    let part =
        |name: &str, scalar: Scalar| Part { name: name.to_owned(), value: Value::Scalar(behind(scalar)) };
    Value::Parts(vec![
        part("filename", of_method("FILENAME")),
        part("lineNumber", stored(scope, "lineNumber")),
        part("methodFullName", of_method("FULL_NAME")),
        part("symbol", symbol(scope, node.kinds)),
        part("methodShortName", of_method("NAME")),
        part("nodeLabel", Scalar::of(scope, Key::Label, Type::Text)),
    ])
}

/// What a location has as its symbol: the name of a declaration, `$ret` for the end of a METHOD, or the code.
fn symbol(scope: Scope, kinds: Kinds) -> Scalar {
    let named =
        Kinds::of(&["METHOD", "LOCAL", "METHOD_PARAMETER_IN", "IDENTIFIER", "NAMESPACE", "TYPE", "FILE"]);
    if kinds.is_subset_of(Kinds::of(&["METHOD_RETURN"])) {
        return Scalar { scope: Some(scope), ..Scalar::constant("$ret", Type::Text) };
    }
    stored(scope, if kinds.is_subset_of(named) { "name" } else { "code" })
}

/// A property of a scope's row, by its name in camel case.
fn stored(scope: Scope, name: &str) -> Scalar {
    scalar_of(scope, find_property(name).unwrap_or(&crate::names::PROPERTIES[0]))
}
