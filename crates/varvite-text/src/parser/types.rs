//! Types: `Call`, `nodes.Call`, `Map[String, Seq[Int]]`, `Call => Boolean`.

use super::reader::Reader;
use super::refusals;
use super::tokens::{Bracket, TokenKind};
use crate::error::Result;
use crate::syntax::Word;

impl Reader<'_> {
    /// A type, as it is written.
    pub(super) fn type_name(&mut self) -> Result<Word> {
        let start = self.next().span.start;
        self.type_parts()?;
        Ok(Word { text: self.written(start).to_owned(), span: self.span_from(start) })
    }

    fn type_parts(&mut self) -> Result<()> {
        self.deeper(Self::simple_type)?;
        while let TokenKind::Arrow | TokenKind::Operator("|" | "&") = self.next().kind {
            self.take();
            self.deeper(Self::simple_type)?;
        }
        Ok(())
    }

    /// A type without `=>`, which can be the type of a parameter: `x: Call => ..`.
    pub(super) fn simple_type(&mut self) -> Result<()> {
        match self.next().kind {
            TokenKind::Open(Bracket::Round) => self.types(Bracket::Round)?,
            TokenKind::Underscore | TokenKind::Operator("?") => drop(self.take()),
            _ => drop(self.name("a type")?),
        }
        while self.take_if(&TokenKind::Dot).is_some() {
            self.name("a type")?;
        }
        if self.is_next(&TokenKind::Open(Bracket::Square)) {
            self.types(Bracket::Square)?;
        }
        Ok(())
    }

    fn types(&mut self, bracket: Bracket) -> Result<()> {
        self.take();
        self.within(self.joined_lines(), |reader| reader.list(bracket, Self::type_parts)).map(drop)
    }

    /// `: Type` after an expression, which has no meaning for a query: `cpg.call: Iterator[Call]`.
    pub(super) fn ascription(&mut self) -> Result<()> {
        self.take();
        if self.is_next(&TokenKind::Underscore) {
            return Err(refusals::several_arguments(self.next().span));
        }
        self.simple_type()?;
        if self.is_next(&TokenKind::Arrow) { Err(refusals::colon_lambda(self.last_span())) } else { Ok(()) }
    }
}
