package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import varvite.Profile;
import varvite.testing.Allocation;

/**
 * Tests that no call of the engine, for a value or a batch, allocates on the Java heap once the code that it
 * needs is linked.
 */
class AllocationTest {
    private static final double NOISE = 0.1;
    private static final long BUFFER_BYTES = 1 << 16;

    private static long sink;

    @BeforeEach
    void bytesAreCounted() {
        assumeTrue(Allocation.isCounted());
    }

    /** Reads values that are copied, borrowed in place, or pinned. */
    @ParameterizedTest
    @CsvSource({"DIRECT, 0", "COMPACT, 0", "COMPACT, 65536", "ARCHIVE, 0", "ARCHIVE, 65536"})
    void aValueAllocatesNothing(Profile profile, long threshold) {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(profile), false);
                NativeProperty code = graph.property("CODE");
                ValueCursor value = code.cursor();
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER_BYTES);
            byte[] out = new byte[(int) BUFFER_BYTES];
            double bytes = Allocation.perCall(Graphs.NODES, node -> {
                ValueCursor.Result result = value.fillOrPin(node, buffer, threshold);
                long eight = value.length() >= Long.BYTES ? value.getLong(value.length() - Long.BYTES) : 0;
                return result.ordinal() + eight + value.copyInto(out, 0);
            });
            assertTrue(bytes < NOISE, bytes + " bytes allocated for each");
        }
        assertEquals(0, Call.liveHandles());
    }

    /** Shows that the measurement works: a read that returns an object does allocate. */
    @Test
    void anAllocationIsSeen() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeProperty name = graph.property("NAME")) {
            Value[] last = new Value[1];
            double bytes = Allocation.perCall(Graphs.NODES, node -> {
                last[0] = name.fillOrPin(node, MemorySegment.NULL, 0);
                return node;
            });
            assertTrue(bytes > NOISE, bytes + " bytes");
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void aBatchOfNodesAllocatesNothing(Profile profile) {
        int[] nodes = new int[1 << 17];
        long[] sum = new long[1];
        IntConsumer add = node -> sum[0] += node;
        assertBatchesQuiet(profile, "{\"step\":\"nodes\"},{\"step\":\"out\",\"labels\":[\"AST\"]}", run -> run.copyNodes(nodes) + run.node(0));
        assertBatchesQuiet(profile, "{\"step\":\"nodes\"}", run -> {
            run.forEachNode(add);
            return (int) sum[0];
        });
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void aBatchOfEdgesOrNumbersAllocatesNothing(Profile profile) {
        long[] numbers = new long[1 << 17];
        assertBatchesQuiet(profile, "{\"step\":\"edges\",\"labels\":[\"CALL\"]}", run -> {
            int sum = 0;
            for (int row = 0; row < run.rows(); row++) {
                sum += run.source(row) + run.target(row) + run.edgeLabel(row);
            }
            return sum;
        });
        assertBatchesQuiet(profile, "{\"step\":\"nodes\"},{\"step\":\"group_count\",\"by\":\"label\"}", run -> run.copyNumbers(1, numbers));
        assertBatchesQuiet(profile, "{\"step\":\"nodes\"},{\"step\":\"values\",\"property\":\"ORDER\"}", run -> (int) run.number(0));
    }

    private interface Batch {
        int read(NativeRun run);
    }

    /**
     * Takes the minimum over several runs, because the first run links all code for a batch. Does not measure
     * a run's first batch, which allocates the run's memory.
     */
    private static void assertBatchesQuiet(Profile profile, String steps, Batch batch) {
        String plan = "{\"version\":1,\"steps\":[" + steps + "]}";
        try (NativeGraph graph = NativeGraph.open(Graphs.of(profile), false)) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 4; i++) {
                try (NativeRun run = graph.run(plan)) {
                    boolean isBatch = run.next();
                    sink += batch.read(run);
                    long before = Allocation.ofThisThread();
                    while (isBatch) {
                        isBatch = run.next();
                        sink += isBatch ? batch.read(run) : 0;
                    }
                    least = Math.min(least, Allocation.ofThisThread() - before);
                }
            }
            assertTrue(least < 128, least + " bytes allocated for the batches after the first of " + plan);
        }
    }
}
