package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import varvite.Graph;
import varvite.error.ChangeException;

/**
 * Builds random diffs in Java, applies them in every way that the engine offers, and compares the graph, read
 * by Java's own readers, with {@link DiffModel}. Each test is named for its seed.
 */
class RandomDiffTest {
    private static final int SEEDS = 60;
    private static final int DIFFS = 6;
    private static final int LITTLE_MEMORY = 1 << 13;

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> diffsLeaveWhatTheModelSays() {
        return IntStream.range(0, SEEDS).mapToObj(seed -> dynamicTest("seed " + seed, () -> run(seed)));
    }

    private void run(int seed) throws IOException {
        Path path = folder.resolve(seed + ".varvite");
        Files.copy(Graphs.golden("sent/before.varvite"), path);
        DiffModel model = new DiffModel();
        Random random = new Random(seed);
        check(model, path);
        for (int round = 0; round < DIFFS; round++) {
            switch (random.nextInt(4)) {
                case 0 -> commit(model, random, path);
                case 1 -> refuse(model, random, path);
                case 2 -> apply(model, random, GraphChange.of(path).withMemoryBytes(LITTLE_MEMORY));
                default -> apply(model, random, GraphChange.of(path));
            }
            check(model, path);
        }
        assertEquals(0, Call.liveHandles());
    }

    private static void apply(DiffModel model, Random random, GraphChange change) {
        RandomDiff diff = new RandomDiff(model, random);
        diff.applied(change.apply(diff.diff()));
    }

    /** Makes small commits, and checks that readers see each of them. */
    private static void commit(DiffModel model, Random random, Path path) throws IOException {
        try (GraphLog log = GraphChange.of(path).log()) {
            for (int commits = 1 + random.nextInt(4); commits > 0; commits--) {
                RandomDiff diff = new RandomDiff(model, random);
                diff.applied(log.commit(diff.diff(), random.nextBoolean() ? Durability.SYNC : Durability.BUFFERED));
                if (random.nextBoolean()) {
                    RandomDiff wrong = new RandomDiff(model, random);
                    long number = wrong.addNonsense();
                    assertEquals(number, assertThrows(ChangeException.class, () -> log.commit(wrong.diff())).operation());
                }
                check(model, path);
            }
        }
    }

    private static void refuse(DiffModel model, Random random, Path path) throws IOException {
        byte[] before = Files.readAllBytes(path);
        RandomDiff wrong = new RandomDiff(model, random);
        long number = wrong.addNonsense();
        assertEquals(number, assertThrows(ChangeException.class, () -> GraphChange.of(path).apply(wrong.diff())).operation());
        assertArrayEquals(before, Files.readAllBytes(path));
    }

    private static void check(DiffModel model, Path path) throws IOException {
        try (Graph graph = Graph.openChecked(path)) {
            model.check(graph);
        }
    }
}
