//! Names of symbols as people write them: without what linkers and compilers add.

use std::borrow::Cow;

use addr2line::demangle_auto;

/// A function's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SymbolName {
    /// The last part: what stands in front of the parameters.
    pub(super) name: String,
    /// All parts, joined by dots as in FULL_NAME.
    pub(super) qualified: String,
}

impl SymbolName {
    /// The name of a symbol, or of a function in debug information, mangled or not.
    pub(super) fn of(symbol: &str) -> Self {
        let symbol = without_suffix(symbol);
        let demangled = demangle_auto(Cow::Borrowed(symbol), None);
        let parts = parts(&demangled);
        Self { name: parts.last().copied().unwrap_or_default().to_owned(), qualified: parts.join(".") }
    }
}

/// Without the version that a linker adds (`memcpy@@GLIBC_2.14`), and what a compiler adds to a function that it took apart
/// (`deflate.part.0`, `deflate.cold`).
fn without_suffix(symbol: &str) -> &str {
    let name = symbol.split('@').next().unwrap_or_default();
    match name.find('.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// `ns::Class<int>::method(int) const` is `ns`, `Class`, `method`: parts without the arguments of templates and functions.
fn parts(demangled: &str) -> Vec<&str> {
    let (mut parts, mut from, mut end, mut depth) = (Vec::new(), 0, None, 0u32);
    let bytes = demangled.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_operator = depth == 0 && demangled[from..].starts_with("operator");
        match bytes[at] {
            b'<' if !is_operator => {
                end.get_or_insert(at);
                depth += 1;
            }
            b'>' if !is_operator => depth = depth.saturating_sub(1),
            // `(anonymous namespace)::f` opens a part with it.
            b'(' if depth == 0 && at > from && !bytes[at..].starts_with(b"()(") => break,
            b':' if depth == 0 && bytes[at..].starts_with(b"::") => {
                parts.push(&demangled[from..end.take().unwrap_or(at)]);
                at += 1;
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&demangled[from..end.unwrap_or(at)]);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(symbol: &str, qualified: &str) {
        let name = SymbolName::of(symbol);
        assert_eq!(name.qualified, qualified);
        assert!(name.qualified.ends_with(&name.name));
    }

    #[test]
    fn names_lose_what_compilers_and_linkers_add() {
        check("deflate", "deflate");
        check("deflate.part.0", "deflate");
        check("deflate.constprop.0.isra.0", "deflate");
        check("memcpy@@GLIBC_2.14", "memcpy");
        check("_start", "_start");
        check(".hidden", ".hidden");
        check("", "");
    }

    #[test]
    fn mangled_names_become_the_parts_that_people_wrote() {
        check("_ZN2ns5Class6methodEi", "ns.Class.method");
        check("_ZN2ns3BoxIiE3getEv", "ns.Box.get");
        check("_ZN12_GLOBAL__N_15helloEv", "(anonymous namespace).hello");
        check("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core.fmt.Formatter.pad");
        assert_eq!(SymbolName::of("_ZN2ns5ClassclEi").name, "operator()");
        assert_eq!(SymbolName::of("_ZN2ns5ClasslsEi").name, "operator<<");
    }

    #[test]
    fn whatever_a_symbol_is_it_has_a_name() {
        for symbol in
            ["<", ">", "::", "a::", "::a", "(", "()(", "a<b", "a<b>::", "_Z", "_ZN", "é::ü(", "operator"]
        {
            SymbolName::of(symbol);
        }
    }
}
