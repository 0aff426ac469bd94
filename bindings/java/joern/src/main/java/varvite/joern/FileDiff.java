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
 * The changes of a mapped graph, as a diff of its file. With the diff applied, the file equals the one that
 * flatgraph would have written, down to the place of each node and the order of each list. Takes as many
 * bytes as {@link Diff} takes for it, 15 for an edge.
 *
 * <p>New nodes are added by their kinds and places, which are counted in the order of ids; a place without a
 * node gets one that is removed again. Edges are added in the order of their numbers, so that they come to
 * the lists of both ends in the order in which these have them.
 */
final class FileDiff {
    private final MappedStorage storage;
    private final MappedChanges changes;
    private final Schema schema;
    private final Diff diff = new Diff();
    private final NewNames names;
    /** The number of the first new node of each kind in the diff. */
    private final int[] firstNew;

    private FileDiff(MappedStorage storage, MappedChanges changes, Schema schema) {
        this.storage = storage;
        this.changes = changes;
        this.schema = schema;
        names = new NewNames(storage.file(), diff);
        firstNew = new int[schema.getNumberOfNodeKinds()];
    }

    /**
     * The diff of changes that are numbered.
     *
     * @throws PersistException if something has changed that a file can't have
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
                // The id that it gets.
                case NewNode(int index) -> diff.removeNode(Math.addExact(nodes, index));
            }
        }
    }

    /** A node as the diff names it. */
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

    /** Gives a node or edge these values, at least one, and no others. */
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

    /** A text as flatgraph writes it: half of a surrogate pair becomes a question mark. */
    private static String text(Object value) {
        String text = (String) value;
        boolean isText = text == null || Utf8.bytes(text) != null;
        return isText ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** A node that a value refers to; none for one that is gone, as an import has it. */
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
