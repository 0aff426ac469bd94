package varvite;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import varvite.error.UnsupportedFileException;
import varvite.format.Column;
import varvite.format.Directory;
import varvite.format.GraphFile;
import varvite.format.IdSet;
import varvite.format.Ints;
import varvite.format.SmallInts;
import varvite.format.Strings;

/**
 * From the rows of a directory to columns that can be read. Whether the lengths of columns fit each other is checked here, once; what
 * is in them is checked where it is used.
 */
record Columns(GraphFile file) {
    private static final int NONE = -1;

    /**
     * Passes if all ids and ranks fit an int.
     *
     * @throws UnsupportedFileException if not
     */
    static void checkSize(GraphFile file) {
        if (file.directory().nodes() < 0) {
            long nodes = Integer.toUnsignedLong(file.directory().nodes());
            throw file.faults().tooLarge("the graph has " + nodes + " nodes, this module numbers up to 2^31 - 1");
        }
    }

    Labels labels(List<Label> labels) {
        Directory directory = file.directory();
        Ints codes = required(directory.codes(), "labels", nodes());
        return new Labels(new SmallInts(codes), nodes(), labels, directory.labelSets(), directory.maskWords());
    }

    NodeSet nodes(Label label) {
        int column = file.directory().labels().get(label.id()).nodes();
        return new NodeSet(set(column, "nodes of " + label.name(), nodes()));
    }

    Adjacency adjacency(EdgeLabel label, Direction direction) {
        Directory.EdgeLabelRow row = file.directory().edgeLabels().get(label.id());
        Directory.AdjacencyRow side = direction == Direction.OUT ? row.out() : row.in();
        String use = label.name() + (direction == Direction.OUT ? ", out" : ", in");
        if (side.nodes() != NONE) {
            return lists(side, row.edges(), use);
        }
        if (file.directory().treeLabel() != label.id()) {
            throw file.faults().damaged("adjacency of " + use, "columns or a forest", "neither");
        }
        if (direction == Direction.IN) {
            Ints distances = required(file.directory().parents(), "parents", nodes());
            return Adjacency.ofParents(new SmallInts(distances), row.edges(), nodes());
        }
        Subtree subtree = subtree()
                .orElseThrow(() -> file.faults().damaged("adjacency of " + use, "a subtree index", "none"));
        return Adjacency.ofChildren(subtree, row.edges(), nodes());
    }

    private Adjacency lists(Directory.AdjacencyRow side, long edges, String use) {
        if (side.offsets() == NONE || side.neighbors() == NONE) {
            throw file.faults().damaged("adjacency of " + use, "three columns", "fewer");
        }
        IdSet sources = set(side.nodes(), "sources of " + use, nodes());
        Ints offsets = Ints.open(column(side.offsets(), "offsets of " + use));
        Ints neighbors = Ints.open(column(side.neighbors(), "neighbours of " + use), edges);
        Lists lists = new Lists(sources, offsets.isIdentity() ? null : offsets, neighbors.count(), "node");
        return Adjacency.ofLists(lists, neighbors, edges, nodes());
    }

    Optional<Places> places(EdgeLabel label) {
        Directory.EdgeLabelRow row = file.directory().edgeLabels().get(label.id());
        if (row.places() == NONE) {
            return Optional.empty();
        }
        return Optional.of(new Places(required(row.places(), "places of " + label.name(), row.edges())));
    }

    Optional<Subtree> subtree() {
        int column = file.directory().subtree();
        if (column == NONE) {
            return Optional.empty();
        }
        return Optional.of(new Subtree(new SmallInts(required(column, "subtree", nodes())), nodes()));
    }

    Property property(PropertyInfo info, PropertyKind kind) {
        Directory.PropertyRow row = file.directory().properties().get(info.id());
        String use = "property " + info.name();
        if (ValueType.of(row.valueType()) == null) {
            throw file.faults().damaged(use, "a known value type", row.valueType());
        }
        Ints values = Ints.open(column(row.values(), "values of " + use));
        Lists lists = owners(row, use, values.count());
        if (info.type().isText() != (row.strings() != NONE)) {
            throw file.faults().damaged(use, "a string table for text only", row.valueType());
        }
        return switch (kind) {
            case INT -> new IntProperty(info, lists, values);
            case LONG -> new LongProperty(info, lists, values);
            case DOUBLE -> new DoubleProperty(info, lists, values);
            case REF -> new RefProperty(info, lists, values, nodes());
            case TEXT -> new TextProperty(info, lists, values, texts(row, use));
            case BYTES -> new BytesProperty(info, lists, values, texts(row, use));
        };
    }

    /** The index of a property, if the file has one. */
    Optional<TextIndex> textIndex(PropertyInfo info, Labels labels) {
        Directory directory = file.directory();
        Directory.PropertyRow property = directory.properties().get(info.id());
        for (Directory.TextIndexRow row : directory.textIndexes()) {
            if (row.property() == info.id()) {
                String use = "index of property " + info.name();
                if (property.strings() == NONE || property.owner() != NONE || info.type() != ValueType.STRING) {
                    throw file.faults().damaged(use, "strings of nodes", "another property");
                }
                Strings strings = Strings.open(column(property.strings(), "texts of property " + info.name()));
                return Optional.of(new TextIndex(strings, labels, nodes(), columns(row, use)));
            }
        }
        return Optional.empty();
    }

    private Ints[] columns(Directory.TextIndexRow row, String use) {
        int[] numbers = {row.buckets(), row.codes(), row.groups(), row.sets(), row.starts(), row.nodes()};
        return IntStream.of(numbers).mapToObj(number -> Ints.open(column(number, use))).toArray(Ints[]::new);
    }

    private TextTable texts(Directory.PropertyRow row, String use) {
        return new TextTable(Strings.open(column(row.strings(), "texts of " + use)));
    }

    private Lists owners(Directory.PropertyRow row, String use, long values) {
        boolean ofNodes = row.owner() == NONE;
        long count = ofNodes ? nodes() : file.directory().edgeLabels().get(row.owner()).edges();
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw file.faults().tooLarge(
                    use + " belongs to " + Long.toUnsignedString(count) + " edges, this module numbers up to 2^31 - 1");
        }
        IdSet present = set(row.present(), "owners of " + use, (int) count);
        Ints offsets = row.offsets() == NONE ? null : Ints.open(column(row.offsets(), "offsets of " + use));
        return new Lists(present, offsets, values, ofNodes ? "node" : "edge");
    }

    private int nodes() {
        return file.directory().nodes();
    }

    private IdSet set(int column, String use, int limit) {
        return IdSet.open(column(column, use), limit);
    }

    /** Integers that must be there, and have {@code count} values. */
    private Ints required(int column, String use, long count) {
        if (column == NONE) {
            throw file.faults().damaged(use, "a column", "none");
        }
        return Ints.open(column(column, use), count);
    }

    private Column column(int number, String use) {
        return new Column(file, number, use);
    }
}
