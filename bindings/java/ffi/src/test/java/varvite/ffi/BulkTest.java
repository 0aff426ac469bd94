package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import varvite.Graph;
import varvite.IntProperty;
import varvite.Profile;
import varvite.pipeline.Pipeline;
import varvite.pipeline.Predicate;

/**
 * Tests that Java's reads of ranges of nodes equal the engine's answers, for the code graph of zlib in each
 * profile.
 */
class BulkTest {
    private static final List<String> NUMBERS = List.of("LINE_NUMBER", "COLUMN_NUMBER", "ORDER", "ARGUMENT_INDEX");
    private static final int ROUNDS = 40;

    @ParameterizedTest
    @EnumSource(Profile.class)
    void rangesOfNumbersAreThoseOfTheEngine(Profile profile) {
        Random random = new Random(11);
        try (Graph graph = Graphs.open(profile);
                NativeGraph engine = NativeGraph.open(Graphs.of(profile), false)) {
            int found = 0;
            for (int round = 0; round < ROUNDS; round++) {
                String name = NUMBERS.get(round % NUMBERS.size());
                int[] nodes = random.ints(2, 0, Graphs.NODES + 1).sorted().toArray();
                int[] numbers = random.ints(2, 0, round % 3 == 0 ? 10 : 1000).sorted().toArray();
                found += check(graph.ints(name), engine, nodes[0], nodes[1], numbers[0], numbers[1]);
            }
            assertTrue(found > 10_000, found + " nodes");
        }
    }

    private static int check(IntProperty property, NativeGraph engine, int start, int end, int least, int greatest) {
        String name = property.info().name();
        Pipeline between = Pipeline.nodes().has(name, Predicate.gte(least)).has(name, Predicate.lte(greatest));
        int[] expected = nodes(engine, between).filter(node -> node >= start && node < end).toArray();
        long[] bits = new long[(end - start + 63) / 64];
        property.select(least, greatest, start, end, bits);
        assertArrayEquals(expected, members(bits, start, end), name);
        assertEquals(expected.length, property.countIn(least, greatest, start, end));
        property.selectPresent(start, end, bits);
        int[] present = nodes(engine, Pipeline.nodes().has(name)).filter(node -> node >= start && node < end).toArray();
        assertArrayEquals(present, members(bits, start, end), name);
        return expected.length;
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void columnsAreThoseOfTheEngine(Profile profile) {
        try (Graph graph = Graphs.open(profile);
                NativeGraph engine = NativeGraph.open(Graphs.of(profile), false)) {
            for (String name : NUMBERS) {
                IntProperty property = graph.ints(name);
                int[] numbers = new int[Graphs.NODES];
                long[] present = new long[(Graphs.NODES + 63) / 64];
                property.fill(0, Graphs.NODES, numbers, present);
                long[] expected = values(engine, name);
                int[] filled = IntStream.of(members(present, 0, Graphs.NODES)).map(node -> numbers[node]).toArray();
                assertArrayEquals(expected, IntStream.of(filled).asLongStream().toArray(), name);
                assertEquals(LongStream.of(expected).sum(), property.sum(0, Graphs.NODES), name);
            }
        }
    }

    private static IntStream nodes(NativeGraph engine, Pipeline pipeline) {
        IntStream.Builder nodes = IntStream.builder();
        try (NativeRun run = engine.run(pipeline)) {
            while (run.next()) {
                run.forEachNode(nodes);
            }
        }
        return nodes.build();
    }

    private static long[] values(NativeGraph engine, String name) {
        LongStream.Builder values = LongStream.builder();
        try (NativeRun run = engine.run(Pipeline.nodes().values(name))) {
            while (run.next()) {
                IntStream.range(0, run.rows()).mapToLong(run::number).forEach(values);
            }
        }
        return values.build().toArray();
    }

    private static int[] members(long[] bits, int start, int end) {
        return IntStream.range(0, end - start)
                .filter(i -> (bits[i >>> 6] >>> i & 1) != 0)
                .map(i -> start + i)
                .toArray();
    }
}
