//! The methods of traversals and lists: `map`, `filter`, `where`, `dedup`, `size` and their like.

use varvite::pipeline::{Key, Pipeline, it};

use super::Translator;
use super::filters::{keep, negated};
use super::links::Link;
use super::scopes::{named, then, value_of};
use super::value::{Node, Part, Rows, Scalar, Scope, Sort, Total, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::names::Kinds;
use crate::syntax::Span;

/// The names of all methods, for suggestions.
pub(crate) const NAMES: [&str; 64] = [
    "l",
    "toList",
    "toSeq",
    "toSet",
    "toSetImmutable",
    "toSetMutable",
    "iterator",
    "start",
    "p",
    "toJson",
    "toJsonPretty",
    "size",
    "length",
    "countTrav",
    "isEmpty",
    "nonEmpty",
    "head",
    "headOption",
    "last",
    "lastOption",
    "loneElement",
    "take",
    "drop",
    "dedup",
    "distinct",
    "dedupBy",
    "map",
    "flatMap",
    "filter",
    "filterNot",
    "where",
    "whereNot",
    "and",
    "or",
    "not",
    "exists",
    "forall",
    "contains",
    "find",
    "count",
    "collectAll",
    "cast",
    "sortBy",
    "sorted",
    "reverse",
    "groupCount",
    "groupBy",
    "groupMap",
    "sum",
    "min",
    "max",
    "union",
    "coalesce",
    "choose",
    "repeat",
    "path",
    "simplePath",
    "enablePathTracking",
    "intersect",
    "diff",
    "removedAll",
    "concat",
    "mkString",
    "is",
];

impl Translator {
    /// The value of a method of collections. `None` if there is none of this name.
    pub(super) fn collection_member(&mut self, rows: &Rows, link: &Link<'_>) -> Result<Option<Value>> {
        let rows = rows.clone();
        Ok(Some(match link.text() {
            "l" | "toList" | "toSeq" | "toVector" | "toIndexedSeq" | "toArray" | "p" | "toJson"
            | "toJsonPretty" => Value::Rows(Rows { is_list: true, ..rows }),
            "iterator" | "start" | "enablePathTracking" | "discardPathTracking" | "toBuffer" | "view" => {
                Value::Rows(Rows { is_start: false, ..rows })
            }
            "dedup" | "distinct" => self.dedup(rows, link.span())?,
            "toSet" | "toSetImmutable" | "toSetMutable" => {
                let Value::Rows(rows) = self.dedup(rows, link.span())? else { return Ok(None) };
                Value::Rows(Rows { is_list: true, ..rows })
            }
            "dedupBy" | "distinctBy" => {
                let by = self.key_of_lambda(&rows, link)?;
                Value::Rows(rows.then(|base| base.dedup_by(by)))
            }
            "take" | "drop" => self.cut(rows, link)?,
            "size" | "length" | "countTrav" if link.arguments.is_none_or(<[_]>::is_empty) => self.count(rows),
            "count" => {
                let kept = self.filter(rows, link, false)?;
                self.count(kept)
            }
            "isEmpty" => self.exists(rows, false),
            "nonEmpty" => self.exists(rows, true),
            "head" | "loneElement" | "last" => self.first(rows, link, false)?,
            "headOption" | "lastOption" | "nextOption" => self.first(rows, link, true)?,
            "find" => {
                let kept = self.filter(rows, link, false)?;
                self.first(kept, link, true)?
            }
            // A `collect` whose cases test types is refused by the parser; any other is a `map`.
            "map" | "collect" => self.map(rows, link)?,
            "flatMap" => self.flat_map(rows, link)?,
            "filter" | "withFilter" => Value::Rows(self.filter(rows, link, false)?),
            "filterNot" => Value::Rows(self.filter(rows, link, true)?),
            "where" => self.where_(rows, link, true)?,
            "whereNot" | "not" => self.where_(rows, link, false)?,
            "and" | "or" => self.and_or(rows, link)?,
            "exists" => {
                let kept = self.filter(rows, link, false)?;
                self.exists(kept, true)
            }
            "forall" => {
                let kept = self.filter(rows, link, true)?;
                self.exists(kept, false)
            }
            "contains" => self.contains(rows, link)?,
            "is" => self.is(rows, link)?,
            "collectAll" | "cast" => self.collect_all(rows, link)?,
            "sorted" => {
                let by = self.item_key(&rows, link.span())?;
                Value::Rows(rows.then(|base| base.order_by(by)))
            }
            "sortBy" => self.sort_by(rows, link)?,
            "groupCount" => self.group_count(rows, link)?,
            "groupBy" => self.group_by(rows, link)?,
            "sum" | "min" | "max" => self.summary(rows, link)?,
            "union" | "coalesce" => self.branches(rows, link)?,
            "repeat" => self.repeat(rows, link)?,
            "intersect" => self.compared_with(rows, link, true)?,
            "diff" | "removedAll" => self.compared_with(rows, link, false)?,
            "concat" | "appendedAll" => {
                let other = self.other_value(link)?;
                self.append(rows, other, link.span())?
            }
            "mkString" => self.joined(rows, link)?,
            "path" | "simplePath" => self.paths(rows, link)?,
            _ => return Ok(None),
        }))
    }

    /// The key of the item of the rows' own row, by which rows are sorted, grouped or compared.
    pub(super) fn item_key(&mut self, rows: &Rows, span: Span) -> Result<Key> {
        let item = (*rows.item).clone();
        self.inside(rows, |translator| translator.key_of(&item, span))
    }

    /// The key of a value, in terms of the innermost lambda's row.
    pub(super) fn key_of(&mut self, value: &Value, span: Span) -> Result<Key> {
        match value {
            Value::Scalar(scalar) => Ok(self.key_here(scalar)),
            Value::Node(node) => Ok(self.node_key_here(node)),
            other => {
                let message =
                    format!("rows are compared by nodes, texts and numbers, not by {}", other.words());
                Err(TextError::new(span, Reason::NotInPlans, message))
            }
        }
    }

    fn key_of_lambda(&mut self, rows: &Rows, link: &Link<'_>) -> Result<Key> {
        let value = self.applied(rows, link)?;
        self.inside(rows, |translator| translator.key_of(&value, link.span()))
    }

    /// The key of a lambda that gives true or false.
    pub(super) fn condition(&mut self, rows: &Rows, link: &Link<'_>) -> Result<Key> {
        let value = self.applied(rows, link)?;
        self.truth(rows, &value, link)
    }

    fn truth(&mut self, rows: &Rows, value: &Value, link: &Link<'_>) -> Result<Key> {
        match value {
            Value::Scalar(scalar) if scalar.holds == Type::Boolean && !scalar.is_optional => {
                self.inside(rows, |translator| Ok(translator.key_here(scalar)))
            }
            Value::Rows(_) => {
                let message = format!(
                    "{} takes a lambda that is true or false; this one gives rows: write where, or .nonEmpty",
                    link.text()
                );
                Err(TextError::new(link.span(), Reason::Type, message))
            }
            other => {
                let message =
                    format!("{} takes a lambda that is true or false, not {}", link.text(), other.words());
                Err(TextError::new(link.span(), Reason::Type, message))
            }
        }
    }

    fn filter(&mut self, rows: Rows, link: &Link<'_>, is_not: bool) -> Result<Rows> {
        let key = self.condition(&rows, link)?;
        let key = if is_not { negated(key) } else { key };
        Ok(rows.then(|base| keep(base, key)))
    }

    fn where_(&mut self, rows: Rows, link: &Link<'_>, is_kept: bool) -> Result<Value> {
        let [argument] = link.list() else {
            let message = format!("{} takes one lambda: {}(_.name(\"x\"))", link.text(), link.text());
            return Err(TextError::new(link.span(), Reason::Type, message));
        };
        let value = self.applied_to_traversal(&rows, argument)?;
        let inner = self.condition_pipeline(&rows, &value, link)?;
        Ok(Value::Rows(rows.then(|base| match inner {
            Some(inner) if is_kept => base.where_(inner),
            Some(inner) => base.where_not(inner),
            None if is_kept => base,
            None => base.limit(0),
        })))
    }

    /// The pipeline of a lambda that gives rows. `None` if its rows are never empty, as one truth value is.
    pub(super) fn condition_pipeline(
        &mut self,
        rows: &Rows,
        value: &Value,
        link: &Link<'_>,
    ) -> Result<Option<Pipeline>> {
        match value {
            Value::Rows(inner) => {
                self.inside(rows, |translator| Ok(Some(translator.begun_here(inner.from, &inner.base))))
            }
            Value::Node(node) => {
                self.inside(rows, |translator| Ok(Some(translator.begun_here(Some(node.scope), &node.steps))))
            }
            Value::Scalar(scalar) if scalar.is_optional => self.inside(rows, |translator| {
                let key = translator.key_here(scalar);
                Ok(Some(value_of(it(), &key)))
            }),
            Value::Scalar(_) => Ok(None),
            other => {
                let message =
                    format!("{} takes a lambda that gives rows, not {}", link.text(), other.words());
                Err(TextError::new(link.span(), Reason::Type, message))
            }
        }
    }

    fn and_or(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let mut branches = Vec::new();
        for argument in link.list() {
            let value = self.applied_to_traversal(&rows, argument)?;
            branches.extend(self.condition_pipeline(&rows, &value, link)?.or_else(|| Some(it())));
        }
        Ok(Value::Rows(rows.then(|base| match (link.text(), branches.is_empty()) {
            (_, true) => base,
            ("and", false) => base.and(branches),
            (_, false) => base.or(branches),
        })))
    }

    fn map(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let item = self.applied(&rows, link)?;
        let item = match item {
            Value::Graph | Value::Operators | Value::Walk(_) | Value::Function(_) | Value::Total(_) => {
                let message = format!("map gives nodes, texts, numbers and tuples, not {}", item.words());
                return Err(TextError::new(link.span(), Reason::Type, message));
            }
            item => item,
        };
        Ok(Value::Rows(Rows { item: Box::new(item), is_start: false, ..rows }))
    }

    fn flat_map(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let inner = match self.applied(&rows, link)? {
            Value::Scalar(scalar) if scalar.is_optional => {
                let base = value_of(rows.base.clone(), &self.inside(&rows, |t| Ok(t.key_here(&scalar)))?);
                let holds = scalar.holds;
                return Ok(Value::Rows(self.rows_of(rows.from, base, Sort::Values(holds))));
            }
            value => self.as_rows(value, "flatMap takes a lambda that gives rows", link.span())?,
        };
        let pipeline = self.inside(&rows, |translator| {
            let elements = translator.elements(&inner, link.span())?;
            Ok(translator.begun_here(elements.from, &elements.base))
        })?;
        let sort = Sort::of(&inner, link.span())?;
        let base = then(rows.base, &alone(pipeline));
        Ok(Value::Rows(self.rows_of(rows.from, base, sort)))
    }

    /// The rows of a value, which a node is alone. `expected` begins the error for any other value.
    pub(super) fn as_rows(&mut self, value: Value, expected: &str, span: Span) -> Result<Rows> {
        match value {
            Value::Rows(rows) => Ok(rows),
            Value::Node(node) => Ok(self.rows_of_node(node)),
            other => {
                let message = format!("{expected}, not {}", other.words());
                Err(TextError::new(span, Reason::Type, message))
            }
        }
    }

    /// The same rows, whose pipeline gives the items themselves: nodes or values.
    pub(super) fn elements(&mut self, rows: &Rows, span: Span) -> Result<Rows> {
        let sort = Sort::of(rows, span)?;
        let key = self.item_key(rows, span)?;
        if key == Key::Itself {
            return Ok(rows.clone());
        }
        let base = match (&key, &*rows.item) {
            (Key::First(steps), Value::Node(node)) if node.scope == rows.scope => {
                let steps = super::filters::pipeline_of(&steps.0);
                then(rows.base.clone(), &steps)
            }
            _ => value_of(rows.base.clone(), &key),
        };
        let is_list = rows.is_list;
        Ok(Rows { is_list, ..self.rows_of(rows.from, base, sort) })
    }

    fn dedup(&mut self, rows: Rows, span: Span) -> Result<Value> {
        let by = match &*rows.item {
            Value::Parts(_) => self.tuple_key(&rows, span)?,
            _ => self.item_key(&rows, span)?,
        };
        Ok(Value::Rows(rows.then(|base| base.dedup_by(by))))
    }

    /// A text in which two tuples differ if and only if a part differs.
    fn tuple_key(&mut self, rows: &Rows, span: Span) -> Result<Key> {
        let Value::Parts(parts) = (*rows.item).clone() else { return Ok(Key::Itself) };
        let mut pieces = Vec::new();
        for part in &parts {
            let key = self.inside(rows, |translator| translator.key_of(&part.value, span))?;
            let text = match &part.value {
                Value::Scalar(scalar) if scalar.holds == Type::Boolean => {
                    return Err(TextError::new(
                        span,
                        Reason::NotInPlans,
                        "dedup of tuples with truth values",
                    ));
                }
                Value::Node(_) => {
                    return Err(TextError::new(
                        span,
                        Reason::NotInPlans,
                        "dedup of tuples with nodes: use dedup before map",
                    ));
                }
                _ => key,
            };
            let length = Key::length(Key::concat([text.clone(), Key::constant("")]));
            let present = Key::concat([length, Key::constant(":"), text]);
            pieces.push(Key::first_of([present, Key::constant("-")]));
        }
        Ok(match pieces.len() {
            1 => pieces.remove(0),
            _ => Key::concat(pieces),
        })
    }

    fn cut(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let count = self.number(link)?;
        Ok(Value::Rows(rows.then(|base| match link.text() {
            "take" => base.limit(count),
            _ => base.skip(count),
        })))
    }

    fn count(&mut self, rows: Rows) -> Value {
        match rows.from {
            Some(scope) if rows.are_of_group() => {
                Value::Scalar(Scalar::of(scope, Key::column("nodes"), Type::Integer))
            }
            Some(scope) => {
                let counted = Key::first(self.closed(scope, rows.base.count()));
                Value::Scalar(Scalar::of(scope, counted, Type::Integer))
            }
            None => Value::Total(Total::Value { plan: rows.base.count() }),
        }
    }

    pub(super) fn exists(&mut self, rows: Rows, is: bool) -> Value {
        let Some(scope) = rows.from else {
            let total = Value::Total(Total::Exists { plan: rows.base });
            return if is { total } else { super::totals::negated(total) };
        };
        let key = Key::exists(self.closed(scope, rows.base));
        let key = if is { key } else { Key::not(key) };
        Value::Scalar(Scalar::of(scope, key, Type::Boolean))
    }

    /// A pipeline that begins with a scope's row, which it names if a step in it needs the name.
    pub(super) fn closed(&self, scope: Scope, pipeline: Pipeline) -> Pipeline {
        named(Some(scope), pipeline)
    }

    fn first(&mut self, rows: Rows, link: &Link<'_>, is_optional: bool) -> Result<Value> {
        if link.text().starts_with("last") {
            let message = "only the first row can be taken: reverse the order by sortBy";
            return Err(TextError::new(link.span(), Reason::NotInPlans, message));
        }
        let Some(scope) = rows.from else {
            return Ok(Value::Total(Total::First { rows, is_optional }));
        };
        match &*rows.item {
            Value::Node(_) => {
                let rows = self.elements(&rows, link.span())?;
                let kinds = rows.kinds().unwrap_or(Kinds::ANY);
                let steps = alone(rows.base.limit(1));
                Ok(Value::Node(Node { scope, steps, kinds, is_optional }))
            }
            Value::Scalar(scalar) => {
                let holds = scalar.holds;
                let rows = self.elements(&rows, link.span())?;
                let key = Key::first(self.closed(scope, rows.base));
                Ok(Value::Scalar(Scalar { scope: Some(scope), key, holds, is_optional }))
            }
            Value::Parts(parts) => {
                let parts = parts.clone();
                let taken = |part: Part| {
                    let rows = Rows { item: Box::new(part.value), ..rows.clone() };
                    Ok(Part { name: part.name, value: self.first(rows, link, is_optional)? })
                };
                Ok(Value::Parts(parts.into_iter().map(taken).collect::<Result<_>>()?))
            }
            other => {
                let message = format!("the first of rows, each {}, cannot be taken", other.words());
                Err(TextError::new(link.span(), Reason::NotInPlans, message))
            }
        }
    }

    fn collect_all(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let [word] = link.types else {
            let message = format!("{} takes one type: {}[Call]", link.text(), link.text());
            return Err(TextError::new(link.span(), Reason::Type, message));
        };
        let Some(kinds) = Kinds::of_type(&word.text) else {
            let message = format!("{} is no type of nodes", word.text);
            return Err(TextError::new(word.span, Reason::UnknownName, message));
        };
        let rows = self.of_nodes(rows, link)?;
        let labels = kinds.labels();
        let base = rows.base.has_label(&labels[..]);
        Ok(Value::Rows(self.rows_of(rows.from, base, Sort::Nodes(kinds))))
    }

    pub(super) fn other_value(&mut self, link: &Link<'_>) -> Result<Value> {
        match link.list() {
            [argument] => self.value(argument),
            _ => Err(TextError::new(
                link.span(),
                Reason::Type,
                format!("{} takes one collection", link.text()),
            )),
        }
    }

    /// `mkString`.
    fn joined(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        if rows.from.is_some() {
            let message = "mkString inside a lambda: give the list itself";
            return Err(TextError::new(link.span(), Reason::NotInPlans, message));
        }
        let mut texts = self.texts(link)?.into_iter().map(|(text, _)| text);
        let (begin, between, end) = match (texts.next(), texts.next(), texts.next()) {
            (None, ..) => (String::new(), String::new(), String::new()),
            (Some(between), None, _) => (String::new(), between, String::new()),
            (Some(begin), Some(between), end) => (begin, between, end.unwrap_or_default()),
        };
        Ok(Value::Total(Total::Text { rows, begin, between, end }))
    }

    fn paths(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let rows = self.of_nodes(rows, link)?;
        if rows.from.is_some() {
            let message = format!("{} inside a lambda: its rows have no path", link.text());
            return Err(TextError::new(link.span(), Reason::NotInPlans, message));
        }
        Ok(match link.text() {
            "simplePath" => Value::Rows(rows.then(Pipeline::simple_path)),
            _ => {
                let path = |scope| Value::Scalar(Scalar::of(scope, Key::column("path"), Type::Text));
                let is_list = rows.is_list;
                Value::Rows(Rows { is_list, ..self.rows_with(rows.from, rows.base.path(), path) })
            }
        })
    }
}

/// The error for a pipeline that would begin with the graph inside a lambda.
pub(super) fn from_the_graph(span: Span) -> TextError {
    let message = "a query that begins with cpg inside a lambda: a plan begins with the graph once";
    TextError::new(span, Reason::NotInPlans, message)
}

/// A step that runs a pipeline for one row at a time, if its order or its rows need that.
pub(super) fn alone(pipeline: Pipeline) -> Pipeline {
    use varvite::pipeline::Step;
    let sees_several = |step: &Step| {
        matches!(
            step,
            Step::As { .. }
                | Step::Order { .. }
                | Step::Limit { .. }
                | Step::Skip { .. }
                | Step::Dedup { .. }
                | Step::Count { .. }
                | Step::Sum { .. }
                | Step::Min { .. }
                | Step::Max { .. }
        )
    };
    match pipeline.steps().iter().any(sees_several) {
        true => it().union([pipeline]),
        false => pipeline,
    }
}
