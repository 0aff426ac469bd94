//! The macros and the guard that turn a Rust function into an exported function of `varvite.h`.
//!
//! [`guard`] wraps each exported function: it checks the arguments first, so that a call with a null pointer
//! has no effect; it turns the result into a status number; and it turns a panic into `VARVITE_E_INTERNAL`,
//! so that no panic reaches the caller.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::ErrorOut;
use crate::failure::Failure;
use crate::status::Status;

/// Runs the body of an exported function and returns the status number for C.
pub(crate) fn guard(error: ErrorOut<'_>, body: impl FnOnce() -> Result<Status, Failure>) -> i32 {
    let mut error = match error.check() {
        Ok(error) => error,
        Err(failure) => return failure.code().number(),
    };
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => return status as i32,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::panicked(&*panic),
    };
    error.report(&failure);
    failure.code().number()
}

/// Defines exported functions that may fail. Each gets a last parameter `error`, and its arguments are
/// checked before its body runs.
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)+) => {
        $(
            $(#[$doc])*
            #[allow(unsafe_code)] // An exported symbol name must be unique, which the compiler can't check.
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $type,)* error: $crate::error::ErrorOut<'_>) -> i32 {
                $crate::export::guard(error, move || {
                    $(let $argument = $crate::argument::Argument::check($argument, stringify!($argument))?;)*
                    $body
                })
            }
        )+

        #[cfg(test)]
        #[test]
        fn the_headers_declare_these_functions() {
            $($crate::header::has_declared(&$crate::export::prototype("int32_t", stringify!($name), &[
                $(<$type as $crate::c_type::CType>::declare(stringify!($argument)),)*
                <$crate::error::ErrorOut<'_> as $crate::c_type::CType>::declare("error"),
            ]));)+
        }
    };
}

/// Defines exported functions that can't fail.
macro_rules! plain_exports {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty $body:block)+) => {
        $(
            $(#[$doc])*
            #[allow(unsafe_code)] // As in `exports`.
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $type),*) -> $result $body
        )+

        #[cfg(test)]
        #[test]
        fn the_headers_declare_these_functions() {
            $($crate::header::has_declared(&$crate::export::prototype(
                &<$result as $crate::c_type::CType>::declare(""),
                stringify!($name),
                &[$(<$type as $crate::c_type::CType>::declare(stringify!($argument)),)*],
            ));)+
        }
    };
}

/// The prototype of a function that the header must contain.
#[cfg(test)]
pub(crate) fn prototype(result: &str, name: &str, parameters: &[String]) -> String {
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{}({parameters});", crate::c_type::join(result, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_as_an_internal_error() {
        let number = guard(ErrorOut::none(), || panic!("a bug"));
        assert_eq!(number, varvite::ErrorCode::Internal.number());
    }
}
