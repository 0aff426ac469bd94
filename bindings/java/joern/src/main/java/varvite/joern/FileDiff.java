package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.GNode;
import flatgraph.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import varvite.change.Diff;
import varvite.change.ElementRef;
import varvite.change.NewNode;
import varvite.change.NodeRef;
import varvite.spi.Utf8;

/**
 * Converts the changes of a mapped graph to a diff of its file. After the diff, the file has the same content
 * as a file that flatgraph would have written, including the index of each node in its kind and the order of
 * each list. The conversion takes as much memory as the {@link Diff}, 15 bytes for an edge.
 *
 * <p>New nodes are added in the order of their kinds and indexes, because the file numbers the nodes of a
 * kind in the order of ids. For an index without a node, a node is added and removed again. Edges are added
 * in the order of their numbers, so that they are in the right order in the lists of both ends.
 */
final class FileDiff {
    private final MappedStorage storage;
    private final MappedChanges changes;
    private final Schema schema;
    private final Diff diff = new Diff();
    private final NewNames names;
    /** For each kind, the number of its first new node among all nodes that the diff adds. */
    private final int[] firstNew;

    private FileDiff(MappedStorage storage, MappedChanges changes, Schema schema) {
        this.storage = storage;
        this.changes = changes;
        this.schema = schema;
        names = new NewNames(storage.file(), diff);
        firstNew = new int[schema.getNumberOfNodeKinds()];
    }

    /**
     * Makes the diff of changes whose edges are numbered.
     *
     * @throws PersistException if a change can't be stored in a file
     */
    static Diff of(MappedStorage storage, MappedChanges changes, Schema schema) {
        FileDiff made = new FileDiff(storage, changes, schema);
        made.addNodes();
        made.removeNodes();
        new EdgeDiff(made, storage, changes, schema).add();
        made.setValues();
        return made.diff;
    }

    Diff diff() {
        return diff;
    }

    NewNames names() {
        return names;
    }

    private void addNodes() {
        for (int kind = 0; kind < firstNew.length; kind++) {
            firstNew[kind] = diff.newNodeCount();
            String label = schema.getNodeLabel(kind);
            int count = changes.placeCount(kind) - changes.firstNew(kind);
            if (count > 0) {
                names.label(label);
            }
            for (int i = 0; i < count; i++) {
                diff.addNode(label);
            }
        }
    }

    private void removeNodes() {
        int nodes = storage.file().nodeCount();
        for (GNode node : changes.removedNodes()) {
            switch (ref(node)) {
                case NodeRef.Known(int id) -> diff.removeNode(id);
                // A new node is removed by the id that it would have.
                case NewNode(int index) -> diff.removeNode(Math.addExact(nodes, index));
            }
        }
    }

    /** The diff's reference to a node. */
    NodeRef ref(GNode node) {
        return ref(node.nodeKind, node.seq());
    }

    private NodeRef ref(int kind, int seq) {
        return changes.isNew(kind, seq)
                ? new NewNode(firstNew[kind] + seq - changes.firstNew(kind))
                : NodeRef.of(storage.id(kind, seq));
    }

    private void setValues() {
        for (int kind = 0; kind < firstNew.length; kind++) {
            for (int property = 0; property < schema.getNumberOfPropertyKinds(); property++) {
                Object[][] runs = changes.valueRuns(kind, property);
                for (int run = 0; runs != null && run < runs.length; run++) {
                    if (runs[run] != null) {
                        setValues(kind, property, run << EdgeRun.BITS, runs[run]);
                    }
                }
            }
        }
    }

    private void setValues(int kind, int property, int first, Object[] run) {
        String name = schema.getPropertyLabel(kind, property);
        for (int i = 0; i < run.length; i++) {
            if (run[i] == MappedChanges.UNCHANGED || !storage.hasNode(kind, first + i)) {
                continue;
            }
            Object[] all = MappedChanges.all(run[i]);
            if (all.length > 0) {
                names.property(
                        name, schema.getNodePropertyFormalType(kind, property), schema.getNodePropertyFormalQuantity(kind, property));
                set(ref(kind, first + i), name, all);
            } else if (names.hasProperty(name) && !changes.isNew(kind, first + i)) {
                diff.clear(ref(kind, first + i), name);
            }
        }
    }

    /** Replaces the values of a node or an edge by one or more values. */
    void set(ElementRef owner, String property, Object... all) {
        Object one = Arrays.stream(all).filter(value -> value != null).findFirst().orElse(null);
        switch (one) {
            case null -> diff.set(owner, property, new String[all.length]);
            case String ignored -> diff.set(owner, property, Arrays.stream(all).map(FileDiff::text).toArray(String[]::new));
            case GNode ignored -> diff.set(owner, property, Arrays.stream(all).map(this::referred).toArray(NodeRef[]::new));
            case Boolean ignored -> diff.set(owner, property, truths(all));
            case Float ignored -> diff.set(owner, property, Arrays.stream(all).mapToDouble(value -> (Float) value).toArray());
            case Double ignored -> diff.set(owner, property, Arrays.stream(all).mapToDouble(value -> (Double) value).toArray());
            case Number ignored -> diff.set(owner, property, Arrays.stream(all).mapToLong(value -> ((Number) value).longValue()).toArray());
            default -> throw new PersistException("a value of " + one.getClass() + " can't be kept");
        }
    }

    /** A text as flatgraph writes it, with question marks in place of unpaired surrogates. */
    private static String text(Object value) {
        String text = (String) value;
        boolean isText = text == null || Utf8.bytes(text) != null;
        return isText ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** The node that a value refers to; null if that node is removed, as after an import. */
    private NodeRef referred(Object value) {
        GNode node = (GNode) value;
        return node == null || AccessHelpers.isDeleted(node) ? null : ref(node);
    }

    private static boolean[] truths(Object[] all) {
        boolean[] truths = new boolean[all.length];
        for (int i = 0; i < all.length; i++) {
            truths[i] = (Boolean) all[i];
        }
        return truths;
    }
}
