//! [`forward_to`]: the methods in which a [`VfsFile`](super::VfsFile) around another one is that other one.

/// `forward_to!(inner: len sync)` in an `impl VfsFile` defines `len` and `sync` as those of the field `inner`.
macro_rules! forward_to {
    ($file:ident:) => {};
    ($file:ident: len $($rest:ident)*) => {
        fn len(&self) -> $crate::error::Result<u64> {
            self.$file.len()
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: read_exact_at $($rest:ident)*) => {
        fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> $crate::error::Result<()> {
            self.$file.read_exact_at(offset, buffer)
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: write_all_at $($rest:ident)*) => {
        fn write_all_at(&self, offset: u64, bytes: &[u8]) -> $crate::error::Result<()> {
            self.$file.write_all_at(offset, bytes)
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: write_pointer_at $($rest:ident)*) => {
        fn write_pointer_at(&self, offset: u64, bytes: &[u8]) -> $crate::error::Result<()> {
            self.$file.write_pointer_at(offset, bytes)
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: sync $($rest:ident)*) => {
        fn sync(&self) -> $crate::error::Result<()> {
            self.$file.sync()
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: map $($rest:ident)*) => {
        fn map(&self) -> $crate::error::Result<Option<$crate::memory::mapping::Mapping>> {
            self.$file.map()
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: attributes $($rest:ident)*) => {
        fn attributes(&self) -> $crate::error::Result<$crate::vfs::Attributes> {
            self.$file.attributes()
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: set_attributes $($rest:ident)*) => {
        fn set_attributes(&self, attributes: &$crate::vfs::Attributes) -> $crate::error::Result<()> {
            self.$file.set_attributes(attributes)
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: is_at $($rest:ident)*) => {
        fn is_at(&self, path: &std::path::Path) -> $crate::error::Result<bool> {
            self.$file.is_at(path)
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: name_count $($rest:ident)*) => {
        fn name_count(&self) -> $crate::error::Result<u64> {
            self.$file.name_count()
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: try_lock $($rest:ident)*) => {
        fn try_lock(&self) -> $crate::error::Result<()> {
            self.$file.try_lock()
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
    ($file:ident: unlock $($rest:ident)*) => {
        fn unlock(&self) {
            self.$file.unlock();
        }
        $crate::vfs::forward::forward_to! { $file: $($rest)* }
    };
}

pub(crate) use forward_to;
