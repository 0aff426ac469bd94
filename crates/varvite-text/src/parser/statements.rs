//! Statements: a query and its blocks are lists of them.

use super::reader::{Layout, Lines, Reader};
use super::tokens::{Bracket, TokenKind};
use super::tree::Tree;
use super::{lambdas, refusals};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{Expression, ExpressionKind, Script, Span, Statement, Word};

/// The greatest length of a query in bytes.
const BYTES_MAX: usize = 1 << 20;

/// Reads a query.
pub(crate) fn parse(query: &str) -> Result<Script> {
    if query.len() > BYTES_MAX {
        let message = format!("the query has {} bytes; the limit is {BYTES_MAX}", query.len());
        return Err(TextError::new(Span { start: 0, end: query.len() }, Reason::TooLarge, message));
    }
    let mut reader = Reader::new(query)?;
    let statements = reader.statements(Reader::expression)?;
    reader.expect(&TokenKind::End, "a statement")?;
    match statements.list.iter().find_map(lambdas::placeholder_of) {
        Some(placeholder) => Err(lambdas::unbound(placeholder.span)),
        None => Ok(Script { statements: statements.list }),
    }
}

/// Statements in their order, and the height of the highest expression.
#[derive(Default)]
pub(super) struct Statements {
    list: Vec<Statement>,
    height: usize,
}

impl Statements {
    fn push(&mut self, value: Tree, statement: impl FnOnce(Expression) -> Statement) {
        self.height = self.height.max(value.height());
        self.list.push(statement(value.expression));
    }

    fn push_val(&mut self, name: Word, value: Tree) {
        self.push(value, |value| Statement::Val { name, value });
    }
}

impl Reader<'_> {
    /// A block in braces, or one lambda.
    pub(super) fn braces(&mut self) -> Result<Tree> {
        let start = self.take().span.start;
        let first_line = self.at_this_level().find(|token| token.begins_line());
        let indent = first_line.map_or(self.layout.indent, |token| token.indent);
        let block = self.within(Layout { lines: Lines::EndStatements, indent }, Self::inside_braces)?;
        self.expect(&TokenKind::Close(Bracket::Curly), "a line end, `;` or `}`")?;
        Ok(block.at(self.span_from(start)))
    }

    fn inside_braces(&mut self) -> Result<Tree> {
        if self.is_keyword("case") { self.case() } else { self.block() }
    }

    /// The value after `=`, `=>`, `then` or `else`: an expression, or a block by indentation.
    pub(super) fn value(&mut self) -> Result<Tree> {
        let next = self.next();
        if !next.begins_line() || next.indent <= self.layout.indent {
            return self.expression();
        }
        self.limit_placeholders(Self::indented)
    }

    /// A block by indentation, and the steps and operators after it.
    fn indented(&mut self) -> Result<Tree> {
        let (lines, indent) = (Lines::EndBlock { outer: self.layout.indent }, self.next().indent);
        let block = self.within(Layout { lines, indent }, Self::block)?;
        let operand = self.steps(block)?;
        self.operators_after(operand)
    }

    /// The statements of a block, the last of which gives its value.
    pub(super) fn block(&mut self) -> Result<Tree> {
        self.deeper(Self::block_value)
    }

    fn block_value(&mut self) -> Result<Tree> {
        let start = self.next().span;
        let Statements { mut list, height } = self.statements(Self::block_expression)?;
        match list.pop() {
            None => Err(self.outdented().unwrap_or_else(|| self.unexpected("a value"))),
            Some(Statement::Expression(only)) if list.is_empty() => {
                Tree::over(height - 1, only.kind, only.span)
            }
            Some(last @ Statement::Expression(_)) => {
                list.push(last);
                Tree::over(height, ExpressionKind::Block(list), self.span_from(start.start))
            }
            Some(Statement::Val { name, .. } | Statement::Def { name, .. }) => Err(without_value(&name)),
        }
    }

    /// A lambda that is a statement of a block has the rest of the block as its body.
    fn block_expression(&mut self) -> Result<Tree> {
        if self.begins_block_lambda() { self.block_lambda() } else { self.expression() }
    }

    fn statements(&mut self, expression: fn(&mut Self) -> Result<Tree>) -> Result<Statements> {
        let mut statements = Statements::default();
        loop {
            while self.take_if(&TokenKind::Semicolon).is_some() {}
            if self.ends_block() {
                return Ok(statements);
            }
            self.statement(&mut statements, expression)?;
            if !self.ends_block() && !self.is_next(&TokenKind::Semicolon) && !self.is_at_new_line() {
                return Err(self.unexpected("a line end or `;`"));
            }
        }
    }

    fn ends_block(&self) -> bool {
        match self.next().kind {
            TokenKind::End | TokenKind::Close(_) | TokenKind::Comma => true,
            TokenKind::Keyword("case" | "else" | "then") => true,
            _ => self.is_outdented(),
        }
    }

    fn statement(
        &mut self,
        statements: &mut Statements,
        expression: fn(&mut Self) -> Result<Tree>,
    ) -> Result<()> {
        if self.is_keyword("lazy") && self.ahead(1).kind == TokenKind::Keyword("val") {
            self.take();
        }
        match self.next().kind {
            TokenKind::Keyword("val") => return self.val(statements),
            TokenKind::Keyword("def") => return self.def(statements),
            _ => {}
        }
        let value = self.refused_statement().map_or_else(|| expression(self), Err)?;
        statements.push(value, Statement::Expression);
        Ok(())
    }

    /// `val name = value`, or `val (a, b) = value`.
    fn val(&mut self, statements: &mut Statements) -> Result<()> {
        self.take();
        if self.is_next(&TokenKind::Open(Bracket::Round)) {
            return self.tuple_val(statements);
        }
        let name = self.name("a name")?;
        let value = self.definition()?;
        statements.push_val(name, value);
        Ok(())
    }

    /// `val (a, b) = value` is `val t = value; val a = t._1; val b = t._2`.
    fn tuple_val(&mut self, statements: &mut Statements) -> Result<()> {
        let start = self.take().span.start;
        let names = self.within(self.joined_lines(), |reader| {
            reader.list(Bracket::Round, |reader| reader.name("a name"))
        })?;
        let tuple = self.generate(self.span_from(start));
        let value = self.definition()?;
        statements.push_val(tuple.clone(), value);
        for (index, name) in names.into_iter().enumerate() {
            let on = Tree::leaf(ExpressionKind::Name(tuple.text.clone()), name.span);
            let part = Word { text: format!("_{}", index + 1), span: name.span };
            statements.push_val(name, on.select(part)?);
        }
        Ok(())
    }

    /// `def name(parameters) = value`.
    fn def(&mut self, statements: &mut Statements) -> Result<()> {
        self.take();
        let name = self.name("a name")?;
        if self.is_next(&TokenKind::Open(Bracket::Square)) {
            return Err(refusals::type_parameters(self.next().span));
        }
        let parameters = self.parameters_of_def()?;
        let value = self.definition()?;
        statements.push(value, |value| Statement::Def { name, parameters, value });
        Ok(())
    }

    fn parameters_of_def(&mut self) -> Result<Vec<Word>> {
        if self.take_if(&TokenKind::Open(Bracket::Round)).is_none() {
            return Ok(Vec::new());
        }
        self.within(self.joined_lines(), |reader| reader.list(Bracket::Round, Self::parameter_of_def))
    }

    fn parameter_of_def(&mut self) -> Result<Word> {
        if let Some(fault) = self.refused_using() {
            return Err(fault);
        }
        let name = self.name("a name")?;
        self.expect(&TokenKind::Colon, "`:` and the type of the parameter")?;
        self.type_name()?;
        Ok(name)
    }

    /// `= value`, perhaps after `: Type`.
    fn definition(&mut self) -> Result<Tree> {
        if self.take_if(&TokenKind::Colon).is_some() {
            self.type_name()?;
        }
        self.expect(&TokenKind::Assign, "`=`")?;
        self.value()
    }
}

fn without_value(name: &Word) -> TextError {
    TextError::new(name.span, Reason::Syntax, "the block ends with a definition: write its value after it")
}
