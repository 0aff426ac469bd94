//! [`PartWord`]: the kind of a part of a graph, as the user names it.

use clap::ValueEnum;
use varvite_cpg::PartKind;

/// The kind of a part of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartWord {
    /// The syntax tree below the node
    Ast,
    /// The flow of control between the nodes below the METHOD
    Cfg,
    /// The data dependences between the nodes below the METHOD: the flow of values
    Ddg,
    /// The control and data dependences between the nodes below the METHOD
    Pdg,
    /// The immediate dominators of the nodes below the METHOD
    Dominators,
    /// The METHODs that the METHOD calls, without operators
    Calls,
}

impl From<PartWord> for PartKind {
    fn from(word: PartWord) -> Self {
        match word {
            PartWord::Ast => Self::Ast,
            PartWord::Cfg => Self::Cfg,
            PartWord::Ddg => Self::Ddg,
            PartWord::Pdg => Self::Pdg,
            PartWord::Dominators => Self::Dominators,
            PartWord::Calls => Self::Calls,
        }
    }
}
