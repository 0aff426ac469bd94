//! [`Linkage`]: the rule by which a use in one file finds its definition in another one.
//!
//! | languages | rule |
//! |---|---|
//! | C, C++ | the name of a function, which is FULL_NAME; for C++ this includes scope and signature |
//! | Java, Kotlin, bytecode | FULL_NAME and SIGNATURE |
//! | Python | the module and the name: `a/b.py:<module>.f` and `a.b.f` are the same |
//! | others | FULL_NAME and SIGNATURE, within one language |

/// The rule of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Linkage {
    C,
    Jvm,
    Python,
    Other,
}

/// The text that a use and its definition have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LinkKey(String);

impl Linkage {
    /// The rule of a language, by LANGUAGE of META_DATA.
    pub(crate) fn of(language: &str) -> Self {
        match language.to_ascii_uppercase().as_str() {
            "NEWC" | "C" | "CPP" | "C++" => Self::C,
            "JAVA" | "JAVASRC" | "KOTLIN" | "JIMPLE" => Self::Jvm,
            "PYTHON" | "PYTHONSRC" => Self::Python,
            _ => Self::Other,
        }
    }

    /// The key of a name. Names with equal keys link, if one of them is exported and the other one is used.
    pub(crate) fn key(self, language: &str, full_name: &str, signature: &str) -> LinkKey {
        LinkKey(match self {
            Self::C => format!("c\0{full_name}"),
            Self::Jvm => format!("jvm\0{full_name}\0{signature}"),
            Self::Python => format!("python\0{}", python_name(full_name)),
            Self::Other => format!("{language}\0{full_name}\0{signature}"),
        })
    }
}

/// The dotted name of a Python function: `a/b.py:<module>.f` becomes `a.b.f`, and `a/__init__.py:<module>.f`
/// becomes `a.f`.
fn python_name(full_name: &str) -> String {
    let Some((file, rest)) = full_name.split_once(".py:<module>") else { return full_name.to_owned() };
    let module = file.trim_start_matches("./").replace(['/', '\\'], ".");
    let module = module.strip_suffix(".__init__").unwrap_or(&module);
    format!("{module}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_of_python_has_one_name() {
        let names = ["a/b.py:<module>.f", "./a/b.py:<module>.f", "a.b.f", "a/b/__init__.py:<module>.f"];
        assert!(names.iter().all(|name| python_name(name) == "a.b.f"));
        assert_eq!(python_name("a/b.py:<module>.C.f"), "a.b.C.f");
    }

    #[test]
    fn languages_do_not_link_with_each_other() {
        let keys = ["NEWC", "JAVASRC", "PYTHONSRC", "RUBYSRC", "PHP"]
            .map(|language| Linkage::of(language).key(language, "f", ""));
        for (number, key) in keys.iter().enumerate() {
            assert!(keys.iter().skip(number + 1).all(|other| other != key), "{key:?}");
        }
    }

    #[test]
    fn c_links_by_the_name_alone_and_java_by_the_signature_too() {
        let key = |language: &str, signature| Linkage::of(language).key(language, "f", signature);
        assert_eq!(key("NEWC", "int(int)"), key("C", "int()"));
        assert_ne!(key("JAVASRC", "int(int)"), key("JAVASRC", "int()"));
        assert_eq!(key("JAVASRC", "int()"), key("KOTLIN", "int()"));
    }
}
