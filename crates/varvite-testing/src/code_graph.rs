//! [`CodeGraph`]: a small code property graph of a few functions, written without a frontend.

use std::collections::BTreeMap;
use std::path::Path;

use varvite::change::ChangeError;
use varvite::write::NewGraphOptions;
use varvite::{IfExists, NewGraph};

/// A graph of functions in one source file.
#[derive(Clone, Copy, Debug)]
pub struct CodeGraph<'a> {
    /// LANGUAGE of META_DATA.
    pub language: &'a str,
    /// The source file.
    pub source: &'a str,
    /// The functions. Calls of other names lead to METHODs without a body.
    pub functions: &'a [CodeFunction<'a>],
}

/// A function.
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeFunction<'a> {
    /// NAME and, if `full_name` is empty, FULL_NAME.
    pub name: &'a str,
    /// FULL_NAME.
    pub full_name: &'a str,
    /// SIGNATURE.
    pub signature: &'a str,
    /// Whether its CODE begins with `static`.
    pub is_static: bool,
    /// The first line. The function has a line for each call, and two more.
    pub line: i64,
    /// The FULL_NAMEs of the functions that it calls, and the literal that is passed to each.
    pub calls: &'a [(&'a str, &'a str)],
}

impl CodeGraph<'_> {
    /// Writes the graph to a file, over an existing one.
    ///
    /// # Panics
    /// Panics if the file can't be written.
    pub fn write(&self, path: &Path) {
        self.try_write(path).unwrap();
    }

    fn try_write(&self, path: &Path) -> Result<(), ChangeError> {
        let options = NewGraphOptions::new().tree("AST").index("NAME").if_exists(IfExists::Replace);
        let mut graph = options.create(path)?;
        let meta = graph.add_node(&["META_DATA"])?;
        graph.set(meta, "LANGUAGE", self.language)?;
        let mut methods = BTreeMap::new();
        for function in self.functions {
            methods.insert(function.full_name(), self.add_function(&mut graph, function)?);
        }
        let calls = self.functions.iter().flat_map(|function| function.calls);
        for (callee, _) in calls {
            if !methods.contains_key(callee) {
                let name = callee.rsplit(['.', ':']).next().unwrap_or(callee);
                let stub = CodeFunction { name, full_name: callee, ..CodeFunction::default() };
                methods.insert(callee, add_method(&mut graph, &stub, true)?);
            }
        }
        // Nodes keep their order in the file, so that calls follow their METHOD.
        for function in self.functions {
            self.add_body(&mut graph, function, &methods)?;
        }
        graph.finish().map(drop)
    }

    fn add_function(
        &self,
        graph: &mut NewGraph<'_>,
        function: &CodeFunction<'_>,
    ) -> Result<u32, ChangeError> {
        let method = add_method(graph, function, false)?;
        graph.set(method, "FILENAME", self.source)?;
        graph.set(method, "LINE_NUMBER", function.line)?;
        graph.set(method, "LINE_NUMBER_END", function.line + 1 + function.calls.len() as i64)?;
        let code = format!("{}int {}(void)", if function.is_static { "static " } else { "" }, function.name);
        graph.set(method, "CODE", code.as_str())?;
        Ok(method)
    }

    fn add_body(
        &self,
        graph: &mut NewGraph<'_>,
        function: &CodeFunction<'_>,
        methods: &BTreeMap<&str, u32>,
    ) -> Result<(), ChangeError> {
        let method = methods[function.full_name()];
        let block = graph.add_node(&["BLOCK"])?;
        graph.add_edge("AST", method, block)?;
        for (number, (callee, literal)) in function.calls.iter().enumerate() {
            let call = graph.add_node(&["CALL"])?;
            let argument = graph.add_node(&["LITERAL"])?;
            let name = callee.rsplit(['.', ':']).next().unwrap_or(callee);
            graph.set(call, "NAME", name)?;
            graph.set(call, "CODE", format!("{name}({literal})").as_str())?;
            graph.set(call, "LINE_NUMBER", function.line + 1 + number as i64)?;
            graph.set(argument, "CODE", *literal)?;
            graph.add_edge("AST", block, call)?;
            graph.add_edge("AST", call, argument)?;
            graph.add_edge("CONTAINS", method, call)?;
            graph.add_edge("CALL", call, methods[callee])?;
        }
        Ok(())
    }
}

impl CodeFunction<'_> {
    fn full_name(&self) -> &str {
        if self.full_name.is_empty() { self.name } else { self.full_name }
    }
}

fn add_method(
    graph: &mut NewGraph<'_>,
    function: &CodeFunction<'_>,
    is_external: bool,
) -> Result<u32, ChangeError> {
    let method = graph.add_node(&["METHOD"])?;
    graph.set(method, "NAME", function.name)?;
    graph.set(method, "FULL_NAME", function.full_name())?;
    graph.set(method, "SIGNATURE", function.signature)?;
    graph.set(method, "IS_EXTERNAL", is_external)?;
    Ok(method)
}
