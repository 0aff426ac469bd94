//! [`steps!`]: the macro that declares the table of steps, and the code that it generates.
//!
//! An entry of the table has the step's documentation, its word in plans, its variant with fields, and the
//! kinds of rows that it takes and gives. A plan may omit a field with a default, such as `labels:
//! Vec<String> = all`, where omission means all labels. It may also omit a field of type `Option`. A field
//! has the same name in plans as in Rust, unless its entry ends with `as "name"`.
//!
//! The rest of the entry lists the methods that add the step, with their parameters and the fields that they
//! set. A step that begins a pipeline has functions instead. The Java method has the same name in camel case,
//! unless `as name` gives another one. A parameter has the name of the field that it sets.

/// The kind of rows that a step gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// Rows of the same kind as those that the step took.
    Same,
    Nodes,
    Edges,
    Values,
    /// Rows of several columns.
    Columns,
    /// Rows of the kind that the step's inner pipelines give.
    OfBranches,
    /// The nodes or values that the step's key gives.
    OfKey,
    /// Rows of the kind that the step `as` named.
    Named,
}

/// The description of a step in the table.
#[cfg(test)]
pub(super) struct StepDescription {
    /// The heading of `docs/plan.md` under which the step is described.
    pub(super) section: &'static str,
    pub(super) name: &'static str,
    /// The documentation: lines of Markdown, each with a leading space.
    pub(super) doc: &'static str,
    pub(super) fields: &'static [FieldDescription],
    pub(super) takes: crate::pipeline::fault::Takes,
    pub(super) gives: Gives,
    pub(super) methods: &'static [MethodDescription],
}

/// The description of a step's field.
#[cfg(test)]
pub(super) struct FieldDescription {
    /// The field's name in plans.
    pub(super) name: &'static str,
    pub(super) in_rust: &'static str,
    /// The field's type in Rust.
    pub(super) holds: &'static str,
    /// The field's default. `None` if a plan must give the field.
    pub(super) default: Option<&'static str>,
}

/// The description of a method that adds a step.
#[cfg(test)]
pub(super) struct MethodDescription {
    pub(super) name: &'static str,
    /// The method's name in Java. `None` if it follows from the Rust name.
    pub(super) java: Option<&'static str>,
    pub(super) doc: &'static str,
    pub(super) parameters: &'static [&'static str],
    /// The fields that the method sets, each with the expression for its value.
    pub(super) sets: &'static [(&'static str, &'static str)],
}

macro_rules! steps {
    ($(
        section $section:literal;
        $(
            $(#[doc = $doc:literal])+
            $name:literal $step:ident
                $({ $($field:ident $(as $json:literal)?: $type:ty $(= $default:ident)?),* $(,)? })?
                $(($flat:ident: $flat_type:ty))?
            takes $takes:ident gives $gives:ident
            $(starts { $(
                $(#[doc = $start_doc:literal])+
                $start:ident($($start_param:ident: $start_type:ty),*) $(as $start_java:ident)?
                    => { $($start_set:ident: $start_value:expr),* $(,)? };
            )+ })?
            $(methods { $(
                $(#[doc = $method_doc:literal])+
                $method:ident($($param:ident: $param_type:ty),*) $(as $java:ident)?
                    => { $($set:ident: $value:expr),* $(,)? };
            )+ })?
        )+
    )+) => {
        /// A step of a pipeline. Steps turn rows into rows: nodes, edges, values, or rows of columns.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "each step says what its fields are")]
        pub enum Step {
            $($(
                $(#[doc = $doc])+
                $step $({ $($field: $type),* })? $(($flat_type))?,
            )+)+
        }

        /// Every word that names a step in a plan.
        pub const STEPS: [&str; [$($($name),+),+].len()] = [$($($name),+),+];

        impl Step {
            /// The word that plans use for the step.
            pub fn name(&self) -> &'static str {
                match self {
                    $($(Self::$step { .. } => $name,)+)+
                }
            }

            /// The kind of rows that the step takes.
            pub(crate) fn takes(&self) -> $crate::pipeline::fault::Takes {
                match self {
                    $($(Self::$step { .. } => $crate::pipeline::fault::Takes::$takes,)+)+
                }
            }

            /// The kind of rows that the step gives.
            pub(crate) fn gives(&self) -> $crate::pipeline::description::Gives {
                match self {
                    $($(Self::$step { .. } => $crate::pipeline::description::Gives::$gives,)+)+
                }
            }

            /// Reads the step of this name from its fields.
            pub(super) fn read(name: &str, f: &mut super::fields::Fields) -> $crate::pipeline::error::Result<Self> {
                Ok(match name {
                    $($($name => Self::$step
                        $({ $($field: super::declare::steps!(@read f, $field $($json)?; $($default)?)),* })?
                        $((f.read(stringify!($flat))?))?,
                    )+)+
                    _ => return Err(f.no_such_step(name, &STEPS)),
                })
            }
        }

        $($($($(
            $(#[doc = $start_doc])+
            pub fn $start($($start_param: $start_type),*) -> Pipeline {
                Pipeline::default().then(Step::$step { $($start_set: $start_value),* })
            }
        )+)?)+)+

        impl Pipeline {
            $($($($(
                $(#[doc = $method_doc])+
                pub fn $method(self, $($param: $param_type),*) -> Self {
                    self.then(Step::$step { $($set: $value),* })
                }
            )+)?)+)+
        }

        impl serde::Serialize for Step {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use super::fields::Field;
                let mut object = serde::ser::Serializer::serialize_map(serializer, None)?;
                serde::ser::SerializeMap::serialize_entry(&mut object, "step", self.name())?;
                match self {
                    $($(Self::$step $({ $($field),* })? $(($flat))? => {
                        $($(super::declare::steps!(@write object, $field, $field $($json)?; $($default)?);)*)?
                        $($flat.write(stringify!($flat), &mut object)?;)?
                    })+)+
                }
                serde::ser::SerializeMap::end(object)
            }
        }

        /// All steps, in the order of the documentation.
        #[cfg(test)]
        pub(super) const ALL: &[super::declare::StepDescription] = &[$($(super::declare::StepDescription {
            section: $section,
            name: $name,
            doc: concat!($($doc, "\n"),+),
            fields: &[
                $($(super::declare::FieldDescription {
                    name: super::declare::steps!(@name $field $($json)?),
                    in_rust: stringify!($field),
                    holds: stringify!($type),
                    default: super::declare::steps!(@default $($default)?),
                },)*)?
                $(super::declare::FieldDescription {
                    name: stringify!($flat),
                    in_rust: stringify!($flat),
                    holds: stringify!($flat_type),
                    default: None,
                },)?
            ],
            takes: $crate::pipeline::fault::Takes::$takes,
            gives: super::declare::Gives::$gives,
            methods: &[
                $($(super::declare::MethodDescription {
                    name: stringify!($start),
                    java: super::declare::steps!(@default $($start_java)?),
                    doc: concat!($($start_doc),+),
                    parameters: &[$(stringify!($start_param)),*],
                    sets: &[$((stringify!($start_set), stringify!($start_value))),*],
                },)+)?
                $($(super::declare::MethodDescription {
                    name: stringify!($method),
                    java: super::declare::steps!(@default $($java)?),
                    doc: concat!($($method_doc),+),
                    parameters: &[$(stringify!($param)),*],
                    sets: &[$((stringify!($set), stringify!($value))),*],
                },)+)?
            ],
        }),+),+];
    };

    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $json:literal) => { $json };

    (@default) => { None };
    (@default $default:ident) => { Some(stringify!($default)) };

    (@read $f:ident, $field:ident $($json:literal)?;) => {
        $f.read(super::declare::steps!(@name $field $($json)?))?
    };
    (@read $f:ident, $field:ident $($json:literal)?; $default:ident) => {
        $f.read_or_default(super::declare::steps!(@name $field $($json)?), stringify!($default))?
    };

    (@write $object:ident, $value:ident, $field:ident $($json:literal)?;) => {
        $value.write(super::declare::steps!(@name $field $($json)?), &mut $object)?
    };
    (@write $object:ident, $value:ident, $field:ident $($json:literal)?; $default:ident) => {
        if !$value.is_left_out() {
            $value.write(super::declare::steps!(@name $field $($json)?), &mut $object)?;
        }
    };
}

pub(super) use steps;
