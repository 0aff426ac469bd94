//! Java's method handles for functions of the headers: one handle for each function that the Java module
//! `ffi` uses. `make bless` writes the handles to the Java class `Call`.

use std::collections::BTreeSet;

use varvite_model::written::{Part, check};

use super::{DECLARED, Declaration, name_of, texts};

const CALL: &str = "bindings/java/ffi/src/main/java/varvite/ffi/Call.java";
const OPENING: &str = "    // <functions> from `exports!` in bindings/c/src";
const CLOSING: &str = "    // </functions>";
/// The maximum line length of a handle's declaration in `Call`.
const WIDTH: usize = 126;

#[test]
fn java_has_a_method_handle_of_each_function_that_it_names() {
    let java = texts("../java/ffi/src", "java");
    let (before, rest) = java.split_once(OPENING).unwrap();
    let (_, after) = rest.split_once(CLOSING).unwrap();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let named: BTreeSet<&str> =
        [before, after].iter().flat_map(|text| text.split(|c| !is_letter(c))).collect();
    let functions =
        DECLARED.iter().filter(|declared| matches!(Declaration::of(declared), Declaration::Function));
    let called = functions.filter(|function| named.contains(constant(function).as_str()));
    let text = called.map(|function| handle(function)).collect();
    check(CALL, &[Part { opening: OPENING.into(), closing: CLOSING, text }]);
}

/// The name of the Java constant for a function's handle: `varvite_walk_next` is `WALK_NEXT`.
fn constant(function: &str) -> String {
    name_of(function).trim_start_matches("varvite_").to_uppercase()
}

/// The declaration of a function's method handle, with the line breaks of Java's formatter.
fn handle(function: &str) -> String {
    let name = name_of(function);
    let (result, parameters) = function.split_once(&format!("{name}(")).unwrap();
    let parameters = parameters.trim_end_matches(");").split(',').filter(|parameter| *parameter != "void");
    let layouts: Vec<&str> = parameters.map(layout).collect();
    let arguments = match layout(result) {
        "JAVA_INT" => layouts.iter().fold(format!("\"{name}\""), |all, next| format!("{all}, {next}")),
        result => {
            format!("\"{name}\", FunctionDescriptor.of({})", [&[result], &*layouts].concat().join(", "))
        }
    };
    let field = format!("    static final MethodHandle {} =", constant(function));
    let forms = [
        format!("{field} handle({arguments});\n"),
        format!("{field}\n            handle({arguments});\n"),
        format!("{field} handle(\n            {arguments});\n"),
    ];
    let fits = |form: &&String| form.lines().all(|line| line.len() <= WIDTH);
    forms.iter().find(fits).unwrap_or(&forms[2]).clone()
}

/// The Java memory layout of a C parameter or result.
fn layout(declared: &str) -> &'static str {
    match declared.split(' ').next() {
        _ if declared.contains('*') => "ADDRESS",
        Some("int32_t" | "uint32_t") => "JAVA_INT",
        Some("int64_t" | "uint64_t" | "size_t") => "JAVA_LONG",
        _ => panic!("Call imports no layout for {declared}"),
    }
}

#[test]
fn a_handle_has_the_layouts_of_result_and_parameters() {
    let next = "int32_t varvite_walk_next(const varvite_walk*walk,uint64_t capacity,varvite_error*error);";
    let expected = "    static final MethodHandle WALK_NEXT = handle(\"varvite_walk_next\", ADDRESS, JAVA_LONG, ADDRESS);\n";
    assert_eq!(handle(next), expected);
    let name = "const char*varvite_error_name(int32_t code);";
    let expected = "    static final MethodHandle ERROR_NAME = \
                    handle(\"varvite_error_name\", FunctionDescriptor.of(ADDRESS, JAVA_INT));\n";
    assert_eq!(handle(name), expected);
    assert!(handle("uint64_t varvite_live_handles(void);").contains("FunctionDescriptor.of(JAVA_LONG)"));
}
