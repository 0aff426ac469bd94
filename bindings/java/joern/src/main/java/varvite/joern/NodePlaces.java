package varvite.joern;

import flatgraph.Schema;
import java.util.Arrays;
import java.util.List;
import varvite.Graph;
import varvite.Label;
import varvite.Labels;
import varvite.Origin;

/**
 * From ids to what flatgraph calls a node, the number of its kind in the schema and its place among those of that kind, and back. Places
 * are those that nodes had in the file that the graph came from.
 */
final class NodePlaces {
    private static final int NONE = -1;

    private final Graph file;
    private final Labels labels;
    /** The label of each kind; null where the file has none of that name. */
    private final Label[] labelOfKind;
    /** Those that were asked for. The graph has one of each, so that it does not matter which thread finds it first. */
    private final Origin[] origins;
    /** The kind for each label set; -1 where it is not one kind. */
    private final short[] kindOfCode;

    /**
     * For a graph all of whose nodes are of the schema.
     *
     * @throws ForeignGraphException if there is a node with a label that the schema does not have
     */
    NodePlaces(Graph file, Schema schema) {
        this.file = file;
        labels = file.labelSets();
        labelOfKind = new Label[schema.getNumberOfNodeKinds()];
        origins = new Origin[labelOfKind.length];
        kindOfCode = new short[labels.codeCount()];
        Arrays.fill(kindOfCode, (short) NONE);
        for (Label label : file.labels()) {
            int kind = kindOf(schema, label);
            if (kind >= 0) {
                labelOfKind[kind] = label;
                takeUp(label, (short) kind);
            }
        }
    }

    /** The kind of a label; -1 for one that no node has and the schema does not know. */
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
     * @throws ForeignGraphException if it has no label, or several
     */
    short kind(int node) {
        short kind = kindOfCode[labels.code(node)];
        if (kind < 0) {
            List<String> names = labels.of(node).stream().map(Label::name).toList();
            throw new ForeignGraphException(
                    file.path() + " has node " + node + " with labels " + names + ": Joern knows nodes with one label");
        }
        return kind;
    }

    /** The place of a node of a kind. */
    int seq(int node, int kind) {
        return origin(kind).number(node);
    }

    /** The node at a place, or -1. */
    int node(int kind, int seq) {
        Origin origin = origin(kind);
        return origin == null ? NONE : origin.node(seq);
    }

    /** How many places a kind has, those of deleted nodes included. */
    int placeCount(int kind) {
        Origin origin = origin(kind);
        return origin == null ? 0 : origin.count();
    }

    /** How many nodes a kind has. */
    int nodeCount(int kind) {
        Label label = labelOfKind[kind];
        return label == null ? 0 : file.nodes(label).size();
    }

    /** The label of a kind, or null. */
    Label label(int kind) {
        return labelOfKind[kind];
    }

    private Origin origin(int kind) {
        Origin known = origins[kind];
        return known == null ? openOrigin(kind) : known;
    }

    private Origin openOrigin(int kind) {
        Label label = labelOfKind[kind];
        if (label == null) {
            return null;
        }
        Origin origin = file.origin(label);
        origins[kind] = origin;
        return origin;
    }
}
