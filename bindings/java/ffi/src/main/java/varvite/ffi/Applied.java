package varvite.ffi;

import java.util.OptionalInt;
import varvite.change.NewEdge;
import varvite.change.NewNode;

/** The result of applying a diff. Takes four bytes of memory for each added edge. */
public final class Applied {
    private final long firstNode;
    private final int nodeCount;
    private final int[] ranks;
    private final long fileLength;
    private final long written;
    private final long generation;
    private final long record;

    Applied(long firstNode, int nodeCount, int[] ranks, long fileLength, long written, long generation, long record) {
        this.firstNode = firstNode;
        this.nodeCount = nodeCount;
        this.ranks = ranks;
        this.fileLength = fileLength;
        this.written = written;
        this.generation = generation;
        this.record = record;
    }

    /**
     * The id of a node that the diff added.
     *
     * @throws IllegalArgumentException if the node's number is not below the number of nodes that this diff
     * added; such a node is from another diff
     */
    public int node(NewNode node) {
        checkOwn("node", node.index(), nodeCount);
        return Math.toIntExact(firstNode + node.index());
    }

    /**
     * The rank of an edge that the diff added; empty if the edge was omitted because the diff removes its
     * source or target.
     *
     * @throws IllegalArgumentException if the edge's number is not below the number of edges that this diff
     * added; such an edge is from another diff
     */
    public OptionalInt edge(NewEdge edge) {
        checkOwn("edge", edge.index(), ranks.length);
        int rank = ranks[edge.index()];
        return rank == Call.NONE ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    private static void checkOwn(String what, int index, int count) {
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("new " + what + " " + index + " belongs to another diff: this one adds only " + count);
        }
    }

    /**
     * The id of the first node that the diff added. The other added nodes have the next ids, in the diff's
     * order.
     */
    public long firstNode() {
        return firstNode;
    }

    /** The number of nodes that the diff added. */
    public int nodeCount() {
        return nodeCount;
    }

    /** The number of edges that the diff added. */
    public int edgeCount() {
        return ranks.length;
    }

    /** The size of the file in bytes after the commit. */
    public long fileLength() {
        return fileLength;
    }

    /** The number of new bytes in the file. */
    public long written() {
        return written;
    }

    /** The generation of the commit. */
    public long generation() {
        return generation;
    }

    /**
     * The number, from 1, of the diff's record in the log that follows the commit {@link #generation}; 0 if
     * the diff was applied by that commit itself.
     */
    public long record() {
        return record;
    }

    @Override
    public String toString() {
        return "Applied[" + nodeCount + " new nodes from " + firstNode + ", " + ranks.length + " new edges, commit " + generation
                + (record == 0 ? "" : ", record " + record) + ", " + written + " bytes written]";
    }
}
