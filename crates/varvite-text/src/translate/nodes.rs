//! What comes after a single node: its properties, and steps from it.

use varvite::pipeline::Key;

use super::Translator;
use super::computed::{computed, location};
use super::filters::scalar_of;
use super::links::Link;
use super::steps::{Step, find_step, is_text};
use super::value::{Node, Rows, Scalar, Sort, Type, Value};
use crate::error::Result;
use crate::names::{Presence, Single, find_property};

impl Translator {
    /// The value of `node.link`.
    pub(super) fn member_of_node(&mut self, node: Node, link: &Link<'_>) -> Result<Value> {
        if node.is_optional
            && let Some(value) = self.member_of_optional_node(&node, link)?
        {
            return Ok(value);
        }
        if link.arguments.is_none()
            && let Some(value) = self.plain_member(&node, link.text())
        {
            return Ok(value);
        }
        if link.text() == "depth" {
            let scalar = self.height(node.scope, link)?;
            return Ok(Value::Scalar(self.scalar_behind(&node, scalar)));
        }
        if let Some(step) = find_step(link, node.kinds) {
            return self.step_from_node(node, &step, link);
        }
        if let (Some(property), None) = (find_property(link.text()), link.arguments) {
            return Ok(self.property_of(node, property));
        }
        let rows = self.rows_of_node(node);
        self.member_of_rows(rows, link)
    }

    /// The node as the only row of a traversal.
    pub(super) fn rows_of_node(&mut self, node: Node) -> Rows {
        let kinds = node.kinds;
        self.rows_of(Some(node.scope), node.steps, Sort::Nodes(kinds))
    }

    fn property_of(&mut self, node: Node, property: &'static crate::names::Property) -> Value {
        if property.presence == Presence::List {
            let values = node.steps.values(property.name);
            let rows = self.rows_of(Some(node.scope), values, Sort::Values(Type::Text));
            return Value::Rows(Rows { is_list: true, ..rows });
        }
        let scalar = scalar_of(node.scope, property);
        Value::Scalar(self.scalar_behind(&node, scalar))
    }

    /// The same scalar, for the node to which some steps lead from the row of the scope.
    pub(super) fn scalar_behind(&self, node: &Node, scalar: Scalar) -> Scalar {
        match node.is_row() {
            true => scalar,
            false => {
                let values = super::scopes::value_of(node.steps.clone().limit(1), &scalar.key);
                Scalar { key: Key::first(values), ..scalar }
            }
        }
    }

    /// The steps and values of nodes that are not in the tables.
    fn plain_member(&mut self, node: &Node, name: &str) -> Option<Value> {
        let scope = node.scope;
        let scalar =
            |key, holds| Some(Value::Scalar(self.scalar_behind(node, Scalar::of(scope, key, holds))));
        match name {
            "label" => scalar(Key::Label, Type::Text),
            "start" | "iterator" => Some(Value::Rows(self.rows_of_node(node.clone()))),
            "location" => Some(location(node, |scalar| self.scalar_behind(node, scalar))),
            "id" => Some(Value::Node(node.clone())),
            name => computed(name, node.kinds).and_then(|(key, holds)| scalar(key, holds)),
        }
    }

    fn step_from_node(&mut self, node: Node, step: &Step, link: &Link<'_>) -> Result<Value> {
        if let Step::Kind { kinds } = step
            && link.arguments.is_none()
        {
            let labels = kinds.labels();
            let tested = node.steps.clone().has_label(&labels[..]);
            let key = Key::exists(tested);
            return Ok(Value::Scalar(Scalar::of(node.scope, key, Type::Boolean)));
        }
        if let Step::Truth { keep } = step
            && link.arguments.is_none()
        {
            let key = Key::exists(keep(node.steps.clone()));
            return Ok(Value::Scalar(Scalar::of(node.scope, key, Type::Boolean)));
        }
        let (single, appended) = match step {
            Step::Table(entry) if link.arguments.is_none() => {
                (entry.single, entry.append_to_one.unwrap_or(entry.append)(node.steps.clone()))
            }
            Step::Numbered { index_of, .. } if link.list().len() == 1 && !is_text(&link.list()[0]) => {
                (Single::One, index_of(node.steps.clone(), self.number(link)? as i64))
            }
            _ => {
                let rows = self.rows_of_node(node);
                return self.step_from_rows(rows, step, link);
            }
        };
        let to = step.to();
        Ok(match single {
            Single::Many => Value::Rows(self.rows_of(Some(node.scope), appended, Sort::Nodes(to))),
            single => Value::Node(Node {
                scope: node.scope,
                steps: appended,
                kinds: to,
                is_optional: single == Single::Optional,
            }),
        })
    }

    fn member_of_optional_node(&mut self, node: &Node, link: &Link<'_>) -> Result<Option<Value>> {
        let present = |is| {
            let key = Key::exists(node.steps.clone());
            let key = if is { key } else { Key::not(key) };
            Value::Scalar(Scalar::of(node.scope, key, Type::Boolean))
        };
        Ok(Some(match link.text() {
            "get" | "head" => Value::Node(Node { is_optional: false, ..node.clone() }),
            "isDefined" | "nonEmpty" => present(true),
            "isEmpty" => present(false),
            _ => {
                let rows = self.rows_of_node(Node { is_optional: false, ..node.clone() });
                return self.member_of_rows(rows, link).map(Some);
            }
        }))
    }
}
