package varvite.joern;

import flatgraph.GNode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The objects of nodes that were touched, by id: one object for each node, for all callers. References lie in
 * chunks that are made when the first node of a chunk is touched, so that the heap holds four bytes for each
 * neighbour in the numbering of a touched node, and nothing for untouched parts of the graph.
 *
 * <p>For any number of threads. A node is published by a compare-and-set, so that a thread that finds it sees
 * its fields: they are read after the reference, as final fields are. {@link Kept} has the reason why no
 * handle reads references.
 */
final class NodeTable {
    private static final int CHUNK_BITS = 10;
    private static final int IN_CHUNK = (1 << CHUNK_BITS) - 1;
    private static final VarHandle CHUNKS = MethodHandles.arrayElementVarHandle(GNode[][].class);
    private static final VarHandle NODES = MethodHandles.arrayElementVarHandle(GNode[].class);

    private final GNode[][] chunks;

    /** For ids below {@code nodes}. */
    NodeTable(int nodes) {
        chunks = new GNode[(int) ((nodes + (long) IN_CHUNK) >>> CHUNK_BITS)][];
    }

    /** The node of an id, or null if none was made yet. */
    GNode get(int id) {
        GNode[] chunk = chunks[id >>> CHUNK_BITS];
        return chunk == null ? null : chunk[id & IN_CHUNK];
    }

    /** The node of an id: this one, or the one that another thread has made before. */
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
