//! [`forward_to`](crate::forward_to): a macro for a [`VfsFile`](super::VfsFile) that wraps another one. It
//! defines the methods that only call the wrapped file. The macro is exported for `varvite-testing`, and
//! hidden from the documentation.

/// `forward_to!(inner: len sync)` in an `impl VfsFile` defines methods `len` and `sync` that call those of
/// the field `inner`.
#[doc(hidden)]
#[macro_export]
macro_rules! forward_to {
    ($file:ident:) => {};
    ($file:ident: len $($rest:ident)*) => {
        fn len(&self) -> $crate::Result<u64> {
            self.$file.len()
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: read_exact_at $($rest:ident)*) => {
        fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> $crate::Result<()> {
            self.$file.read_exact_at(offset, buffer)
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: write_all_at $($rest:ident)*) => {
        fn write_all_at(&self, offset: u64, bytes: &[u8]) -> $crate::Result<()> {
            self.$file.write_all_at(offset, bytes)
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: write_pointer_at $($rest:ident)*) => {
        fn write_pointer_at(&self, offset: u64, bytes: &[u8]) -> $crate::Result<()> {
            self.$file.write_pointer_at(offset, bytes)
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: sync $($rest:ident)*) => {
        fn sync(&self) -> $crate::Result<()> {
            self.$file.sync()
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: map $($rest:ident)*) => {
        fn map(&self) -> $crate::Result<Option<$crate::Mapping>> {
            self.$file.map()
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: attributes $($rest:ident)*) => {
        fn attributes(&self) -> $crate::Result<$crate::vfs::Attributes> {
            self.$file.attributes()
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: set_attributes $($rest:ident)*) => {
        fn set_attributes(&self, attributes: &$crate::vfs::Attributes) -> $crate::Result<()> {
            self.$file.set_attributes(attributes)
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: is_at $($rest:ident)*) => {
        fn is_at(&self, path: &std::path::Path) -> $crate::Result<bool> {
            self.$file.is_at(path)
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: name_count $($rest:ident)*) => {
        fn name_count(&self) -> $crate::Result<u64> {
            self.$file.name_count()
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: try_lock $($rest:ident)*) => {
        fn try_lock(&self) -> $crate::Result<()> {
            self.$file.try_lock()
        }
        $crate::forward_to! { $file: $($rest)* }
    };
    ($file:ident: unlock $($rest:ident)*) => {
        fn unlock(&self) {
            self.$file.unlock();
        }
        $crate::forward_to! { $file: $($rest)* }
    };
}
