//! [`Xml`]: reads a document as elements and their texts.
//!
//! Comments, processing instructions and the document type are skipped; entities of the document type are
//! never expanded.

use std::io;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};
use varvite_codec::frame::{FrameError, FrameProblem};

use super::bounded::{Bounded, PIECE_MAX, TooLong};
use crate::text::{TextFault, TextSource};

/// Largest depth of nested elements.
const DEPTH_MAX: usize = 64;
/// Largest number of attributes of an element, and largest length of its name in bytes.
const ATTRIBUTES_MAX: usize = 64;
const NAME_LEN_MAX: usize = 256;

/// Reads the elements and texts of a document.
pub(super) struct Xml {
    reader: Reader<Bounded>,
    buffer: Vec<u8>,
    depth: usize,
    /// The line in which the last element or text starts.
    line: u64,
    name: String,
    /// Names and values of the current element's attributes; only the first `attribute_count` are valid.
    attributes: Vec<(String, String)>,
    attribute_count: usize,
}

/// The next item in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// An element, with a name and attributes.
    Element,
    /// The end of the enclosing element.
    End,
    /// The end of the document.
    Over,
}

/// An error of the document, or an error of the file.
#[derive(Debug)]
pub(super) enum XmlError {
    Fault(TextFault),
    Io(io::Error),
}

impl XmlError {
    /// Converts an error of the stream. The XML reader returns only a reference to the error, so the text and
    /// the kind of the error are copied.
    fn of_stream(error: &io::Error) -> Self {
        let words = || io::Error::new(error.kind(), error.to_string());
        match FrameError::inside(error) {
            Some(&FrameError { format, offset, problem: FrameProblem::Expanded(expanded) }) => {
                Self::Io(FrameError { format, offset, problem: expanded.into() }.into())
            }
            _ => Self::Io(words()),
        }
    }
}

impl From<TextFault> for XmlError {
    fn from(fault: TextFault) -> Self {
        Self::Fault(fault)
    }
}

impl Xml {
    pub(super) fn over(source: TextSource) -> Self {
        let mut reader = Reader::from_reader(Bounded::over(source));
        reader.config_mut().expand_empty_elements = true;
        let (name, attributes) = (String::new(), Vec::new());
        Self { reader, buffer: Vec::new(), depth: 0, line: 1, name, attributes, attribute_count: 0 }
    }

    /// The line in which the last element, or the last text, starts.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The name of the current element, without a prefix.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The value of an attribute of the current element.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let attributes = self.attributes[..self.attribute_count].iter();
        attributes.rev().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The source at its current position.
    pub(super) fn source(&self) -> &TextSource {
        self.reader.get_ref().source()
    }

    /// Reads up to the next element, or to the end of the enclosing one; texts in between are skipped.
    pub(super) fn next(&mut self) -> Result<Next, XmlError> {
        self.next_with(|_| Ok(()))
    }

    /// Reads the text of the current element up to its end. `None` if it contains elements, which are
    /// skipped.
    pub(super) fn text(&mut self) -> Result<Option<String>, XmlError> {
        let (mut text, mut is_text) = (String::new(), true);
        loop {
            match self.next_with(|part| add_text(&mut text, part))? {
                Next::Element => {
                    is_text = false;
                    self.skip()?;
                }
                Next::End => return Ok(is_text.then_some(text)),
                Next::Over => return Err(unclosed()),
            }
        }
    }

    /// Reads the current element to its end and returns the text of the first descendant with a name, without
    /// the text of elements inside that descendant. `None` if there is no such descendant, or its text is
    /// blank.
    pub(super) fn text_within(&mut self, name: &str) -> Result<Option<String>, XmlError> {
        let (depth, mut found) = (self.depth, None);
        loop {
            match self.next()? {
                Next::Element if found.is_none() && self.name == name => found = Some(self.own_text()?),
                Next::End if self.depth < depth => {
                    return Ok(found.filter(|text| !text.trim().is_empty()));
                }
                Next::Over => return Err(unclosed()),
                Next::Element | Next::End => {}
            }
        }
    }

    /// Reads the text of the current element up to its end, without the text of elements in it.
    fn own_text(&mut self) -> Result<String, XmlError> {
        let mut text = String::new();
        loop {
            match self.next_with(|part| add_text(&mut text, part))? {
                Next::Element => self.skip()?,
                Next::End => return Ok(text.trim().to_owned()),
                Next::Over => return Err(unclosed()),
            }
        }
    }

    /// Skips the current element to its end.
    pub(super) fn skip(&mut self) -> Result<(), XmlError> {
        let depth = self.depth;
        loop {
            match self.next()? {
                Next::End if self.depth < depth => return Ok(()),
                Next::Over => return Err(unclosed()),
                _ => {}
            }
        }
    }

    fn next_with(&mut self, mut take: impl FnMut(&str) -> Result<(), TextFault>) -> Result<Next, XmlError> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().begin_piece();
            self.line = self.reader.get_ref().line();
            let event = self.reader.read_event_into(&mut self.buffer).map_err(error_of)?;
            match event {
                Event::Start(start) | Event::Empty(start) => {
                    self.depth += 1;
                    if self.depth > DEPTH_MAX {
                        return Err(TextFault::TooDeep { limit: DEPTH_MAX }.into());
                    }
                    let read = read_start(&start, &mut self.name, &mut self.attributes);
                    self.attribute_count = read?;
                    return Ok(Next::Element);
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Next::End);
                }
                Event::Text(text) => take(&text.xml10_content())?,
                Event::CData(text) => take(&text.xml10_content())?,
                Event::GeneralRef(reference) => with_reference(&reference, &mut take)?,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof => return Ok(Next::Over),
            }
        }
    }
}

fn add_text(text: &mut String, part: &str) -> Result<(), TextFault> {
    if text.len() + part.len() > PIECE_MAX {
        return Err(TextFault::TooLong { what: "a text", limit: PIECE_MAX });
    }
    text.push_str(part);
    Ok(())
}

/// Reads the name and the attributes of an element; returns the number of attributes.
fn read_start(
    start: &BytesStart<'_>,
    name: &mut String,
    attributes: &mut Vec<(String, String)>,
) -> Result<usize, TextFault> {
    let local = start.local_name();
    if start.name().as_ref().len() > NAME_LEN_MAX {
        return Err(TextFault::TooLong { what: "a name", limit: NAME_LEN_MAX });
    }
    local.as_ref().clone_into(name);
    let mut count = 0;
    // Duplicate attributes are not refused, because that check would compare all pairs of attributes; the
    // last one wins.
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| not_xml(&error))?;
        if count == ATTRIBUTES_MAX {
            return Err(TextFault::TooMany { what: "attributes of an element", limit: ATTRIBUTES_MAX });
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| not_xml(&error))?;
        if count == attributes.len() {
            attributes.push((String::new(), String::new()));
        }
        let (known, text) = &mut attributes[count];
        attribute.key.local_name().as_ref().clone_into(known);
        (*value).clone_into(text);
        count += 1;
    }
    Ok(count)
}

/// Calls `take` with the text of a reference: a character, or one of XML's five entities.
fn with_reference(
    reference: &BytesRef<'_>,
    take: &mut impl FnMut(&str) -> Result<(), TextFault>,
) -> Result<(), TextFault> {
    if let Some(character) = reference.resolve_char_ref().map_err(|error| not_xml(&error))? {
        return take(character.encode_utf8(&mut [0; 4]));
    }
    match resolve_predefined_entity(reference) {
        Some(text) => take(text),
        None => Err(TextFault::Entity { name: reference.to_string() }),
    }
}

fn error_of(error: Error) -> XmlError {
    match error {
        Error::Io(error) if error.get_ref().is_some_and(|inside| inside.is::<TooLong>()) => {
            XmlError::Fault(TextFault::TooLong { what: "a tag or text", limit: PIECE_MAX })
        }
        Error::Io(error) => XmlError::of_stream(&error),
        Error::Encoding(_) => XmlError::Fault(TextFault::NotUtf8),
        error => XmlError::Fault(not_xml(&error)),
    }
}

fn not_xml(error: &impl std::fmt::Display) -> TextFault {
    TextFault::NotXml { what: error.to_string() }
}

fn unclosed() -> XmlError {
    XmlError::Fault(TextFault::NotXml { what: "an element has no end".to_owned() })
}
