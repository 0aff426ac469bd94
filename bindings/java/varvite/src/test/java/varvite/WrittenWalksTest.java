package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import varvite.error.WalkException;
import varvite.testing.Allocation;
import varvite.walk.Arena;
import varvite.walk.Counts;
import varvite.walk.Evaluation;
import varvite.walk.Evaluator;
import varvite.walk.Hop;
import varvite.walk.Order;
import varvite.walk.Plan;
import varvite.walk.Run;
import varvite.walk.Uniqueness;
import varvite.walk.Visit;
import varvite.walk.Walk;
import varvite.walk.WalkPath;

/**
 * Tests that the walks in the folder that {@code -Dvarvite.walks} names give the model's results in the same
 * sequence. The folder has random walks on random graphs, and walks on the tree from ekino's articles, whose
 * numbers of results have closed forms. {@code crates/varvite/tests/walks/written.rs} writes the folder.
 */
class WrittenWalksTest {
    private static final String FOLDER = System.getProperty("varvite.walks", "");
    private static final int FANOUT = 4;

    @TestFactory
    Stream<DynamicTest> randomWalksGiveWhatTheModelGives() throws IOException {
        if (FOLDER.isEmpty()) {
            return Stream.of();
        }
        try (Stream<Path> files = Files.list(Path.of(FOLDER))) {
            List<Path> walks = files.filter(file -> file.toString().endsWith(".walks")).sorted().toList();
            assertFalse(walks.isEmpty());
            return walks.stream().map(file -> dynamicTest(file.getFileName().toString(), () -> check(file)));
        }
    }

    private static void check(Path file) throws IOException {
        try (Graph graph = Graph.open(Path.of(file.toString().replace(".walks", ".varvite")))) {
            Arena arena = new Arena(64 << 20);
            for (String line : Files.readAllLines(file)) {
                check(graph, arena, line);
            }
        }
    }

    private static void check(Graph graph, Arena arena, String line) {
        String[] fields = line.split("\t", -1);
        Walk walk = WalkParser.walk(Json.parse(fields[0]));
        assertEquals(fields[0], walk.toJson());
        int[] starts = Arrays.stream(fields[1].split(",")).mapToInt(Integer::parseInt).toArray();
        if (fields[2].equals("none")) {
            WalkException e = assertThrows(WalkException.class, () -> walk.compile(graph));
            assertEquals(WalkException.Reason.CONTRADICTION, e.reason());
            return;
        }
        Run run = walk.compile(graph).run(arena).from(starts);
        WalkPath path = new WalkPath();
        for (String expected : fields[3].isEmpty() ? new String[0] : fields[3].split(";")) {
            assertTrue(run.next(), line);
            assertEquals(expected, shown(run.visit(), path), line);
        }
        assertTrue(!fields[2].equals("all") || !run.next(), line);
    }

    private static String shown(Visit visit, WalkPath path) {
        visit.path(path);
        assertEquals(path.size() - 1, visit.depth());
        assertEquals(path.size() < 2 ? -1 : path.node(path.size() - 2), visit.parent());
        assertEquals(path.edgeLabel(path.size() - 1), visit.edgeLabel());
        assertEquals(path.direction(path.size() - 1), visit.direction());
        StringBuilder shown = new StringBuilder().append(path.node(0));
        for (int i = 1; i < path.size(); i++) {
            shown.append(' ').append(path.node(i)).append(path.direction(i) == Direction.OUT ? '>' : '<').append(path.edgeLabel(i).name());
        }
        return shown.toString();
    }

    /** The walk of ekino's articles, without its condition for results. */
    private static Walk ofTree(Order order) {
        return Walk.inOrder(order).unique(Uniqueness.NONE).hop(Hop.out("HAS_B").from("A")).hop(Hop.out("HAS_A").from("B"));
    }

    @Test
    void aTreeCostsOneLookAtEachNodeOneAtEachLabelSetAndOneValueForEachB() throws IOException {
        if (FOLDER.isEmpty()) {
            return;
        }
        try (Graph graph = Graph.open(Path.of(FOLDER, "tree.varvite"))) {
            long nodes = graph.nodeCount();
            long ofB = graph.nodes("B").stream().count();
            long results = countTrue(graph);
            assertEquals(FANOUT * ofB, nodes - ofB - 1);
            Arena arena = new Arena(256 << 20);
            Counts expected = new Counts(nodes, results, nodes, nodes - 1, nodes, ofB);
            for (Order order : Order.values()) {
                Walk walk = ofTree(order).evaluator(Evaluator.includeLabels("B")).evaluator(Evaluator.includeNumber("value", 1, 1));
                Run run = walk.compile(graph).run(arena).from(0);
                assertEquals(results, run.count());
                assertEquals(expected, run.counts(), order.toString());
            }
            Label b = graph.label("B");
            IntProperty value = graph.ints("value");
            long[] calls = new long[2];
            Run run = ofTree(Order.DEPTH_FIRST).compile(graph).run(arena, visit -> {
                calls[0]++;
                boolean isB = visit.has(b);
                calls[1] += isB ? 1 : 0;
                return Evaluation.of(isB && value.is(visit.node(), false), true);
            });
            assertEquals(results, run.from(0).count());
            assertEquals(new Counts(nodes, results, nodes, nodes - 1, nodes, 0), run.counts());
            assertEquals(nodes, calls[0]);
            assertEquals(ofB, calls[1]);
        }
    }

    private static long countTrue(Graph graph) {
        IntProperty value = graph.ints("value");
        return graph.nodes("B").stream().filter(node -> value.is(node, false)).count();
    }

    @Test
    void aTraversalAllocatesNothingFromTheSecondOn() throws IOException {
        if (FOLDER.isEmpty() || !Allocation.isCounted()) {
            return;
        }
        try (Graph graph = Graph.open(Path.of(FOLDER, "tree.varvite"))) {
            IntProperty value = graph.ints("value");
            for (Order order : Order.values()) {
                Arena arena = new Arena(256 << 20);
                Plan plan = ofTree(order).compile(graph);
                Run led = plan.run(arena, visit -> Evaluation.of(value.is(visit.node(), false), true));
                Run alone = plan.run(arena);
                long held = arena.held();
                double bytes = Allocation.perCall(5, i -> led.from(0).count() + alone.from(0).count());
                assertEquals(0, bytes, order.toString());
                assertTrue(arena.held() > held && arena.most() <= arena.limit());
            }
        }
    }
}
