//! Names of symbols as people write them: without what linkers and compilers add.

use std::borrow::Cow;
use std::fmt::{self, Write};

use cpp_demangle::{DemangleOptions, Symbol};

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
        let demangled = demangled(symbol);
        let parts = parts(&demangled);
        Self { name: parts.last().copied().unwrap_or_default().to_owned(), qualified: parts.join(".") }
    }
}

/// Longest name that is demangled, and longest result: a few bytes can refer to one another so often that
/// they stand for a gigabyte.
const DEMANGLED_MAX: usize = 16 << 10;

/// The name as in the source, or unchanged if it is not mangled, or too long.
fn demangled(symbol: &str) -> Cow<'_, str> {
    if symbol.len() > DEMANGLED_MAX {
        return Cow::Borrowed(symbol);
    }
    rust_name(symbol).or_else(|| of_cpp(symbol)).map_or(Cow::Borrowed(symbol), Cow::Owned)
}

/// The path of a function as people wrote it, without the hash that the compiler adds: of a mangled name, or
/// of one that only has the hash left (`churn::send::h8b8b85022362c8f1`). None for other names, and for those
/// that would become longer than 16 KiB.
pub fn rust_name(symbol: &str) -> Option<String> {
    if let Some((path, hash)) = symbol.rsplit_once("::h") {
        let is_hash = hash.len() == 16 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        return is_hash.then(|| path.to_owned());
    }
    if symbol.len() > DEMANGLED_MAX {
        return None;
    }
    let name = rustc_demangle::try_demangle(symbol).ok()?;
    let mut text = Bounded::default();
    write!(text, "{name:#}").ok()?;
    Some(text.0)
}

fn of_cpp(symbol: &str) -> Option<String> {
    let name = Symbol::new(symbol.as_bytes()).ok()?;
    let mut text = Bounded::default();
    name.structured_demangle(&mut text, &DemangleOptions::default()).ok()?;
    Some(text.0)
}

/// A text that refuses to become too long.
#[derive(Default)]
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > DEMANGLED_MAX {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Without the version that a linker adds (`memcpy@@GLIBC_2.14`), and the suffix of a function that a
/// compiler split (`deflate.part.0`, `deflate.cold`).
fn without_suffix(symbol: &str) -> &str {
    let name = symbol.split('@').next().unwrap_or_default();
    match name.find('.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// `ns::Class<int>::method(int) const` is `ns`, `Class`, `method`: parts without the arguments of templates
/// and functions.
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
    fn names_of_rust_lose_their_hash() {
        for (symbol, name) in [
            ("churn::send::h8b8b85022362c8f1", Some("churn::send")),
            ("<T as U>::send::h8b8b85022362c8f1", Some("<T as U>::send")),
            ("_RNvNtCslNYArtu3iFV_5alloc5alloc5alloc", Some("alloc::alloc::alloc")),
            ("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", Some("core::fmt::Formatter::pad")),
            ("ns::h8b8b85022362c8f", None),
            ("ns::help", None),
            ("_ZN2ns5Class6methodEi", None),
            ("main", None),
        ] {
            assert_eq!(rust_name(symbol).as_deref(), name, "{symbol}");
        }
    }

    /// Each parameter is a template of the one before, twice.
    fn doubling(parameters: u32) -> String {
        let parameters = (0..parameters).map(|number| match number {
            0 => "1A".to_owned(),
            1 => "1BIS_S_E".to_owned(),
            _ => format!("S0_IS{0}_S{0}_E", base36(number - 1)),
        });
        format!("_Z1f{}", parameters.collect::<String>())
    }

    fn base36(number: u32) -> String {
        let digit = |digit| char::from_digit(digit, 36).unwrap().to_ascii_uppercase();
        let first = (number >= 36).then(|| digit(number / 36));
        first.into_iter().chain([digit(number % 36)]).collect()
    }

    #[test]
    fn a_name_that_stands_for_a_thousand_times_itself_stays_mangled() {
        assert_eq!(SymbolName::of(&doubling(8)).name, "f");
        for parameters in [16, 20, 40] {
            let bomb = doubling(parameters);
            assert!(bomb.len() < 500);
            assert_eq!(SymbolName::of(&bomb).name, bomb);
        }
    }

    #[test]
    fn a_name_that_is_too_long_stays_mangled() {
        let long = format!("_ZN{}E", "1a".repeat(DEMANGLED_MAX));
        assert_eq!(SymbolName::of(&long).name, long);
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
