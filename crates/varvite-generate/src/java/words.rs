//! Words that have a meaning in Java and are therefore not used as names of generated classes and methods.

/// Words that are never identifiers (JLS 22, 3.9), including literals.
const RESERVED: &str = "abstract assert boolean break byte case catch char class const continue default do double else enum \
    extends final finally float for goto if implements import instanceof int interface long native new package private \
    protected public return short static strictfp super switch synchronized this throw throws transient try void volatile \
    while true false null _";

/// Methods of every object, which a generated method without arguments would hide or conflict with.
const OF_OBJECTS: &str = "clone equals finalize getClass hashCode notify notifyAll toString wait";

/// Types that generated files use: generated types and types of libraries.
const TYPES: &str = "AnyNode Columns Cpg Handle Node \
    Adjacency BytesProperty Cardinality DoubleProperty Graph IntProperty Label Labels LongProperty RefProperty TextProperty \
    ValueType UnknownNameException Expected Kinds Names Neighbors Nodes \
    ArrayList Collections HashSet IOException List NoSuchElementException Optional OptionalDouble OptionalInt OptionalLong \
    Path Set AutoCloseable Boolean Class IllegalArgumentException Object Override RuntimeException String";

/// Whether a word is reserved and therefore not a valid identifier.
pub(super) fn is_reserved(word: &str) -> bool {
    has(RESERVED, word)
}

/// Names that no generated class may have.
pub(super) fn types() -> impl Iterator<Item = &'static str> {
    TYPES.split_whitespace()
}

/// Names that no generated method may have.
pub(super) fn methods() -> impl Iterator<Item = &'static str> {
    RESERVED.split_whitespace().chain(OF_OBJECTS.split_whitespace())
}

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}
