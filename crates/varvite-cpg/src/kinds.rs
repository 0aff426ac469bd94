//! Steps that keep nodes of one kind: labels, and no edges.

use varvite::pipeline::Pipeline;

macro_rules! kinds {
    ($($(#[$doc:meta])* $step:ident: $label:literal;)*) => {
        /// Steps that keep nodes with a label.
        #[expect(clippy::wrong_self_convention, reason = "steps take a pipeline and give a longer one; names are Joern's")]
        pub trait Kinds: Sized {
            $($(#[$doc])* fn $step(self) -> Self;)*
        }

        impl Kinds for Pipeline {
            $(fn $step(self) -> Self {
                self.has_label($label)
            })*
        }
    };
}

kinds! {
    /// Keeps BLOCKs.
    is_block: "BLOCK";
    /// Keeps CALLs, operators among them.
    is_call: "CALL";
    /// Keeps CONTROL_STRUCTUREs: loops, conditions, jumps.
    is_control_structure: "CONTROL_STRUCTURE";
    /// Keeps FIELD_IDENTIFIERs.
    is_field_identifier: "FIELD_IDENTIFIER";
    /// Keeps FILEs.
    is_file: "FILE";
    /// Keeps IDENTIFIERs.
    is_identifier: "IDENTIFIER";
    /// Keeps IMPORTs.
    is_import: "IMPORT";
    /// Keeps LITERALs.
    is_literal: "LITERAL";
    /// Keeps LOCALs.
    is_local: "LOCAL";
    /// Keeps MEMBERs.
    is_member: "MEMBER";
    /// Keeps METHODs.
    is_method: "METHOD";
    /// Keeps METHOD_REFs.
    is_method_ref: "METHOD_REF";
    /// Keeps MODIFIERs.
    is_modifier: "MODIFIER";
    /// Keeps NAMESPACE_BLOCKs.
    is_namespace_block: "NAMESPACE_BLOCK";
    /// Keeps parameters: METHOD_PARAMETER_INs.
    is_parameter: "METHOD_PARAMETER_IN";
    /// Keeps RETURNs.
    is_return: "RETURN";
    /// Keeps TYPE_DECLs.
    is_type_decl: "TYPE_DECL";
}
