//! [`Accessor`]: one method that reads a column, in the places where it stands.
//!
//! In `Columns` it takes the id of a node and has a body; a class hands its own id to that one; an interface
//! only declares it, and has a static one beside it for values that cost less than to find the class of a
//! handle. So a value is read by the same few instructions, whichever way a program came to it.

use super::text::Source;

/// A method that reads a column for one owner.
#[derive(Clone, Debug)]
pub(super) struct Accessor {
    /// Its documentation, whole sentences of HTML.
    pub(super) doc: Vec<String>,
    /// The type that it returns.
    pub(super) returns: String,
    /// The type that an interface may promise at most: the same, or less than `returns`.
    pub(super) promises: String,
    pub(super) name: String,
    /// The parameter beside the owner: type and name.
    pub(super) takes: Option<(&'static str, &'static str)>,
    /// The body of the method in `Columns`, with the owner as `owner`.
    pub(super) body: Vec<String>,
    /// The name of the owner in `Columns`.
    pub(super) owner: &'static str,
}

impl Accessor {
    /// A method that takes the owner only.
    pub(super) fn new(name: impl Into<String>, returns: impl Into<String>) -> Self {
        let returns = returns.into();
        Self {
            doc: Vec::new(),
            promises: returns.clone(),
            returns,
            name: name.into(),
            takes: None,
            body: Vec::new(),
            owner: "node",
        }
    }

    /// Adds sentences to the documentation.
    pub(super) fn doc(mut self, doc: impl Into<String>) -> Self {
        self.doc.push(doc.into());
        self
    }

    /// Adds lines to the body.
    pub(super) fn body<L: Into<String>>(mut self, lines: impl IntoIterator<Item = L>) -> Self {
        self.body.extend(lines.into_iter().map(Into::into));
        self
    }

    /// Writes the method of `Columns`.
    pub(super) fn write_body(&self, out: &mut Source) {
        let more = self.takes.map_or_else(String::new, |(kind, name)| format!(", {kind} {name}"));
        out.line("");
        out.doc(&self.doc);
        out.method(&format!("public {} {}(int {}{more})", self.returns, self.name, self.owner), &self.body);
    }

    /// Writes the method of a class, which calls the one of `Columns`.
    pub(super) fn write_call(&self, out: &mut Source, overrides: bool) {
        let argument = self.takes.map_or_else(String::new, |(_, name)| format!(", {name}"));
        let call = format!("return columns.{}(id{argument});", self.name);
        self.write_member(out, overrides, &self.returns, &[call]);
    }

    /// Writes the method of a class that returns a more exact type.
    pub(super) fn write_member(&self, out: &mut Source, overrides: bool, returns: &str, body: &[String]) {
        out.line("");
        if overrides {
            out.line("@Override");
        } else {
            out.doc(&self.doc);
        }
        out.method(&format!("public {returns} {}({})", self.name, self.parameter()), body);
    }

    /// Writes the declaration in an interface.
    pub(super) fn write_declaration(&self, out: &mut Source) {
        out.line("");
        out.doc(&self.doc);
        out.line(&format!("{} {}({});", self.promises, self.name, self.parameter()));
    }

    /// Writes a static method that reads a handle of any class by its fields, without the call that has to
    /// find the class. Only for a value that is cheaper than that call.
    pub(super) fn write_static(&self, out: &mut Source, interface: &str) {
        if !["boolean", "int", "long", "double"].contains(&self.returns.as_str()) {
            return;
        }
        let more = self.takes.map_or_else(String::new, |(kind, name)| format!(", {kind} {name}"));
        let argument = self.takes.map_or_else(String::new, |(_, name)| format!(", {name}"));
        let same = format!("{}({})", self.name, self.takes.map_or("", |(_, name)| name));
        out.line("");
        out.line(&format!(
            "/** The same as {{@code node.{same}}}, without a search for the class of the handle. */"
        ));
        out.method(
            &format!("static {} {}({interface} node{more})", self.returns, self.name),
            &[
                "Handle handle = (Handle) node;".to_owned(),
                format!("return handle.columns.{}(handle.id{argument});", self.name),
            ],
        );
    }

    fn parameter(&self) -> String {
        self.takes.map_or_else(String::new, |(kind, name)| format!("{kind} {name}"))
    }
}
