//! Converts pointers from C to checked Rust types. No other module does so.
//!
//! Rust code can't construct a wrapper of this module: wrappers only come from C, as arguments of calls.
//! `varvite.h` requires of the caller that a non-null pointer points to an object of its type for as long as
//! the call runs, and that the memory for results overlaps nothing else. Null, alignment, lengths and UTF-8
//! are checked before the body of a call begins. The body gets either a reference that is valid during the
//! call, or memory that may be uninitialised.

use std::ffi::{CStr, OsStr, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::path::Path;
use std::slice;

use crate::argument::Argument;
use crate::c_type::{CType, Char, join};
use crate::failure::Failure;
use crate::handle::Counted;

/// A type for which every bit pattern is a valid value, so that memory from C may be read as this type.
///
/// # Safety
/// Every bit pattern must be valid, and there must be no padding. `c_struct!` checks this for its structs.
pub(crate) unsafe trait Plain: Copy + 'static {}

macro_rules! plain {
    ($($type:ty),+) => {
        // SAFETY: every bit pattern is a valid integer, float or raw pointer.
        $(unsafe impl Plain for $type {})+
    };
}

plain!(u8, u32, i32, u64, i64, f64, usize, Char, Byte, FieldTexts);
// SAFETY: an array has no padding of its own.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

// SAFETY: a handle is a number, which no code dereferences.
unsafe impl<K: 'static> Plain for Counted<K> {}

/// Defines a struct of the header: its fields in order, without padding.
macro_rules! c_struct {
    ($(#[$doc:meta])* $name:ident = $c:literal { $($(#[$field_doc:meta])* $field:ident: $type:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(crate) $field: $type,)+
        }

        const _: () = {
            const fn is_plain<T: $crate::pointer::Plain>() {}
            $(is_plain::<$type>();)+
            let fields = 0 $(+ size_of::<$type>())+;
            assert!(fields == size_of::<$name>(), "padding: reorder the fields or name the gap");
        };
        // SAFETY: the compiler checks above that all fields are plain and nothing lies between them.
        #[allow(unsafe_code)]
        unsafe impl $crate::pointer::Plain for $name {}

        impl $crate::c_type::CType for $name {
            fn declare(name: &str) -> String {
                $crate::c_type::join($c, name)
            }
        }

        // Tests that the headers declare the struct. The test is named after the struct, to be unique.
        #[cfg(test)]
        #[test]
        #[allow(non_snake_case)]
        fn $name() {
            let fields = [$(<$type as $crate::c_type::CType>::declare(stringify!($field))),+];
            $crate::header::has_declared(&format!("typedef struct {0} {{ {1}; }} {0};", $c, fields.join("; ")));
        }
    };
}
pub(crate) use c_struct;

/// A byte that a `void *` points to.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Byte(pub(crate) u8);

impl CType for Byte {
    fn declare(name: &str) -> String {
        join("void", name)
    }
}

/// An address that the caller may read from while the header allows. Rust code never dereferences it.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct OutAddress<T>(*const T);

impl<T> Clone for OutAddress<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for OutAddress<T> {}

// SAFETY: every bit pattern is a valid raw pointer; no code dereferences this one.
unsafe impl<T: 'static> Plain for OutAddress<T> {}

impl<T> OutAddress<T> {
    pub(crate) const NULL: Self = Self(std::ptr::null());

    pub(crate) fn new(items: &[T]) -> Self {
        Self(items.as_ptr())
    }

    /// The same address with another item type, which must have the same layout.
    pub(crate) fn cast<U>(self) -> OutAddress<U> {
        OutAddress(self.0.cast())
    }
}

impl OutAddress<Char> {
    /// The address of a text that has no zero after it.
    pub(crate) fn letters(text: &str) -> Self {
        Self(text.as_ptr().cast())
    }

    /// The address of a text whose last byte is a zero.
    pub(crate) fn text(bytes: &[u8]) -> Self {
        debug_assert_eq!(bytes.last(), Some(&0));
        Self(bytes.as_ptr().cast())
    }
}

impl OutAddress<c_void> {
    /// The address of bytes.
    pub(crate) fn bytes(bytes: &[u8]) -> Self {
        Self(bytes.as_ptr().cast())
    }
}

impl<T: CType> CType for OutAddress<T> {
    fn declare(name: &str) -> String {
        join(&format!("const {} *", T::declare("")), name)
    }
}

impl CType for OutAddress<c_void> {
    fn declare(name: &str) -> String {
        join("const void *", name)
    }
}

/// A pointer in a struct of the caller: to items whose count is another field, or to text.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct FieldItems<T>(*const T);

impl<T> Clone for FieldItems<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FieldItems<T> {}

// SAFETY: every bit pattern is a valid raw pointer.
unsafe impl<T: 'static> Plain for FieldItems<T> {}

impl<T: Plain> FieldItems<T> {
    pub(crate) const NULL: Self = Self(std::ptr::null());

    /// The `count` items. The call that passed the struct still runs while `self` is borrowed.
    pub(crate) fn slice(&self, name: &'static str, count: u64) -> Result<&[T], Failure> {
        NamedItems(name, Items(self.0, PhantomData)).slice(count)
    }
}

impl<T> FieldItems<T> {
    /// Whether the caller set this field to null.
    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

impl FieldItems<Byte> {
    /// `length` bytes.
    pub(crate) fn bytes(&self, name: &'static str, length: u64) -> Result<&[u8], Failure> {
        NamedItems(name, Items(self.0, PhantomData)).bytes(length)
    }

    /// Text of `length` bytes.
    pub(crate) fn letters(&self, name: &'static str, length: u64) -> Result<&str, Failure> {
        std::str::from_utf8(self.bytes(name, length)?).map_err(|_| Failure::NotUtf8 { argument: name })
    }
}

impl FieldItems<Char> {
    /// Text of `length` bytes.
    pub(crate) fn letters(&self, name: &'static str, length: u64) -> Result<&str, Failure> {
        NamedItems(name, Items(self.0, PhantomData)).text(length)
    }

    /// The text, which has a zero at its end.
    pub(crate) fn text(&self, name: &'static str) -> Result<&str, Failure> {
        Text(self.0, PhantomData).check(name)
    }
}

impl<T: CType> CType for FieldItems<T> {
    fn declare(name: &str) -> String {
        join(&format!("const {} *", T::declare("")), name)
    }
}

/// A pointer in a struct of the caller to texts whose count is another field.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct FieldTexts(*const FieldItems<Char>);

impl FieldTexts {
    pub(crate) const NULL: Self = Self(std::ptr::null());

    /// The `count` texts. The call that passed the struct still runs while `self` is borrowed.
    pub(crate) fn all(&self, name: &'static str, count: u64) -> Result<Vec<&str>, Failure> {
        NamedTexts(name, Items(self.0, PhantomData)).all(count)
    }
}

/// A pointer to a struct that the call reads. Checked type: `T`.
#[repr(transparent)]
pub(crate) struct In<'c, T>(*const T, PhantomData<&'c T>);

/// A pointer to a struct that the call reads, or null. Checked type: `Option<T>`.
#[repr(transparent)]
pub(crate) struct OptionalIn<'c, T>(*const T, PhantomData<&'c T>);

impl<T: Plain> Argument for In<'_, T> {
    type Checked = T;

    fn check(self, name: &'static str) -> Result<T, Failure> {
        Ok(NamedItems(name, Items(self.0, PhantomData)).slice(1)?[0])
    }
}

impl<T: Plain> Argument for OptionalIn<'_, T> {
    type Checked = Option<T>;

    fn check(self, name: &'static str) -> Result<Option<T>, Failure> {
        if self.0.is_null() { Ok(None) } else { In(self.0, self.1).check(name).map(Some) }
    }
}

/// A pointer to text with a zero at its end. Checked type: `&str`.
#[repr(transparent)]
pub(crate) struct Text<'c>(*const Char, PhantomData<&'c Char>);

/// A pointer to text with a zero at its end, or null. Checked type: `Option<&str>`.
#[repr(transparent)]
pub(crate) struct OptionalText<'c>(*const Char, PhantomData<&'c Char>);

/// A pointer to texts with a zero at the end of each; their count is another argument.
#[repr(transparent)]
pub(crate) struct Texts<'c>(*const FieldItems<Char>, PhantomData<&'c Char>);

/// A pointer to the path of a file, with a zero at its end. Checked type: `&Path`.
#[repr(transparent)]
pub(crate) struct PathText<'c>(*const Char, PhantomData<&'c Char>);

/// A pointer to the path of a file, or null. Checked type: `Option<&Path>`.
#[repr(transparent)]
pub(crate) struct OptionalPathText<'c>(*const Char, PhantomData<&'c Char>);

/// A pointer to a struct of options, or null for the defaults. Checked type: `T`.
#[repr(transparent)]
pub(crate) struct Options<'c, T>(*const T, PhantomData<&'c T>);

/// A pointer to items that the call reads; their count is another argument.
#[repr(transparent)]
pub(crate) struct Items<'c, T>(*const T, PhantomData<&'c [T]>);

/// A pointer to memory for one result.
#[repr(transparent)]
pub(crate) struct Out<'c, T>(*mut T, PhantomData<&'c mut T>);

/// A pointer to memory for items; its capacity is another argument.
#[repr(transparent)]
pub(crate) struct OutItems<'c, T>(*mut T, PhantomData<&'c mut [T]>);

/// A pointer to memory for structs that may grow in later versions. The struct's `sizeof`, as the caller
/// compiled it, and the number of structs are other arguments.
#[repr(transparent)]
pub(crate) struct OutStructs<'c, T>(*mut T, PhantomData<&'c mut [T]>);

/// A pointer to bytes that the caller keeps valid after the call; their length is another argument.
#[repr(transparent)]
pub(crate) struct KeptBytes(*const Byte);

/// A pointer to memory for items, or null.
#[repr(transparent)]
pub(crate) struct OptionalOutItems<'c, T>(*mut T, PhantomData<&'c mut [T]>);

/// A pointer to a struct that the call fills in and whose first field is its size, or null.
#[repr(transparent)]
pub(crate) struct SizedOut<'c, T>(*mut T, PhantomData<&'c mut T>);

/// A pointer to texts, with the argument's name for error messages.
pub(crate) struct NamedTexts<'c>(&'static str, Items<'c, FieldItems<Char>>);

/// A pointer to items to read, with the argument's name for error messages.
pub(crate) struct NamedItems<'c, T>(&'static str, Items<'c, T>);

/// A pointer to memory for items, with the argument's name for error messages.
pub(crate) struct NamedOutItems<'c, T>(&'static str, OutItems<'c, T>);

/// A pointer to memory for structs, with the argument's name for error messages.
pub(crate) struct NamedOutStructs<'c, T>(&'static str, OutStructs<'c, T>);

/// Memory for structs of the caller's `sizeof`: each gets the fields that both versions have, then zeros.
pub(crate) struct StructRoom<'c, T> {
    bytes: &'c mut [MaybeUninit<u8>],
    size: usize,
    _items: PhantomData<T>,
}

/// A pointer to bytes that outlive the call, with the argument's name for error messages.
pub(crate) struct NamedKeptBytes(&'static str, KeptBytes);

/// A pointer to memory for items, or null, with the argument's name for error messages.
pub(crate) struct OptionalNamedOutItems<'c, T>(NamedOutItems<'c, T>);

/// A struct of options whose first field is its `sizeof` as the caller compiled it.
pub(crate) trait SizedFirst: Plain + Default {}

impl<'c> Text<'c> {
    fn c_str(self, name: &'static str) -> Result<&'c CStr, Failure> {
        if self.0.is_null() {
            return Err(Failure::Null { argument: name });
        }
        // SAFETY: not null, so it points to text with a zero at its end, which is valid during the call, 'c.
        Ok(unsafe { CStr::from_ptr(self.0.cast()) })
    }
}

impl<'c> Argument for Text<'c> {
    type Checked = &'c str;

    fn check(self, name: &'static str) -> Result<&'c str, Failure> {
        self.c_str(name)?.to_str().map_err(|_| Failure::NotUtf8 { argument: name })
    }
}

impl<'c> Argument for PathText<'c> {
    type Checked = &'c Path;

    fn check(self, name: &'static str) -> Result<&'c Path, Failure> {
        let text = Text(self.0, PhantomData).c_str(name)?;
        path_of(text).ok_or(Failure::NotUtf8 { argument: name })
    }
}

impl<'c> Argument for OptionalText<'c> {
    type Checked = Option<&'c str>;

    fn check(self, name: &'static str) -> Result<Option<&'c str>, Failure> {
        if self.0.is_null() { Ok(None) } else { Text(self.0, PhantomData).check(name).map(Some) }
    }
}

impl<'c> Argument for OptionalPathText<'c> {
    type Checked = Option<&'c Path>;

    fn check(self, name: &'static str) -> Result<Option<&'c Path>, Failure> {
        if self.0.is_null() { Ok(None) } else { PathText(self.0, PhantomData).check(name).map(Some) }
    }
}

impl<'c> Argument for Texts<'c> {
    type Checked = NamedTexts<'c>;

    fn check(self, name: &'static str) -> Result<NamedTexts<'c>, Failure> {
        Ok(NamedTexts(name, Items(self.0, PhantomData)))
    }
}

impl<'c> NamedTexts<'c> {
    /// The texts, `count` of them.
    pub(crate) fn all(self, count: u64) -> Result<Vec<&'c str>, Failure> {
        let Self(name, items) = self;
        NamedItems(name, items).slice(count)?.iter().map(|text| text.text(name)).collect()
    }
}

/// Converts text to a path. On Unix a path may be any bytes.
#[cfg(unix)]
fn path_of(text: &CStr) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Some(Path::new(OsStr::from_bytes(text.to_bytes())))
}

#[cfg(not(unix))]
fn path_of(text: &CStr) -> Option<&Path> {
    text.to_str().ok().map(|text| Path::new(OsStr::new(text)))
}

impl<T: SizedFirst> Argument for Options<'_, T> {
    type Checked = T;

    fn check(self, name: &'static str) -> Result<T, Failure> {
        let mut options = T::default();
        if self.0.is_null() {
            return Ok(options);
        }
        // SAFETY: not null, so the first field exists, which is the size; an unaligned read needs no more.
        let size = unsafe { self.0.cast::<u32>().read_unaligned() } as usize;
        if size < size_of::<u32>() || size > size_of::<T>() {
            return Err(Failure::StructSize { argument: name, expected: size_of::<T>(), found: size });
        }
        // SAFETY: the caller promises `size` bytes; that is no more than `T` has, and `T` is plain, so any
        // bytes are valid. A caller with an older header has fewer fields; the others keep their defaults.
        unsafe {
            let bytes = (&raw mut options).cast::<u8>();
            std::ptr::copy_nonoverlapping(self.0.cast::<u8>(), bytes, size);
        }
        Ok(options)
    }
}

impl<'c, T: Plain> SizedOut<'c, T> {
    /// A null pointer.
    pub(crate) fn null() -> Self {
        Self(std::ptr::null_mut(), PhantomData)
    }

    /// The bytes of the struct after its first field, up to the smaller of the caller's and the library's
    /// size. Fails if the caller's size is below `least`; `None` for null.
    pub(crate) fn bytes(
        self,
        name: &'static str,
        least: usize,
    ) -> Result<Option<&'c mut [MaybeUninit<u8>]>, Failure> {
        if self.0.is_null() {
            return Ok(None);
        }
        // SAFETY: not null, so the first field exists, which is the size; an unaligned read needs no more.
        let size = unsafe { self.0.cast::<u32>().read_unaligned() } as usize;
        if size < least {
            return Err(Failure::StructSize { argument: name, expected: size_of::<T>(), found: size });
        }
        let known = size.min(size_of::<T>());
        let first = size_of::<u32>();
        // SAFETY: the caller promises that `size` bytes are there, `known` is no more than that and at least
        // `least`, which is more than the first field; nothing else reads or writes them during the call, and
        // they may hold anything.
        Ok(Some(unsafe {
            slice::from_raw_parts_mut(
                self.0.cast::<MaybeUninit<u8>>().add(first),
                known.saturating_sub(first),
            )
        }))
    }
}

impl<'c, T: Plain> Argument for Items<'c, T> {
    type Checked = NamedItems<'c, T>;

    fn check(self, name: &'static str) -> Result<NamedItems<'c, T>, Failure> {
        Ok(NamedItems(name, self))
    }
}

impl<'c, T: Plain> NamedItems<'c, T> {
    /// The items, `count` of them.
    pub(crate) fn slice(self, count: u64) -> Result<&'c [T], Failure> {
        let Self(name, Items(start, _)) = self;
        let count = checked_count(start, count, name)?;
        if count == 0 {
            return Ok(&[]);
        }
        // SAFETY: not null, aligned, and `count` items are no more than an address space holds:
        // `checked_count` has checked these. The caller promises that the items exist and do not change
        // during the call. `T` is plain.
        Ok(unsafe { slice::from_raw_parts(start, count) })
    }
}

impl<'c> NamedItems<'c, Byte> {
    /// `length` bytes.
    pub(crate) fn bytes(self, length: u64) -> Result<&'c [u8], Failure> {
        let Self(argument, Items(start, _)) = self;
        NamedItems(argument, Items(start.cast::<u8>(), PhantomData)).slice(length)
    }
}

impl<'c> NamedItems<'c, Char> {
    /// Text of `length` bytes.
    pub(crate) fn text(self, length: u64) -> Result<&'c str, Failure> {
        let Self(argument, Items(start, _)) = self;
        let bytes = NamedItems(argument, Items(start.cast::<u8>(), PhantomData)).slice(length)?;
        std::str::from_utf8(bytes).map_err(|_| Failure::NotUtf8 { argument })
    }
}

impl<'c, T: Copy + 'static> Argument for Out<'c, T> {
    type Checked = &'c mut MaybeUninit<T>;

    fn check(self, name: &'static str) -> Result<&'c mut MaybeUninit<T>, Failure> {
        checked_count(self.0, 1, name)?;
        // SAFETY: not null and aligned, so it points to memory for a `T` that nothing else reads or writes
        // during the call. As `MaybeUninit` it may hold anything.
        Ok(unsafe { &mut *self.0.cast::<MaybeUninit<T>>() })
    }
}

impl<'c, T: Plain> Argument for OutItems<'c, T> {
    type Checked = NamedOutItems<'c, T>;

    fn check(self, name: &'static str) -> Result<NamedOutItems<'c, T>, Failure> {
        Ok(NamedOutItems(name, self))
    }
}

impl<'c, T: Plain> NamedOutItems<'c, T> {
    /// The name of the argument.
    pub(crate) fn name(&self) -> &'static str {
        self.0
    }

    /// The memory for `count` items.
    pub(crate) fn slice(self, count: u64) -> Result<&'c mut [MaybeUninit<T>], Failure> {
        let Self(name, OutItems(start, _)) = self;
        let count = checked_count(start, count, name)?;
        if count == 0 {
            return Ok(&mut []);
        }
        // SAFETY: as in `NamedItems::slice`; nothing else reads or writes the memory during the call, and as
        // `MaybeUninit` it may hold anything.
        Ok(unsafe { slice::from_raw_parts_mut(start.cast::<MaybeUninit<T>>(), count) })
    }
}

impl NamedOutItems<'_, Byte> {
    /// The address of the memory, for calls that return the address of a result.
    pub(crate) fn address(&self) -> OutAddress<c_void> {
        OutAddress(self.1.0.cast::<c_void>())
    }
}

/// An upper bound of struct sizes. Every struct of the header is smaller, so a larger size is no `sizeof`.
const STRUCT_SIZE_MAX: u64 = 1 << 16;

impl<'c, T: Plain> Argument for OutStructs<'c, T> {
    type Checked = NamedOutStructs<'c, T>;

    fn check(self, name: &'static str) -> Result<NamedOutStructs<'c, T>, Failure> {
        Ok(NamedOutStructs(name, self))
    }
}

impl<'c, T: Plain> NamedOutStructs<'c, T> {
    /// The name of the argument.
    pub(crate) fn name(&self) -> &'static str {
        self.0
    }

    /// The memory for `count` structs of `size` bytes.
    pub(crate) fn room(self, size: u64, count: u64) -> Result<StructRoom<'c, T>, Failure> {
        let Self(argument, OutStructs(start, _)) = self;
        if size == 0 || size > STRUCT_SIZE_MAX {
            return Err(Failure::StructRoom { argument, size });
        }
        checked_count(start, count.min(1), argument)?;
        let length = count.checked_mul(size).ok_or(Failure::TooMany { argument, count })?;
        let length = checked_count(start.cast::<u8>(), length, argument)?;
        let size = size as usize;
        if length == 0 {
            return Ok(StructRoom { bytes: &mut [], size, _items: PhantomData });
        }
        // SAFETY: not null, and `length` bytes are no more than an address space holds, which `checked_count`
        // has checked; the caller promises that these bytes exist and that nothing else reads or writes them
        // during the call.
        let bytes = unsafe { slice::from_raw_parts_mut(start.cast::<MaybeUninit<u8>>(), length) };
        Ok(StructRoom { bytes, size, _items: PhantomData })
    }
}

impl<T: Plain> StructRoom<'_, T> {
    /// Writes `items` until the memory is full or the items end.
    pub(crate) fn fill(self, items: impl Iterator<Item = T>) {
        for (place, item) in self.bytes.chunks_exact_mut(self.size).zip(items) {
            let known = self.size.min(size_of::<T>());
            place[known..].fill(MaybeUninit::new(0));
            // SAFETY: `known` is at most the size of `item` and of `place`. `item` is plain, so all of its
            // bytes are initialised, and the copied bytes are a valid value.
            unsafe {
                let bytes = (&raw const item).cast::<MaybeUninit<u8>>();
                std::ptr::copy_nonoverlapping(bytes, place.as_mut_ptr(), known);
            }
        }
    }

    /// Writes one struct.
    pub(crate) fn write(self, item: T) {
        self.fill(std::iter::once(item));
    }
}

impl Argument for KeptBytes {
    type Checked = NamedKeptBytes;

    fn check(self, name: &'static str) -> Result<NamedKeptBytes, Failure> {
        Ok(NamedKeptBytes(name, self))
    }
}

impl NamedKeptBytes {
    /// The `length` bytes at the pointer.
    pub(crate) fn bytes(self, length: u64) -> Result<&'static [u8], Failure> {
        let Self(name, KeptBytes(start)) = self;
        let length = checked_count(start.cast::<u8>(), length, name)?;
        if length == 0 {
            return Ok(&[]);
        }
        // SAFETY: not null, and no more than an address space holds. The header requires that the caller
        // keeps the bytes in place while it uses the graph opened from them; no other code here reads them.
        Ok(unsafe { slice::from_raw_parts(start.cast::<u8>(), length) })
    }
}

impl<'c, T: Plain> Argument for OptionalOutItems<'c, T> {
    type Checked = OptionalNamedOutItems<'c, T>;

    fn check(self, name: &'static str) -> Result<OptionalNamedOutItems<'c, T>, Failure> {
        Ok(OptionalNamedOutItems(NamedOutItems(name, OutItems(self.0, PhantomData))))
    }
}

impl<'c, T: Plain> OptionalNamedOutItems<'c, T> {
    /// The memory for `count` items; `None` if the caller passed null.
    pub(crate) fn slice(self, count: u64) -> Result<Option<&'c mut [MaybeUninit<T>]>, Failure> {
        let NamedOutItems(_, OutItems(start, _)) = &self.0;
        if start.is_null() { Ok(None) } else { self.0.slice(count).map(Some) }
    }
}

/// Checks that `count` items at `start` may form a slice, and returns the count. Fails for null, for an
/// unaligned pointer, and for more items than an address space holds.
fn checked_count<T>(start: *const T, count: u64, name: &'static str) -> Result<usize, Failure> {
    if count == 0 {
        return Ok(0);
    }
    if start.is_null() {
        return Err(Failure::Null { argument: name });
    }
    if !start.is_aligned() {
        return Err(Failure::Unaligned { argument: name, alignment: align_of::<T>() });
    }
    let limit = isize::MAX as usize / size_of::<T>().max(1);
    let fits = usize::try_from(count).ok().filter(|count| *count <= limit);
    fits.ok_or(Failure::TooMany { argument: name, count })
}

/// Implements [`CType`] for the pointer wrappers.
macro_rules! c_pointers {
    ($($wrapper:ident => $pattern:literal),+) => {
        $(impl<T: CType> CType for $wrapper<'_, T> {
            fn declare(name: &str) -> String {
                join(&format!($pattern, T::declare("")), name)
            }
        })+
    };
}

c_pointers! {
    In => "const {} *",
    OptionalIn => "const {} *",
    Options => "const {} *",
    Items => "const {} *",
    Out => "{} *",
    OutItems => "{} *",
    OutStructs => "{} *",
    OptionalOutItems => "{} *",
    SizedOut => "{} *"
}

macro_rules! c_texts {
    ($($wrapper:ident $(<$lifetime:lifetime>)? => $c:literal),+) => {
        $(impl CType for $wrapper $(<$lifetime>)? {
            fn declare(name: &str) -> String {
                join($c, name)
            }
        })+
    };
}

c_texts! {
    Text<'_> => "const char *",
    OptionalText<'_> => "const char *",
    PathText<'_> => "const char *",
    OptionalPathText<'_> => "const char *",
    Texts<'_> => "const char *const *",
    FieldTexts => "const char *const *",
    KeptBytes => "const void *"
}
