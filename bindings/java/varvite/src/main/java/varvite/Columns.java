package varvite;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import varvite.error.UnsupportedFileException;
import varvite.format.Changes.EdgeChangeRow;
import varvite.format.Changes.PropertyChangeRow;
import varvite.format.Column;
import varvite.format.Directory;
import varvite.format.GraphFile;
import varvite.format.IdSet;
import varvite.format.Ints;
import varvite.format.SmallInts;
import varvite.format.Strings;

/**
 * Makes readers of columns from the rows of a directory. This class checks once that the lengths of columns
 * agree; the readers check entries when they read them.
 */
record Columns(GraphFile file, Optional<ChangedColumns> changes) {
    private static final int NONE = -1;

    Columns(GraphFile file) {
        this(file, file.directory().changes().map(changes -> new ChangedColumns(file, changes)));
    }

    /**
     * Checks that all ids and ranks fit in an int.
     *
     * @throws UnsupportedFileException if an id or a rank does not fit
     */
    static void checkSize(GraphFile file) {
        if (file.directory().nodes() < 0) {
            long nodes = Integer.toUnsignedLong(file.directory().nodes());
            throw file.faults().tooLarge("the graph has " + nodes + " nodes, this module numbers up to 2^31 - 1");
        }
    }

    Labels labels(List<Label> labels) {
        Directory directory = file.directory();
        SmallInts codes = new SmallInts(required(directory.codes(), "labels", baseNodes()));
        return changes.map(changes -> changes.labels(codes, labels))
                .orElseGet(() -> new Labels(codes, nodes(), labels, directory.labelSets(), directory.maskWords()));
    }

    NodeSet nodes(Label label, List<Label> labels) {
        int column = file.directory().labels().get(label.id()).nodes();
        IdSet base = set(column, "nodes of " + label.name(), baseNodes());
        return changes.map(changes -> changes.nodes(label, base, () -> labels(labels))).orElseGet(() -> new NodeSet(base));
    }

    /** The origins of a label's nodes: their numbers in the imported file. */
    Origin origin(Label label, List<Label> labels) {
        Directory.LabelRow row = file.directory().labels().get(label.id());
        IdSet base = set(row.nodes(), "nodes of " + label.name(), baseNodes());
        boolean isStored = row.origin() != NONE;
        Ints numbers = isStored ? Ints.open(column(row.origin(), "origin of " + label.name()), base.count()) : null;
        if (label.originCount() > Integer.MAX_VALUE) {
            throw file.faults().tooLarge(
                    label.name() + " had " + label.originCount() + " nodes elsewhere, this module numbers up to 2^31 - 1");
        }
        int count = Math.max((int) label.originCount(), base.count());
        boolean isUnchanged = removed() == null && nodes() == baseNodes();
        NodeSet now = isUnchanged ? new NodeSet(base) : nodes(label, labels);
        int[] gone = changes.map(changes -> changes.removedOfAppended(label)).orElseGet(() -> new int[0]);
        return new Origin(now, isUnchanged, base, baseNodes(), numbers, count, gone);
    }

    /** The set of removed nodes; null if there are none. */
    IdSet removed() {
        return changes.map(ChangedColumns::removed).orElse(null);
    }

    Adjacency adjacency(EdgeLabel label, Direction direction) {
        Adjacency base = baseAdjacency(label, direction);
        if (changes.isEmpty()) {
            return base;
        }
        Adjacency parents = base.shape == Adjacency.CHILDREN ? parents(label) : null;
        return changes.get().adjacency(base, label, direction, parents);
    }

    /** The neighbours in the base, without the changes. */
    private Adjacency baseAdjacency(EdgeLabel label, Direction direction) {
        Directory.EdgeLabelRow row = file.directory().edgeLabels().get(label.id());
        Directory.AdjacencyRow side = direction == Direction.OUT ? row.out() : row.in();
        String use = label.name() + (direction == Direction.OUT ? ", out" : ", in");
        if (side.nodes() != NONE) {
            return lists(side, row, use);
        }
        if (file.directory().treeLabel() != label.id()) {
            throw file.faults().damaged("adjacency of " + use, "columns or a forest", "neither");
        }
        return direction == Direction.IN ? parents(label) : children(label, use);
    }

    private Adjacency parents(EdgeLabel label) {
        Ints distances = required(file.directory().parents(), "parents", baseNodes());
        return Adjacency.ofParents(new SmallInts(distances), label.edges(), baseNodes());
    }

    private Adjacency children(EdgeLabel label, String use) {
        SmallInts sizes = sizes();
        if (sizes == null) {
            throw file.faults().damaged("adjacency of " + use, "a subtree index", "none");
        }
        return Adjacency.ofChildren(new Subtree(sizes, baseNodes()), label.edges(), baseNodes());
    }

    /**
     * The lists of an edge label in one direction. They can be looked up for every node, but nodes with a
     * list, and their neighbours, have ids below the node count of the base or of the layer.
     */
    private Adjacency lists(Directory.AdjacencyRow side, Directory.EdgeLabelRow row, String use) {
        if (side.offsets() == NONE || side.neighbors() == NONE) {
            throw file.faults().damaged("adjacency of " + use, "three columns", "fewer");
        }
        int ofLayer = file.directory().nodesOfLayer(row.layer());
        IdSet sources = set(side.nodes(), "sources of " + use, ofLayer);
        Ints offsets = Ints.open(column(side.offsets(), "offsets of " + use));
        Ints neighbors = Ints.open(column(side.neighbors(), "neighbours of " + use), row.edges());
        Lists lists = new Lists(sources, offsets.isIdentity() ? null : offsets, neighbors.count(), "node", nodes());
        return Adjacency.ofLists(lists, neighbors, row.edges(), ofLayer);
    }

    Optional<Places> places(EdgeLabel label) {
        Directory.EdgeLabelRow row = file.directory().edgeLabels().get(label.id());
        if (row.places() == NONE) {
            return Optional.empty();
        }
        Ints places = required(row.places(), "places of " + label.name(), row.edges());
        long appended = file.directory().changes().map(changes -> changes.ofEdges(label.id()))
                .map(EdgeChangeRow::appended).orElse(0L);
        return Optional.of(new Places(places, baseAdjacency(label, Direction.OUT), row.edges() + appended));
    }

    /** The subtree index; empty if there is none or if edges of its label have changed. */
    Optional<Subtree> subtree() {
        SmallInts sizes = sizes();
        int label = file.directory().treeLabel();
        boolean isOld = label >= 0 && file.directory().changes().map(changes -> changes.ofEdges(label)).isPresent();
        if (sizes == null || isOld) {
            return Optional.empty();
        }
        // Appended nodes have no descendants.
        boolean isWhole = nodes() == baseNodes();
        return Optional.of(new Subtree(isWhole ? sizes : sizes.withZeros(nodes()), nodes()));
    }

    /** The subtree sizes of the base; null if there is no subtree index. */
    private SmallInts sizes() {
        int column = file.directory().subtree();
        return column == NONE ? null : new SmallInts(required(column, "subtree", baseNodes()));
    }

    Property property(PropertyInfo info, PropertyKind kind) {
        Directory.PropertyRow row = file.directory().properties().get(info.id());
        String use = "property " + info.name();
        if (ValueType.of(row.valueType()) == null) {
            throw file.faults().damaged(use, "a known value type", row.valueType());
        }
        PropertyChangeRow change = changes.map(changes -> changes.ofProperty(info.id())).orElse(null);
        Ints base = Ints.open(column(row.values(), "values of " + use));
        Lists lists = lists(row, change, base, use);
        Ints values = lists.change() == null ? base : lists.change().values();
        int laterTexts = change == null ? NONE : change.strings();
        if (info.type().isText() != (row.strings() != NONE) || !info.type().isText() && laterTexts != NONE) {
            throw file.faults().damaged(use, "a string table for text only", row.valueType());
        }
        return switch (kind) {
            case INT -> new IntProperty(info, lists, values);
            case LONG -> new LongProperty(info, lists, values);
            case DOUBLE -> new DoubleProperty(info, lists, values);
            case REF -> new RefProperty(info, lists, values, nodes());
            case TEXT -> new TextProperty(info, lists, values, texts(row.strings(), laterTexts, use));
            case BYTES -> new BytesProperty(info, lists, values, texts(row.strings(), laterTexts, use));
        };
    }

    private Lists lists(Directory.PropertyRow row, PropertyChangeRow change, Ints values, String use) {
        Lists base = owners(row, use, values.count());
        if (changes.isEmpty()) {
            return base;
        }
        ChangedLists changed = changes.get().lists(row, change, base, values, use);
        boolean isSame = changed.owners() == null && changed.removed() == null;
        int limit = changes.get().ownerLimit(row, use);
        return isSame && limit == base.limit() ? base : Lists.changed(changed, limit);
    }

    /** The changes to an edge label, for the replay of a log. */
    EdgeEdits edgeEdits(EdgeLabel label) {
        Adjacency out = baseAdjacency(label, Direction.OUT);
        Adjacency in = baseAdjacency(label, Direction.IN);
        if (out.shape == Adjacency.LISTS != (in.shape == Adjacency.LISTS)) {
            throw file.faults().damaged("adjacency of " + label.name(), "lists in both directions or in none", "one");
        }
        boolean isForest = out.shape != Adjacency.LISTS;
        long edges = file.directory().edgeLabels().get(label.id()).edges();
        EdgeEdits edits = new EdgeEdits(label, out, in, isForest ? baseNodes() : smallCount(edges, label.name()));
        changes.ifPresent(changes -> changes.takeUp(edits, label, isForest));
        return edits;
    }

    /** The changes to a property, for the replay of a log. */
    ValueEdits valueEdits(PropertyInfo info) {
        Directory.PropertyRow row = file.directory().properties().get(info.id());
        String use = "property " + info.name();
        PropertyChangeRow change = changes.map(changes -> changes.ofProperty(info.id())).orElse(null);
        Ints base = Ints.open(column(row.values(), "values of " + use));
        Lists lists = lists(row, change, base, use);
        Strings texts = row.strings() == NONE ? null : Strings.open(column(row.strings(), "texts of " + use));
        boolean isLater = texts != null && change != null && change.strings() != NONE;
        Strings later = isLater ? Strings.open(column(change.strings(), "changed texts of " + use)) : null;
        if (info.type().isText() != (texts != null)) {
            throw file.faults().damaged(use, "a string table for text only", row.valueType());
        }
        return new ValueEdits(info, lists, base, texts, later);
    }

    /**
     * The index of a property in the base, without label sets, so that it can find texts but not their nodes.
     * Null if there is none.
     */
    TextIndex baseTextIndex(PropertyInfo info) {
        Labels none = new Labels(null, 0, List.of(), new long[0], 1);
        return baseTextIndex(info, none).orElse(null);
    }

    /**
     * The index of a property. Empty if the file has no index for it, if values of the property have changed,
     * or if nodes were removed.
     */
    Optional<TextIndex> textIndex(PropertyInfo info, Labels labels) {
        Directory directory = file.directory();
        boolean isOld = directory.changes()
                .filter(changes -> changes.removed() != NONE || changes.ofProperty(info.id()) != null)
                .isPresent();
        return isOld ? Optional.empty() : baseTextIndex(info, labels);
    }

    private Optional<TextIndex> baseTextIndex(PropertyInfo info, Labels labels) {
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

    /** The texts of the base, followed by the texts of the changes. */
    private TextTable texts(int strings, int later, String use) {
        Strings base = Strings.open(column(strings, "texts of " + use));
        return new TextTable(later == NONE ? base : base.and(Strings.open(column(later, "changed texts of " + use))));
    }

    private Lists owners(Directory.PropertyRow row, String use, long values) {
        boolean ofNodes = row.owner() == NONE;
        int count = ofNodes
                ? file.directory().nodesOfLayer(row.layer())
                : smallCount(file.directory().edgeLabels().get(row.owner()).edges(), use);
        IdSet present = set(row.present(), "owners of " + use, count);
        Ints offsets = row.offsets() == NONE ? null : Ints.open(column(row.offsets(), "offsets of " + use));
        return new Lists(present, offsets, values, ofNodes ? "node" : "edge", count);
    }

    /** The number of edges as an int. Throws if ranks do not fit in an int. */
    private int smallCount(long edges, String use) {
        if (edges < 0 || edges > Integer.MAX_VALUE) {
            throw file.faults().tooLarge(
                    use + " belongs to " + Long.toUnsignedString(edges) + " edges, this module numbers up to 2^31 - 1");
        }
        return (int) edges;
    }

    private int nodes() {
        return file.directory().nodes();
    }

    private int baseNodes() {
        return file.directory().baseNodes();
    }

    private IdSet set(int column, String use, int limit) {
        return IdSet.open(column(column, use), limit);
    }

    /** A column of integers. Throws if the column is missing or does not have {@code count} values. */
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
