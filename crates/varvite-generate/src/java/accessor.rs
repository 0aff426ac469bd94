//! [`Accessor`]: a method that reads a column, in each of the forms in which it is generated.
//!
//! In `Columns`, the method takes the id of a node and has a body. In the class of a label, it passes the
//! node's id to the method in `Columns`. In an interface, it is only declared. If reading a value is cheaper
//! than finding the class of a handle, the interface also has a static method. So every form reads a value by
//! the same few instructions.

use super::text::Source;

/// A method that reads a column for one owner.
#[derive(Clone, Debug)]
pub(super) struct Accessor {
    /// The documentation, as complete sentences in HTML.
    pub(super) doc: Vec<String>,
    /// The return type.
    pub(super) returns: String,
    /// The return type of the declaration in an interface: `returns`, or a supertype of it.
    pub(super) promises: String,
    pub(super) name: String,
    /// Type and name of the parameter after the owner, if there is one.
    pub(super) takes: Option<(&'static str, &'static str)>,
    /// The body of the method in `Columns`.
    pub(super) body: Vec<String>,
    /// The name of the parameter for the owner in `Columns`.
    pub(super) owner: &'static str,
}

impl Accessor {
    /// A method that only takes the owner.
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

    /// Writes the method of a label's class, which calls the method of `Columns`.
    pub(super) fn write_call(&self, out: &mut Source, overrides: bool) {
        let argument = self.takes.map_or_else(String::new, |(_, name)| format!(", {name}"));
        let call = format!("return columns.{}(id{argument});", self.name);
        self.write_member(out, overrides, &self.returns, &[call]);
    }

    /// Writes the method of a class with its own return type and body.
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

    /// Writes a static method that reads the value of a handle of any class through the handle's fields,
    /// without a virtual call that has to find the class. Does so only for values that are cheaper to read
    /// than such a call.
    pub(super) fn write_static(&self, out: &mut Source, interface: &str) {
        if !["boolean", "int", "long", "double"].contains(&self.returns.as_str()) {
            return;
        }
        let more = self.takes.map_or_else(String::new, |(kind, name)| format!(", {kind} {name}"));
        let argument = self.takes.map_or_else(String::new, |(_, name)| format!(", {name}"));
        let same = format!("{}({})", self.name, self.takes.map_or("", |(_, name)| name));
        out.line("");
        out.line(&format!("/** The same as {{@code node.{same}}}, without a virtual call. */"));
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
