//! The names that an expression sees, and the scopes to which values belong.

use varvite::pipeline::{Function as KeyFunction, Key, Pipeline, Step, it};

use super::Translator;
use super::value::{Function, Node, Rows, Scalar, Scope, Sort, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{Expression, Pattern, Span, Word};

/// A name that expressions can use.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    name: String,
    meaning: Meaning,
}

#[derive(Clone, Debug)]
enum Meaning {
    /// The parameter of a lambda, or a `def` with parameters.
    Bound(Value),
    /// A `val` or `def`. The expression is translated anew at each use, with the first `visible` variables.
    Defined { expression: Expression, visible: usize, kind: Kind },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Def,
    /// A `val`, inside this number of lambdas, with the number of its uses so far.
    Val {
        inside: usize,
        uses: usize,
    },
}

impl Variable {
    pub(super) fn bound(name: &str, value: Value) -> Self {
        Self { name: name.to_owned(), meaning: Meaning::Bound(value) }
    }

    pub(super) fn def(name: &str, expression: &Expression, visible: usize) -> Self {
        Self::defined(name, expression, visible, Kind::Def)
    }

    pub(super) fn val(name: &str, expression: &Expression, inside: usize, visible: usize) -> Self {
        Self::defined(name, expression, visible, Kind::Val { inside, uses: 0 })
    }

    fn defined(name: &str, expression: &Expression, visible: usize, kind: Kind) -> Self {
        let expression = expression.clone();
        Self { name: name.to_owned(), meaning: Meaning::Defined { expression, visible, kind } }
    }
}

impl Translator {
    pub(super) fn define(&mut self, variable: Variable) {
        self.variables.push(variable);
    }

    /// The function of a `def` with parameters.
    pub(super) fn function(&self, parameters: &[Word], body: &Expression) -> Value {
        let parameters = parameters.iter().cloned().map(Pattern::Name).collect();
        Value::Function(Box::new(Function {
            parameters,
            body: body.clone(),
            variables: self.variables.len(),
        }))
    }

    /// The value of a variable. `None` if there is none of this name.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Result<Option<Value>> {
        let Some(index) = self.variables.iter().rposition(|variable| variable.name == name) else {
            return Ok(None);
        };
        let (expression, visible, kind) = match &mut self.variables[index].meaning {
            Meaning::Bound(value) => return Ok(Some(value.clone())),
            Meaning::Defined { expression, visible, kind } => {
                let before = *kind;
                if let Kind::Val { uses, .. } = kind {
                    *uses += 1;
                }
                (expression.clone(), *visible, before)
            }
        };
        let value = self.with_variables(visible, |translator| translator.value(&expression))?;
        self.check_use(name, span, &value, kind)?;
        Ok(Some(value))
    }

    /// Does `work` while only the first `visible` variables can be seen.
    pub(super) fn with_variables<T>(
        &mut self,
        visible: usize,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let hidden = self.variables.split_off(visible.min(self.variables.len()));
        let outcome = work(self);
        self.variables.truncate(visible);
        self.variables.extend(hidden);
        outcome
    }

    /// Refuses the second use of a `val` that is a traversal, because Joern uses a traversal up.
    fn check_use(&self, name: &str, span: Span, value: &Value, kind: Kind) -> Result<()> {
        let Kind::Val { inside, uses } = kind else { return Ok(()) };
        let is_traversal = matches!(value, Value::Rows(rows) if !rows.is_list);
        if !is_traversal || (uses == 0 && inside == self.enclosing.len()) {
            return Ok(());
        }
        let message = format!(
            "Joern uses up the traversal {name} where it is used first: write `def {name} = ..`, or `.l` at its end"
        );
        Err(TextError::new(span, Reason::Type, message))
    }

    /// A new scope.
    pub(super) fn new_scope(&mut self) -> Scope {
        self.scopes += 1;
        Scope(self.scopes)
    }

    /// The scope of the innermost lambda. `None` outside of all lambdas.
    pub(super) fn here(&self) -> Option<Scope> {
        self.enclosing.last().copied()
    }

    /// The pipeline that begins with the row of the innermost lambda and gives the rows of `base`, which
    /// begins with the row of `from`.
    pub(super) fn begun_here(&self, from: Option<Scope>, base: &Pipeline) -> Pipeline {
        match from {
            Some(scope) if Some(scope) != self.here() => {
                named(self.here(), then(it().select(&name_of(scope)), base))
            }
            _ => named(self.here(), base.clone()),
        }
    }

    /// The key of a scalar, in terms of the innermost lambda's row.
    pub(super) fn key_here(&self, scalar: &Scalar) -> Key {
        match scalar.scope {
            Some(scope) if Some(scope) != self.here() => {
                let values = value_of(it().select(&name_of(scope)), &scalar.key);
                Key::first(named(self.here(), values))
            }
            _ => scalar.key.clone(),
        }
    }

    /// A truth value whose key is in terms of the innermost lambda's row.
    pub(super) fn truth_here(&self, key: Key) -> Value {
        Value::Scalar(Scalar { scope: self.here(), key, holds: Type::Boolean, is_optional: false })
    }

    /// The key of a node, in terms of the innermost lambda's row.
    pub(super) fn node_key_here(&self, node: &Node) -> Key {
        match Some(node.scope) == self.here() && node.is_row() {
            true => Key::Itself,
            false => Key::first(self.begun_here(Some(node.scope), &node.steps)),
        }
    }

    /// Rows whose items are the pipeline's own nodes or values.
    pub(super) fn rows_of(&mut self, from: Option<Scope>, base: Pipeline, sort: Sort) -> Rows {
        self.rows_with(from, base, |scope| sort.item(scope))
    }

    /// Rows whose items are computed from the pipeline's own rows.
    pub(super) fn rows_with(
        &mut self,
        from: Option<Scope>,
        base: Pipeline,
        item: impl FnOnce(Scope) -> Value,
    ) -> Rows {
        let scope = self.new_scope();
        Rows { from, base, scope, item: Box::new(item(scope)), is_start: false, is_list: false }
    }
}

/// A pipeline that ends with the steps of another.
pub(super) fn then(pipeline: Pipeline, steps: &Pipeline) -> Pipeline {
    steps.steps().iter().cloned().fold(pipeline, Pipeline::then)
}

/// The values of a key of the rows of a pipeline.
pub(super) fn value_of(pipeline: Pipeline, key: &Key) -> Pipeline {
    match key {
        Key::Itself => pipeline,
        Key::Property(name) => pipeline.values(name),
        key => match property_of(key) {
            Some(property) => pipeline.map(key.clone().named(&property)),
            None => pipeline.map(key.clone()),
        },
    }
}

/// The property whose values a key gives.
pub(super) fn property_of(key: &Key) -> Option<String> {
    match key {
        Key::Property(property) => Some(property.clone()),
        Key::Function(KeyFunction::FirstOf, operands) => property_of(operands.0.first()?),
        Key::First(steps) => match steps.0.last()? {
            Step::Values { property } => Some(property.clone()),
            Step::Map { by } => property_of(by),
            _ => None,
        },
        Key::Named(_, key) => property_of(key),
        _ => None,
    }
}

/// The name of a scope's row in plans.
pub(super) fn name_of(scope: Scope) -> String {
    format!("r{}", scope.0)
}

/// The same pipeline, which begins with the row of `scope`, and names this row if any step in it needs the
/// name.
pub(super) fn named(scope: Option<Scope>, pipeline: Pipeline) -> Pipeline {
    let Some(scope) = scope else { return pipeline };
    let name = name_of(scope);
    let is_named = matches!(pipeline.steps().first(), Some(Step::As { name: first }) if *first == name);
    match !is_named && mentions(&pipeline, &name) {
        true => then(it().as_(&name), &pipeline),
        false => pipeline,
    }
}

/// Whether a step `select` of a pipeline, or of a pipeline inside it, names a row.
fn mentions(pipeline: &Pipeline, name: &str) -> bool {
    let step = format!("{{\"step\":\"select\",\"name\":\"{name}\"}}");
    pipeline.to_json().contains(&step)
}
