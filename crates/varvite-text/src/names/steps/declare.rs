//! [`steps!`]: the macro that declares Joern's steps.
//!
//! An entry has the documentation of a step, its name, the types from which it starts and to which it leads,
//! and its composition from steps of the engine. These words may follow the types: `one` or `option`, if the
//! step gives one node, or at most one, when it starts from a single node; `by NAME` or `by CODE`, the
//! property with which a text as argument compares; `from one { .. }`, the composition from a single node, if
//! it is another.

macro_rules! steps {
    ($(
        $(#[doc = $doc:literal])+
        $name:literal: $from:ident -> $to:ident $($single:ident)? $(, by $by:ident)?
            => { $($composition:tt)+ } $(, from one { $($of_one:tt)+ })?
    )+) => {
        /// Joern's steps that are not in the table of `varvite-cpg`, or have another meaning there.
        pub(crate) const STEPS: &[JoernStep] = &[$(JoernStep {
            name: $name,
            doc: concat!($($doc),+),
            from: kinds::$from,
            to: kinds::$to,
            single: $crate::names::steps::declare::steps!(@single $($single)?),
            filtered: $crate::names::steps::declare::steps!(@by $($by)?),
            append: |pipeline| pipeline.$($composition)+,
            append_to_one: $crate::names::steps::declare::steps!(@of_one $($($of_one)+)?),
        }),+];
    };

    (@single) => { Single::Many };
    (@single one) => { Single::One };
    (@single option) => { Single::Optional };

    (@by) => { Filtered::No };
    (@by $by:ident) => { Filtered::By(stringify!($by)) };

    (@of_one) => { None };
    (@of_one $($of_one:tt)+) => { Some(|pipeline| pipeline.$($of_one)+) };
}

pub(super) use steps;
