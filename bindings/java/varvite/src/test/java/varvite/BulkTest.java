package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.VarviteException;

/**
 * Tests that bulk reads return the same numbers as single reads, and throw the same error for damage.
 */
class BulkTest {
    private static final int DAMAGED_FILES = 60;
    private static final int DAMAGED_BYTES = 60;
    private static final int PAGE = 4096;
    /** The start of the segments, which end where the directory starts. */
    private static final int SEGMENTS = 3 * PAGE;
    private static final List<String> PROFILES =
            List.of("awkward.direct", "awkward.compact", "awkward.indexed", "blocks.direct", "blocks.compact");

    @Test
    void goldenFilesOfEveryKindAnswerAlike() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Golden.file(""))) {
            files = all.filter(path -> path.toString().endsWith(".varvite")).toList();
        }
        assertTrue(files.size() > 100 && files.stream().mapToInt(BulkTest::check).sum() > 1000);
    }

    @Test
    void damagedFilesAnswerAlike(@TempDir Path folder) throws IOException {
        int opened = 0;
        for (int seed = 0; seed < DAMAGED_FILES; seed++) {
            Random random = new Random(seed);
            byte[] bytes = Files.readAllBytes(Golden.file(PROFILES.get(seed % PROFILES.size()) + ".varvite"));
            int directory = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(PAGE + 16);
            for (int i = 0; i < DAMAGED_BYTES; i++) {
                bytes[random.nextInt(SEGMENTS, directory)] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
            }
            opened += check(Files.write(folder.resolve("damaged-" + seed + ".varvite"), bytes)) > 0 ? 1 : 0;
        }
        assertTrue(opened > DAMAGED_FILES / 2, opened + " files that open");
    }

    @Test
    void aTextThatWasAskedForIsTheSameString() {
        try (Graph graph = Golden.open("blocks.compact.varvite")) {
            TextProperty names = graph.texts("NAME");
            RecentTexts recent = names.recentTexts();
            for (int round = 0; round < 2; round++) {
                for (int node = 0; node < graph.nodeCount(); node++) {
                    assertEquals(names.get(node), recent.get(node));
                    assertSame(recent.get(node), recent.get(node));
                }
            }
        }
    }

    /** Compares answers about a file and returns their number; 0 for a file that cannot be opened. */
    private static int check(Path path) {
        try (Graph graph = Graph.open(path)) {
            Random random = new Random(7);
            int compared = 0;
            for (EdgeLabel label : graph.edgeLabels()) {
                for (Direction direction : Direction.values()) {
                    Adjacency adjacency = opened(() -> graph.adjacency(label, direction));
                    compared += adjacency == null ? 0 : checkFrontiers(adjacency, graph.nodeCount(), random);
                }
            }
            for (PropertyInfo info : graph.properties()) {
                Property property = opened(() -> graph.property(info));
                compared += property == null ? 0 : checkRanges(property, random);
            }
            for (Label label : graph.labels()) {
                NodeSet nodes = opened(() -> graph.nodes(label));
                compared += nodes == null ? 0 : checkBits(nodes, random);
            }
            Labels labels = opened(graph::labelSets);
            compared += labels == null ? 0 : checkEach(graph.nodeCount(), random, labels::code, labels::fill);
            Optional<Subtree> subtree = opened(graph::subtree);
            compared += subtree == null || subtree.isEmpty()
                    ? 0
                    : checkEach(graph.nodeCount(), random, subtree.get()::end, subtree.get()::fillEnds);
            return compared;
        } catch (IOException | VarviteException e) {
            return 0;
        }
    }

    private static <T> T opened(Supplier<T> open) {
        try {
            return open.get();
        } catch (VarviteException e) {
            return null;
        }
    }

    private static int checkFrontiers(Adjacency adjacency, int nodes, Random random) {
        IntStream some = random.ints(100, 0, Math.max(nodes, 1));
        int[][] frontiers = {IntStream.range(0, nodes).toArray(), some.toArray(), {nodes}, {}};
        for (int[] frontier : frontiers) {
            String expected = outcome(() -> oneByOne(adjacency, frontier));
            assertEquals(expected, outcome(() -> expanded(adjacency, frontier)));
            assertEquals(withoutEnds(expected), outcome(() -> {
                IntList out = new IntList();
                adjacency.expand(frontier, frontier.length, out);
                return out.stream().boxed().toList().toString();
            }));
        }
        return frontiers.length;
    }

    private static String withoutEnds(String lists) {
        return lists.split(" ends ")[0];
    }

    private static String oneByOne(Adjacency adjacency, int[] frontier) {
        IntList out = new IntList();
        int[] ends = new int[frontier.length];
        for (int i = 0; i < frontier.length; i++) {
            adjacency.forEach(frontier[i], out::add);
            ends[i] = out.size();
        }
        return out.stream().boxed().toList() + " ends " + Arrays.toString(ends);
    }

    private static String expanded(Adjacency adjacency, int[] frontier) {
        IntList out = new IntList();
        int[] ends = new int[frontier.length];
        adjacency.expand(frontier, frontier.length, out, ends);
        return out.stream().boxed().toList() + " ends " + Arrays.toString(ends);
    }

    private static int checkRanges(Property property, Random random) {
        for (int[] range : ranges(property.owners().limit(), random)) {
            assertEquals(
                    outcome(() -> oneByOne(property, range[0], range[1])),
                    outcome(() -> filled(property, range[0], range[1])),
                    () -> property.info() + " " + Arrays.toString(range));
            Scans.check(property, range[0], range[1], random);
        }
        return 1;
    }

    /** The whole range, an empty range, and some random ranges. */
    private static List<int[]> ranges(int limit, Random random) {
        Stream<int[]> some = Stream.generate(() -> random.ints(2, 0, limit + 1).sorted().toArray());
        return Stream.concat(Stream.of(new int[] {0, limit}, new int[] {limit, limit}), some.limit(8)).toList();
    }

    private static String oneByOne(Property property, int start, int end) {
        RecentNumbers recent = property.recentNumbers();
        StringBuilder numbers = new StringBuilder();
        for (int owner = start; owner < end; owner++) {
            String number = property.isPresent(owner) ? Long.toString(Scans.value(property, owner, 0)) : "-";
            assertEquals(number, property.isPresent(owner) ? Long.toString(recent.get(owner, 0)) : "-");
            numbers.append(number).append(' ');
        }
        return numbers.toString();
    }

    private static String filled(Property property, int start, int end) {
        long[] numbers = new long[end - start + 1];
        long[] present = new long[Bits.words(end - start) + 1];
        Arrays.fill(numbers, -3);
        Arrays.fill(present, -3);
        property.fill(start, end, numbers, present);
        assertEquals(-3, numbers[end - start]);
        assertEquals(-3, present[present.length - 1]);
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < end - start; i++) {
            boolean isPresent = (present[i >>> 6] >>> i & 1) != 0;
            assertTrue(isPresent || numbers[i] == 0);
            shown.append(isPresent ? Long.toString(numbers[i]) : "-").append(' ');
        }
        return shown.toString();
    }

    private static int checkBits(NodeSet nodes, Random random) {
        for (int[] range : ranges(nodes.limit(), random)) {
            long[] bits = new long[Bits.words(range[1] - range[0])];
            String expected = outcome(() -> IntStream.range(range[0], range[1]).mapToObj(nodes::contains).toList().toString());
            assertEquals(expected, outcome(() -> {
                nodes.bits(range[0], range[1], bits);
                return IntStream.range(0, range[1] - range[0]).mapToObj(i -> (bits[i >>> 6] >>> i & 1) != 0).toList().toString();
            }));
        }
        return 1;
    }

    private interface Fill {
        void fill(int start, int end, int[] out);
    }

    private static int checkEach(int nodes, Random random, IntUnaryOperator one, Fill fill) {
        for (int[] range : ranges(nodes, random)) {
            int[] filled = new int[range[1] - range[0] + 1];
            String expected = outcome(() -> IntStream.range(range[0], range[1]).map(one).boxed().toList().toString());
            assertEquals(expected, outcome(() -> {
                fill.fill(range[0], range[1], filled);
                return IntStream.of(filled).limit(filled.length - 1).boxed().toList().toString();
            }));
            assertEquals(0, filled[filled.length - 1]);
        }
        return 1;
    }

    /** The answer to a question, or its exception, as text. */
    private static String outcome(Supplier<String> question) {
        try {
            return question.get();
        } catch (VarviteException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }
}
