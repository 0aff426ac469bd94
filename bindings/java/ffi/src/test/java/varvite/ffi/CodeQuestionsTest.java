package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import varvite.Graph;
import varvite.NodeSet;
import varvite.Profile;
import varvite.TextProperty;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;

/**
 * Compares the engine's source locations and calls with results of Java's cursors, on a real graph. The
 * conformance cases use small graphs.
 */
class CodeQuestionsTest {
    private static final int NO_SUCH_NODE = -31;
    private static final int DAMAGED = -23;

    @Test
    void callsOfAMethodAreInItsListAndInTheMethodsThatContainThem() throws IOException {
        try (Graph read = Graphs.open(Profile.DIRECT)) {
            int method = methodOf(read, "inflate_fast");
            TextProperty fullName = read.texts("FULL_NAME");
            TextProperty fileName = read.texts("FILENAME");
            int[] expected = read.in("CALL").neighbors(method).sorted().toArray();
            for (Profile profile : Profile.values()) {
                try (NativeGraph graph = NativeGraph.open(Graphs.of(profile), false)) {
                    int[] calls = graph.callsOf(method, method);
                    assertArrayEquals(expected, calls);
                    List<Site> sites = graph.sites(calls);
                    assertEquals(calls.length, sites.size());
                    for (int i = 0; i < calls.length; i++) {
                        int container = read.in("CONTAINS").first(calls[i]);
                        Site site = sites.get(i);
                        assertEquals(container, site.method().orElseThrow());
                        assertEquals(fullName.get(container), site.methodName().orElseThrow());
                        assertEquals(fileName.get(container), site.file().orElseThrow());
                        assertEquals(read.ints("LINE_NUMBER").get(calls[i], -1), site.line().orElseThrow());
                        assertFalse(site.isCutOff());
                    }
                }
            }
        }
    }

    @Test
    void calleesAreCountedByTheirCalls() throws IOException {
        try (Graph read = Graphs.open(Profile.DIRECT);
                NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            int[] methods = read.nodes("METHOD").stream().toArray();
            Map<Integer, Long> expected = new TreeMap<>();
            for (int method : methods) {
                read.out("CONTAINS").forEach(
                        method, node -> read.out("CALL").forEach(node, callee -> expected.merge(callee, 1L, Long::sum)));
            }
            List<Callee> callees = graph.calleesOf(methods);
            assertTrue(callees.size() > 256, "more than there is room for at first");
            assertEquals(
                    expected.entrySet().stream().map(entry -> new Callee(entry.getKey(), entry.getValue())).toList(), callees);
        }
    }

    @Test
    void everyNodeOfAGraphIsAnsweredHoweverLittleRoomThereIsForNames() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false)) {
            int[] nodes = IntStream.range(0, Graphs.NODES).toArray();
            List<Site> sites = graph.sites(nodes);
            assertEquals(Graphs.NODES, sites.size());
            assertTrue(sites.stream().filter(site -> site.methodName().isPresent()).count() > 30_000);
            int[] some = IntStream.iterate(0, node -> node < Graphs.NODES, node -> node + 97).toArray();
            List<Site> expected = IntStream.of(some).mapToObj(sites::get).toList();
            assertEquals(expected, CodeQuestions.sites(graph, some, 1));
        }
    }

    @Test
    void noNodesHaveNoAnswers() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            assertEquals(List.of(), graph.sites());
            assertArrayEquals(new int[0], graph.callsOf());
            assertEquals(List.of(), graph.calleesOf());
        }
    }

    @Test
    void anIdThatIsNoNodeIsRefused() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            List<Runnable> questions = List.of(
                    () -> graph.sites(0, Graphs.NODES), () -> graph.callsOf(0, -1), () -> graph.calleesOf(Graphs.NODES));
            for (Runnable question : questions) {
                assertEquals(NO_SUCH_NODE, assertThrows(EngineException.class, question::run).number());
            }
        }
    }

    @Test
    void aClosedGraphAnswersNothing() {
        NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
        graph.close();
        assertThrows(GraphClosedException.class, () -> graph.sites(0));
        assertThrows(GraphClosedException.class, () -> graph.callsOf(0));
        assertThrows(GraphClosedException.class, () -> graph.calleesOf(0));
    }

    @Test
    void damageOnTheWayIsAnError() {
        try (NativeGraph graph = NativeGraph.open(Graphs.golden("damaged/text-outside.varvite"), false)) {
            int[] nodes = IntStream.range(0, 12).toArray();
            assertEquals(DAMAGED, assertThrows(EngineException.class, () -> graph.sites(nodes)).number());
        }
    }

    /**
     * The tree is a single chain, so that each search for a METHOD is as long as the chain. After some
     * searches, the engine gives up and marks the sites.
     */
    @Test
    void sitesThatAreTooDeepAreMarked() {
        try (NativeGraph graph = NativeGraph.open(Graphs.golden("graphs/deep-tree.varvite"), false)) {
            int[] nodes = IntStream.range(0, 400).map(at -> at % 2 == 0 ? 19_999 : 10_000).toArray();
            List<Site> sites = graph.sites(nodes);
            assertFalse(sites.getFirst().isCutOff());
            assertTrue(sites.getLast().isCutOff());
            assertEquals(Optional.empty(), sites.getLast().file());
        }
    }

    private static int methodOf(Graph graph, String name) {
        TextProperty names = graph.texts("NAME");
        NodeSet methods = graph.nodes("METHOD");
        return methods.stream().filter(method -> name.equals(names.get(method))).findFirst().orElseThrow();
    }
}
