//! [`Class`]: what a symbol stands for, which decides the labels of its node and of the references to it.

use super::graph::Label;
use super::symbol::{Suffix, Symbol};

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Namespace,
    Type,
    TypeParameter,
    Method,
    Parameter,
    Member,
    Local,
    Unknown,
}

impl Class {
    /// The class of a symbol. SCIP's kind, if the index has one, counts more than the form of the symbol.
    pub(super) fn of(symbol: &Symbol<'_>, kind: u64) -> Self {
        let is_of_type = symbol.outer == Some(Suffix::Type);
        Self::of_kind(kind, is_of_type).unwrap_or(match symbol.suffix {
            Suffix::Namespace => Self::Namespace,
            Suffix::Type => Self::Type,
            Suffix::TypeParameter => Self::TypeParameter,
            Suffix::Method | Suffix::Macro => Self::Method,
            Suffix::Parameter => Self::Parameter,
            Suffix::Term if is_of_type => Self::Member,
            Suffix::Term => Self::Local,
            // scip-python defines each module with `__init__:` in its namespace.
            Suffix::Meta if symbol.outer == Some(Suffix::Namespace) => Self::Namespace,
            Suffix::Meta => Self::Unknown,
        })
    }

    /// The class of a symbol that belongs to a single document.
    pub(super) fn of_local(kind: u64) -> Self {
        Self::of_kind(kind, false).unwrap_or(Self::Local)
    }

    /// The class of one of SCIP's kinds (`SymbolInformation.Kind`). `None` for kinds that decide nothing.
    fn of_kind(kind: u64, is_of_type: bool) -> Option<Self> {
        Some(match kind {
            // Constructor, Function, Macro, Method, Operator, Setter, Getter, Subscript, AbstractMethod,
            // MethodSpecification, ProtocolMethod .. TypeClassMethod, Accessor, MethodAlias, SingletonMethod,
            // StaticMethod.
            9 | 17 | 18 | 25 | 26 | 34 | 45 | 47 | 66..=72 | 74 | 76 | 80 => Self::Method,
            // AssociatedType, Class, DataFamily, Enum, Interface, Message, Object, Protocol, Struct, Trait ..
            // TypeFamily, Union, Contract, Error, Delegate, SingletonClass, Extension, Mixin, Concept.
            3 | 7 | 10 | 11 | 21 | 28 | 33 | 42 | 49 | 53..=57 | 59 | 62 | 63 | 73 | 75 | 84..=86 => {
                Self::Type
            }
            58 => Self::TypeParameter,
            // MethodReceiver, Parameter, ParameterLabel, SelfParameter, ThisParameter.
            27 | 37 | 38 | 44 | 52 => Self::Parameter,
            // File, Module, Namespace, Package, PackageObject, Library.
            16 | 29 | 30 | 35 | 36 | 64 => Self::Namespace,
            // Attribute, EnumMember, Event, Field, Property, StaticDataMember .. StaticProperty.
            4 | 12 | 13 | 15 | 41 | 77..=79 | 81 => Self::Member,
            // Constant, Value, Variable, StaticVariable.
            8 | 60 | 61 | 82 => {
                if is_of_type {
                    Self::Member
                } else {
                    Self::Local
                }
            }
            _ => return None,
        })
    }

    /// The label of the symbol's node.
    pub(super) fn label(self) -> Label {
        match self {
            Self::Namespace => Label::NamespaceBlock,
            Self::Type => Label::TypeDecl,
            Self::TypeParameter => Label::TypeParameter,
            Self::Method => Label::Method,
            Self::Parameter => Label::MethodParameterIn,
            Self::Member => Label::Member,
            Self::Local => Label::Local,
            Self::Unknown => Label::Unknown,
        }
    }

    /// The label of a reference that is not a call.
    pub(super) fn reference(self) -> Label {
        match self {
            Self::Method => Label::MethodRef,
            Self::Type | Self::TypeParameter => Label::TypeRef,
            Self::Member => Label::FieldIdentifier,
            Self::Namespace | Self::Parameter | Self::Local | Self::Unknown => Label::Identifier,
        }
    }

    /// Whether a definition contains the occurrences in its enclosing range.
    pub(super) fn is_scope(self) -> bool {
        matches!(self, Self::Namespace | Self::Type | Self::Method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_counts_more_than_the_last_characters() {
        let class = |descriptors: &str, kind| {
            Class::of(&Symbol::of(&format!("a b c d {descriptors}")).expect("a symbol"), kind)
        };
        assert_eq!(class("f.", 0), Class::Local);
        assert_eq!(class("f.", 17), Class::Method);
        assert_eq!(class("A#f.", 0), Class::Member);
        assert_eq!(class("A#f.", 61), Class::Member);
        assert_eq!(class("m/f.", 61), Class::Local);
        assert_eq!(class("m/__init__:", 0), Class::Namespace);
        assert_eq!(class("A#m:", 0), Class::Unknown);
        assert_eq!(class("f().", 31), Class::Method);
        assert_eq!((Class::of_local(0), Class::of_local(37)), (Class::Local, Class::Parameter));
    }
}
