package varvite.joern;

import flatgraph.GNode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The node objects by id. Each used node has one object, which all callers share. References are stored in
 * chunks of consecutive ids. A chunk is allocated when one of its nodes is first used, and takes four bytes
 * for each of its ids, so that unused parts of the graph take no memory.
 *
 * <p>May be used by any number of threads. A node is published by a compare-and-set, so that a thread that
 * finds the node also sees its fields. {@link Kept} explains why plain reads of the references suffice.
 */
final class NodeTable {
    private static final int CHUNK_BITS = 10;
    private static final int IN_CHUNK = (1 << CHUNK_BITS) - 1;
    private static final VarHandle CHUNKS = MethodHandles.arrayElementVarHandle(GNode[][].class);
    private static final VarHandle NODES = MethodHandles.arrayElementVarHandle(GNode[].class);

    private final GNode[][] chunks;

    /** A table for ids below {@code nodes}. */
    NodeTable(int nodes) {
        chunks = new GNode[(int) ((nodes + (long) IN_CHUNK) >>> CHUNK_BITS)][];
    }

    /** The node object with an id; null if it has not been made yet. */
    GNode get(int id) {
        GNode[] chunk = chunks[id >>> CHUNK_BITS];
        return chunk == null ? null : chunk[id & IN_CHUNK];
    }

    /**
     * Stores a node object for an id. Returns this object, or the object that another thread has already
     * stored for the id.
     */
    GNode add(int id, GNode node) {
        GNode[] chunk = chunk(id >>> CHUNK_BITS);
        GNode other = (GNode) NODES.compareAndExchange(chunk, id & IN_CHUNK, (GNode) null, node);
        return other == null ? node : other;
    }

    private GNode[] chunk(int number) {
        GNode[] chunk = chunks[number];
        if (chunk != null) {
            return chunk;
        }
        GNode[] made = new GNode[IN_CHUNK + 1];
        GNode[] other = (GNode[]) CHUNKS.compareAndExchange(chunks, number, (GNode[]) null, made);
        return other == null ? made : other;
    }
}
