//! The C spelling of types, for the test that compares `varvite.h` with the functions and structs of this
//! crate.

/// A character of a text in C. `c_char` has a sign on some processors and none on others, where it would be
/// the same type as `uint8_t`; pointers and arrays do not depend on it.
pub(crate) type Char = i8;

/// A type that has a spelling in the C header.
pub(crate) trait CType {
    /// The declaration of `name` with this type, such as `const char *path`.
    fn declare(name: &str) -> String;
}

macro_rules! c_types {
    ($($type:ty => $c:literal),+ $(,)?) => {
        $(impl CType for $type {
            fn declare(name: &str) -> String {
                join($c, name)
            }
        })+
    };
}

c_types! {
    u8 => "uint8_t",
    u32 => "uint32_t",
    i32 => "int32_t",
    u64 => "uint64_t",
    i64 => "int64_t",
    f64 => "double",
    usize => "size_t",
    Char => "char",
}

impl<T: CType, const N: usize> CType for [T; N] {
    fn declare(name: &str) -> String {
        format!("{}[{N}]", T::declare(name))
    }
}

/// The C declaration of `name` with type `c`, or the type alone if `name` is empty.
pub(crate) fn join(c: &str, name: &str) -> String {
    match c.ends_with('*') || name.is_empty() {
        true => format!("{c}{name}"),
        false => format!("{c} {name}"),
    }
}
