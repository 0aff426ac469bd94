//! [`steps!`]: the macro that declares the table of steps, and the code that it generates.
//!
//! A section has a title and a sentence of documentation, and becomes a trait. The entry of a step has its
//! documentation; its name with parameters; `as` and the name in Scala, if that is not the name in camel
//! case; the labels from which it starts and to which it leads (`any` for every node); its inverse, if there
//! is one; and its composition from methods of pipelines, including those of other steps of the table. `by
//! hand in Scala` marks the few steps that have a different meaning in Scala.
//!
//! The type of a parameter is `Number`, `Times` or `Texts`: the variants of
//! [`ArgumentType`](crate::steps::argument::ArgumentType).

macro_rules! steps {
    ($(
        section $section:ident $($about:literal)+;
        $(
            $(#[doc = $doc:literal])+
            $name:ident $(($($param:ident: $holds:ident),+))? $(as $word:ident)?:
            $($from:ident)|+ -> $($to:ident)|+ $(, inverse $inverse:ident)? $(, by hand in $by_hand:ident)?
            => { $($composition:tt)+ }
        )+
    )+) => {
        $(
            #[doc = concat!($($about),+)]
            #[allow(
                clippy::wrong_self_convention,
                reason = "steps take a pipeline and give a longer one; names are Joern's"
            )]
            pub trait $section: Sized {
                $(
                    $(#[doc = $doc])+
                    fn $name(self $(, $($param: $crate::steps::declare::steps!(@type $holds)),+)?) -> Self;
                )+
            }

            impl $section for Pipeline {
                $(
                    fn $name(self $(, $($param: $crate::steps::declare::steps!(@type $holds)),+)?) -> Self {
                        self.$($composition)+
                    }
                )+
            }
        )+

        /// All steps, in the order of the documentation.
        pub(super) const ALL: &[StepDescription] = &[$($(StepDescription {
            section: stringify!($section),
            name: stringify!($name),
            word: $crate::steps::declare::steps!(@optional $($word)?),
            doc: concat!($($doc),+).trim_ascii(),
            parameters: &[$($(StepParameter {
                name: stringify!($param),
                holds: ArgumentType::$holds,
            }),+)?],
            from: &[$(stringify!($from)),+],
            to: &[$(stringify!($to)),+],
            inverse: $crate::steps::declare::steps!(@optional $($inverse)?),
            is_by_hand: $crate::steps::declare::steps!(@optional $($by_hand)?).is_some(),
            append: |pipeline, arguments| match arguments {
                [$($($param),+)?] => Some($section::$name(
                    pipeline
                    $(, $($crate::steps::declare::steps!(@take $holds $param)),+)?
                )),
                _ => None,
            },
        }),+),+];
    };

    (@type Number) => { i64 };
    (@type Times) => { u32 };
    (@type Texts) => { impl IntoIterator<Item = impl Into<varvite::pipeline::Literal>> };

    (@take Number $argument:ident) => { $argument.number()? };
    (@take Times $argument:ident) => { $argument.times()? };
    (@take Texts $argument:ident) => { $argument.texts()? };

    (@optional) => { None::<&'static str> };
    (@optional $name:ident) => { Some(stringify!($name)) };
}

pub(super) use steps;
