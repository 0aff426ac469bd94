//! The structs of Arrow's C interfaces in `varvite.h`; `varvite-arrow` fills them.

use varvite_arrow::{ArrowArray, ArrowArrayStream, ArrowSchema};

use crate::c_type::{CType, join};

/// The declarations of `ArrowSchema` and `ArrowArray` that the header must contain.
#[cfg(test)]
pub(crate) const DECLARATIONS: [&str; 2] = [
    "struct ArrowSchema { const char *format; const char *name; const char *metadata; int64_t flags; int64_t n_children; \
     struct ArrowSchema **children; struct ArrowSchema *dictionary; void (*release)(struct ArrowSchema *); void *private_data; };",
    "struct ArrowArray { int64_t length; int64_t null_count; int64_t offset; int64_t n_buffers; int64_t n_children; \
     const void **buffers; struct ArrowArray **children; struct ArrowArray *dictionary; void (*release)(struct ArrowArray *); \
     void *private_data; };",
];

/// The declaration of `ArrowArrayStream` that the header must contain.
#[cfg(test)]
pub(crate) const STREAM_DECLARATION: &str = "struct ArrowArrayStream { int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *); \
     int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *); \
     const char *(*get_last_error)(struct ArrowArrayStream *); void (*release)(struct ArrowArrayStream *); \
     void *private_data; };";

impl CType for ArrowSchema {
    fn declare(name: &str) -> String {
        join("struct ArrowSchema", name)
    }
}

impl CType for ArrowArray {
    fn declare(name: &str) -> String {
        join("struct ArrowArray", name)
    }
}

impl CType for ArrowArrayStream {
    fn declare(name: &str) -> String {
        join("struct ArrowArrayStream", name)
    }
}
