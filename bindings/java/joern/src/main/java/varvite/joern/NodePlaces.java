package varvite.joern;

import flatgraph.Schema;
import java.util.Arrays;
import java.util.List;
import varvite.Graph;
import varvite.Label;
import varvite.Labels;
import varvite.Origin;

/**
 * Converts between ids and the numbers by which flatgraph identifies a node: the number of its kind in the
 * schema and its index among the nodes of that kind. Indexes are those in the file from which the graph was
 * imported.
 */
final class NodePlaces {
    private static final int NONE = -1;

    private final Graph file;
    private final Labels labels;
    /** The label of each kind; null if the file has no label with the kind's name. */
    private final Label[] labelOfKind;
    /** The origin of each kind that the file has. */
    private final Opened<Origin> origins;
    /** The kind for each label set; -1 for a label set that is not one kind. */
    private final short[] kindOfCode;
    private final Windows codes;
    private final Windows seqs;

    /**
     * Checks that all nodes of a graph fit the schema.
     *
     * @throws ForeignGraphException if a node has a label that the schema lacks
     */
    NodePlaces(Graph file, Schema schema) {
        this.file = file;
        labels = file.labelSets();
        labelOfKind = new Label[schema.getNumberOfNodeKinds()];
        origins = new Opened<>(labelOfKind.length, kind -> labelOfKind[kind] == null ? null : file.origin(labelOfKind[kind]));
        kindOfCode = new short[labels.codeCount()];
        Arrays.fill(kindOfCode, (short) NONE);
        codes = new Windows(file.nodeCount(), labels::fill);
        seqs = new Windows(file.nodeCount(), this::fillSeqs);
        for (Label label : file.labels()) {
            int kind = kindOf(schema, label);
            if (kind >= 0) {
                labelOfKind[kind] = label;
                takeUp(label, (short) kind);
            }
        }
    }

    /** The kind for a label; -1 for a label that the schema lacks and that no node has. */
    private int kindOf(Schema schema, Label label) {
        scala.Option<Object> kind = schema.getNodeKindByLabelMaybe(label.name());
        if (kind.isDefined()) {
            return ((Number) kind.get()).intValue();
        }
        int nodes = file.nodes(label).size();
        if (nodes > 0) {
            throw new ForeignGraphException(file.path() + " has " + nodes + " nodes with label " + label.name()
                    + ", which the schema of this program does not have: read it with a version that does, or drop layer "
                    + label.layer().name());
        }
        return NONE;
    }

    private void takeUp(Label label, short kind) {
        for (int code = 0; code < kindOfCode.length; code++) {
            if (labels.codeHas(code, label)) {
                kindOfCode[code] = kindOfCode[code] == NONE ? kind : NONE - 1;
            }
        }
    }

    /**
     * The kind of a node.
     *
     * @throws ForeignGraphException if the node has no label or several labels
     */
    short kind(int node) {
        short kind = kindOfCode[codes.get(node)];
        if (kind < 0) {
            List<String> names = labels.of(node).stream().map(Label::name).toList();
            throw new ForeignGraphException(
                    file.path() + " has node " + node + " with labels " + names + ": in Joern a node has one label");
        }
        return kind;
    }

    /** The index of a node of a kind. */
    int seq(int node, int kind) {
        Origin origin = origins.get(kind);
        return origin.isInOrder() ? seqs.get(node) : origin.number(node);
    }

    /**
     * Writes the indexes of the nodes from {@code start} to below {@code end}, for kinds whose indexes rise
     * with the ids. Counts upwards from the first node of each kind.
     */
    private void fillSeqs(int start, int end, int[] out) {
        labels.fill(start, end, out);
        int[] next = new int[labelOfKind.length];
        Arrays.fill(next, NONE);
        for (int i = 0; i < end - start; i++) {
            int kind = kindOfCode[out[i]];
            if (kind >= 0) {
                next[kind] = next[kind] < 0 ? firstSeq(kind, start + i) : next[kind] + 1;
            }
            out[i] = kind < 0 ? NONE : next[kind];
        }
    }

    /**
     * The first index of a kind whose indexes rise with the ids; for other kinds the result has no meaning.
     */
    private int firstSeq(int kind, int node) {
        Origin origin = origins.get(kind);
        return origin.isInOrder() ? origin.number(node) : 0;
    }

    /** The node with an index; -1 if there is none. */
    int node(int kind, int seq) {
        Origin origin = origins.get(kind);
        return origin == null ? NONE : origin.node(seq);
    }

    /**
     * Writes the nodes of a kind with indexes from {@code start} to below {@code end}, all of which the file
     * must have; -1 for an index without a node.
     */
    void fill(int kind, int start, int end, int[] out) {
        origins.get(kind).fill(start, end, out);
    }

    /** The number of node indexes of a kind, including those of deleted nodes. */
    int placeCount(int kind) {
        Origin origin = origins.get(kind);
        return origin == null ? 0 : origin.count();
    }

    /** The number of nodes of a kind. */
    int nodeCount(int kind) {
        Label label = labelOfKind[kind];
        return label == null ? 0 : file.nodes(label).size();
    }

    /** The label of a kind; null if the file does not have it. */
    Label label(int kind) {
        return labelOfKind[kind];
    }
}
