package varvite.change;

/**
 * Copies the operations of a diff to another diff, and converts the numbers of names, new nodes and new edges
 * to those of the target diff.
 */
final class DiffAbsorption {
    private final DiffBuffer.Reader from;
    private final DiffBytes to;
    /** For each name number of the source diff, the name's number in the target diff. */
    private final int[] names;
    /** The number of nodes that the target diff adds by its own operations, and the number of edges. */
    private final int nodes;

    private final int edges;

    DiffAbsorption(DiffBuffer.Reader from, DiffBytes to, int[] names, int nodes, int edges) {
        this.from = from;
        this.to = to;
        this.names = names;
        this.nodes = nodes;
        this.edges = edges;
    }

    /** Copies the next operation. */
    void next() {
        int kind = from.u8();
        to.begin(kind);
        switch (kind) {
            case DiffBytes.ADD_NODE -> {
                for (int labels = count(); labels > 0; labels--) {
                    name();
                }
            }
            case DiffBytes.ADD_EDGE -> {
                name();
                node(from.u8());
                node(from.u8());
            }
            case DiffBytes.REMOVE_NODE -> to.u32(from.u32());
            case DiffBytes.REMOVE_EDGE -> edge();
            case DiffBytes.SET, DiffBytes.APPEND -> {
                owner();
                name();
                for (int values = count(); values > 0; values--) {
                    value();
                }
            }
            case DiffBytes.DECLARE_LABEL, DiffBytes.DECLARE_EDGE_LABEL -> name();
            case DiffBytes.DECLARE_PROPERTY -> {
                name();
                to.u8(from.u8());
                to.u8(from.u8());
                int isOfEdges = from.u8();
                to.u8(isOfEdges);
                if (isOfEdges != 0) {
                    name();
                }
            }
            default -> throw new IllegalStateException("operation of kind " + kind);
        }
        to.end();
    }

    private int count() {
        int count = from.u32();
        to.u32(count);
        return count;
    }

    private void name() {
        to.u32(names[from.u32()]);
    }

    private void edge() {
        name();
        to.u32(from.u32());
    }

    private void node(int kind) {
        to.u8(kind);
        to.u32(from.u32() + (kind == DiffBytes.NEW_NODE ? nodes : 0));
    }

    private void owner() {
        int kind = from.u8();
        switch (kind) {
            case DiffBytes.OWNER_EDGE -> {
                to.u8(kind);
                edge();
            }
            case DiffBytes.OWNER_NEW_EDGE -> {
                to.u8(kind);
                to.u32(from.u32() + edges);
            }
            default -> node(kind);
        }
    }

    private void value() {
        int kind = from.u8();
        to.u8(kind);
        switch (kind) {
            case DiffBytes.NULL -> {}
            case DiffBytes.BOOL -> to.u8(from.u8());
            case DiffBytes.SIGNED, DiffBytes.UNSIGNED, DiffBytes.DOUBLE -> to.u64(from.u64());
            case DiffBytes.TEXT, DiffBytes.BYTES -> to.bytes(from.bytes());
            case DiffBytes.NODE -> node(from.u8());
            default -> throw new IllegalStateException("value of kind " + kind);
        }
    }
}
