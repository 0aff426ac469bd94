package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.change.Diff;

/** A diff in native memory, and memory for its result. */
final class SentDiff {
    /**
     * The size of the C struct {@code varvite_applied}, with the fields first_node, node_count, edge_count,
     * file_length, written, generation and record.
     */
    static final long APPLIED_BYTES = 7 * Long.BYTES;

    final MemorySegment bytes;
    final MemorySegment applied;
    /** The rank of each new edge. */
    final MemorySegment ranks;
    final long edges;

    SentDiff(Arena arena, Diff diff) {
        bytes = arena.allocate(diff.byteSize());
        diff.copyTo(bytes);
        applied = arena.allocate(APPLIED_BYTES, Long.BYTES);
        edges = diff.newEdgeCount();
        ranks = arena.allocate(JAVA_INT, edges);
    }

    /** The result of the diff. To be called only after a native call that succeeded. */
    Applied answer() {
        return new Applied(
                applied.getAtIndex(JAVA_LONG, 0),
                Math.toIntExact(applied.getAtIndex(JAVA_LONG, 1)),
                ranks.toArray(JAVA_INT),
                applied.getAtIndex(JAVA_LONG, 3),
                applied.getAtIndex(JAVA_LONG, 4),
                applied.getAtIndex(JAVA_LONG, 5),
                applied.getAtIndex(JAVA_LONG, 6));
    }
}
