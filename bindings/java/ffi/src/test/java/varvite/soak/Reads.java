package varvite.soak;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.ffi.NativeGraph;
import varvite.ffi.NativeProperty;
import varvite.ffi.NativeRun;
import varvite.ffi.ValueCursor;

/**
 * Reads of a graph that another thread soon closes. Each method returns a number that depends on every value
 * that it read.
 */
public final class Reads {
    private static final String PLAN =
            "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHOD\"]},{\"step\":\"out\",\"labels\":[\"AST\"]}]}";

    private Reads() {}

    /** Runs a pipeline to its end. */
    public static long plan(NativeGraph engine) {
        try (NativeRun run = engine.run(PLAN)) {
            long sum = 0;
            while (run.next()) {
                sum += run.node(0);
            }
            return sum;
        }
    }

    /**
     * Reads the values of every {@code stride}th of the first {@code nodes} nodes, both copied and pinned.
     */
    public static long values(NativeProperty property, int nodes, int stride) {
        try (ValueCursor value = property.cursor();
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(1 << 16);
            long sum = 0;
            for (int node = 0; node < nodes; node += stride) {
                value.fillOrPin(node, buffer, node % 2 == 0 ? 0 : 1 << 16);
                sum += value.length() > 0 ? value.get(value.length() - 1) : 0;
            }
            return sum;
        }
    }
}
