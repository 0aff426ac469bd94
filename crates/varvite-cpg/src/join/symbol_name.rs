//! Turns symbol names into the names that the source has, without the additions of linkers and compilers.

use std::borrow::Cow;
use std::fmt::{self, Write};

use cpp_demangle::{DemangleOptions, Symbol};

/// A function's name, split into parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SymbolName {
    /// The last part of the name, before the parameters.
    pub(super) name: String,
    /// All parts of the name, joined by dots as in FULL_NAME.
    pub(super) qualified: String,
}

impl SymbolName {
    /// Splits the name of a symbol, or of a function in debug information. The name may be mangled.
    pub(super) fn of(symbol: &str) -> Self {
        let symbol = without_suffix(symbol);
        let demangled = demangled(symbol);
        let parts = match parts(&demangled).as_slice() {
            _ if demangled.contains(".(*") => dotted(&demangled),
            [only] => dotted(only),
            several => several.to_vec(),
        };
        Self { name: parts.last().copied().unwrap_or_default().to_owned(), qualified: parts.join(".") }
    }
}

/// The length in bytes of the longest name that is demangled, and of the longest result. The result is
/// limited because back references in a short mangled name can expand to a gigabyte.
const DEMANGLED_MAX: usize = 16 << 10;

/// The demangled name. The name is returned unchanged if it is not mangled, or is too long.
fn demangled(symbol: &str) -> Cow<'_, str> {
    if symbol.len() > DEMANGLED_MAX {
        return Cow::Borrowed(symbol);
    }
    rust_name(symbol).or_else(|| of_cpp(symbol)).map_or(Cow::Borrowed(symbol), Cow::Owned)
}

/// The path that a Rust function has in the source, without the hash that the compiler adds. The name may be
/// mangled, or demangled except for the hash (`churn::send::h8b8b85022362c8f1`). `None` if this is no such
/// name, or if the result would be longer than 16 KiB.
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
    // A name must have one of these prefixes. Otherwise short names would be demangled as types: `f` is the
    // code of `float`.
    if !["_Z", "__Z", "___Z"].iter().any(|prefix| symbol.starts_with(prefix)) {
        return None;
    }
    let name = Symbol::new(symbol.as_bytes()).ok()?;
    let mut text = Bounded::default();
    name.structured_demangle(&mut text, &DemangleOptions::default()).ok()?;
    Some(text.0)
}

/// A text with a maximum length. Writing more fails.
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

/// Removes the version that a linker adds (`memcpy@@GLIBC_2.14`), and the suffixes that a compiler adds if it
/// splits or copies a function (`deflate.part.0`, `deflate.cold`, `f(int) [clone .isra.0]`). Other dots are
/// kept, since some languages join the parts of names with dots: `main.work` in Go is not `main`.
fn without_suffix(symbol: &str) -> &str {
    let name = symbol.find('@').filter(|at| *at > 0).map_or(symbol, |at| &symbol[..at]);
    let name = name.split_once(" [clone ").map_or(name, |(name, _)| name);
    let mut name = name;
    while let Some(shorter) = without_addition(name) {
        name = shorter;
    }
    name
}

/// Words that compilers append to a name after a dot, followed by the number or the hash of a clone.
const NUMBERED: [&str; 8] = ["isra", "part", "constprop", "lto_priv", "llvm", "clone", "cold", "default"];
/// Words that compilers append to a name after a dot, without a number.
const ALONE: [&str; 5] = ["cold", "localalias", "plt", "resolver", "ifunc"];

/// The name without the last suffix that a compiler added. `None` if there is no such suffix.
fn without_addition(name: &str) -> Option<&str> {
    let split = |name: &str| name.rfind('.').filter(|dot| *dot > 0);
    let dot = split(name)?;
    let (before, added) = (&name[..dot], &name[dot + 1..]);
    if added.is_empty() || !added.bytes().all(|byte| byte.is_ascii_digit()) {
        return (ALONE.contains(&added) || is_processor(added)).then_some(before);
    }
    let Some(dot) = split(before) else { return Some(before) };
    let kind = &before[dot + 1..];
    (NUMBERED.contains(&kind) || is_processor(kind)).then_some(&before[..dot])
}

/// Whether a suffix names the kind of processor for which a clone was compiled.
fn is_processor(kind: &str) -> bool {
    let level = kind.strip_prefix("avx").or_else(|| kind.strip_prefix("sse"));
    let is_level = |level: &str| level.is_empty() || level.starts_with(|c: char| c.is_ascii_digit());
    kind.starts_with("arch_x86") || level.is_some_and(is_level)
}

/// Prefixes that a C library adds to the names of its functions. With such prefixes and suffixes, glibc marks
/// variants of a function, such as those for one processor or those with checks: `__GI___libc_malloc`,
/// `_IO_puts`, `__isoc99_sscanf`, `__memcpy_avx_unaligned_erms`, `__printf_chk`.
const LIBRARY_PREFIXES: [&str; 9] =
    ["__GI_", "__libc_", "_IO_new_", "_IO_", "__isoc99_", "__isoc23_", "__new_", "__interceptor_", "__"];
const LIBRARY_SUFFIXES: [&str; 7] = ["_avx", "_sse", "_ssse", "_evex", "_erms", "_chk", "_internal"];

/// The maximum number of names for one symbol. The limit keeps the work proportional to the symbol's length.
const CALLED_NAMES_MAX: usize = 8;

/// The names by which code may call the function with this symbol, or with this name in debug information.
/// The first is the last part of the demangled name. The others are this name without additions of a C
/// library.
///
/// A program may define a function with the name of a library function. So the names after the first do not
/// identify a function by themselves; they only help to find a call at a known location.
pub fn called_names(symbol: &str) -> Vec<String> {
    let mut names = vec![SymbolName::of(symbol).name];
    while names.len() < CALLED_NAMES_MAX
        && let Some(shorter) = without_library_part(&names[names.len() - 1]).map(str::to_owned)
    {
        names.push(shorter);
    }
    names
}

/// The name without one addition of a C library. `None` if there is no addition. The result is shorter than
/// `name`.
fn without_library_part(name: &str) -> Option<&str> {
    let shorter = LIBRARY_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
    let is_library = name.starts_with("__");
    let cut = |suffix: &&str| name.find(suffix).filter(|at| is_library && *at > 2).map(|at| &name[..at]);
    LIBRARY_SUFFIXES.iter().find_map(cut).or(shorter).filter(|name| !name.is_empty())
}

/// Splits a C++ or Rust name into parts, leaving out the arguments of templates and functions:
/// `ns::Class<int>::method(int) const` becomes `ns`, `Class`, `method`.
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
            // In `(anonymous namespace)::f`, the parenthesis begins a part of the name.
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

/// Splits a name whose parts are joined by dots, as in Go and in languages of the JVM:
/// `x.org/a.b/pkg.(*T).Send` becomes `pkg`, `T`, `Send`. Only the text after the last slash is split, since a
/// path may have dots. Type arguments are removed.
fn dotted<'n>(name: &'n str) -> Vec<&'n str> {
    if name.starts_with(['.', '<', '(']) {
        return vec![name];
    }
    let behind = name.split('[').next().and_then(|plain| plain.rfind('/')).map_or(0, |slash| slash + 1);
    let mut depth = 0u32;
    let parts = name[behind..].split(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '.' && depth == 0
    });
    let plain = |part: &'n str| part.split('[').next().unwrap_or(part);
    let parts = parts.map(|part| plain(part).trim_start_matches("(*").trim_end_matches(')'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { vec![name] } else { parts }
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
        check("deflate.cold.12", "deflate");
        check("deflate.lto_priv.0.part.1", "deflate");
        check("step.llvm.12345678901234567890", "step");
        check("sum.arch_x86_64_v3", "sum");
        check("sum.avx2.0", "sum");
        check("ns::f(int) [clone .isra.0]", "ns.f");
        check("f [clone .constprop.0]", "f");
        check("f", "f");
        check("i", "i");
        check("_start", "_start");
        check(".hidden", ".hidden");
        check("", "");
    }

    #[test]
    fn parts_that_dots_join_are_parts_and_no_suffix() {
        check("main.work", "main.work");
        check("main.(*Server).Handle", "main.Server.Handle");
        check("example.org/a.b/pkg.Send", "pkg.Send");
        check("pkg.Map[go.shape.int]", "pkg.Map");
        check("pkg.(*Set[go.shape.int]).Add", "pkg.Set.Add");
        check("com.example.Box.clone", "com.example.Box.clone");
        check("com.example.Box.ssend", "com.example.Box.ssend");
        check("main.main.func1.2", "main.main.func1.2");
        check("com.example.Box.get", "com.example.Box.get");
        assert_eq!(SymbolName::of("main.work").name, "work");
        assert_eq!(SymbolName::of("main.main.func1").name, "func1");
    }

    #[test]
    fn functions_of_a_library_are_called_by_their_public_names() {
        for (symbol, name) in [
            ("__GI___libc_malloc", "malloc"),
            ("__libc_calloc", "calloc"),
            ("_IO_puts", "puts"),
            ("_IO_new_fclose", "fclose"),
            ("__isoc99_sscanf@GLIBC_2.7", "sscanf"),
            ("memcpy@@GLIBC_2.14", "memcpy"),
            ("__memcpy_avx_unaligned_erms", "memcpy"),
            ("__strlen_avx2", "strlen"),
            ("__GI___printf_chk", "printf"),
            ("__interceptor_malloc", "malloc"),
            ("deflate.isra.0.cold", "deflate"),
            ("_ZN2ns5Class6methodEi", "method"),
            ("std::vector<int>::push_back(int const&)", "push_back"),
            ("churn::send::h8b8b85022362c8f1", "send"),
            ("<T as U>::send::h8b8b85022362c8f1", "send"),
            ("main.(*Server).Handle", "Handle"),
        ] {
            let names = called_names(symbol);
            assert!(names.iter().any(|found| found == name), "{symbol}: {names:?}");
        }
        // These are names of functions of a program; they only look like those of a library.
        assert_eq!(called_names("sum_avx"), ["sum_avx"]);
        assert_eq!(called_names("my__GI_malloc"), ["my__GI_malloc"]);
        assert_eq!(called_names("main.work"), ["work"]);
        assert_eq!(called_names("__"), ["__"]);
        assert_eq!(called_names(&"_".repeat(100_000)).len(), CALLED_NAMES_MAX);
        assert_eq!(called_names(""), [""]);
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

    /// A mangled name in which each parameter is a template that has the preceding parameter as an argument
    /// twice.
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
