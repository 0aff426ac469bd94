package varvite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import varvite.error.CancelledException;
import varvite.error.GraphClosedException;
import varvite.error.NoSuchNodeException;
import varvite.error.OverBudgetException;
import varvite.error.TimedOutException;
import varvite.error.UnknownNameException;
import varvite.error.WalkException;
import varvite.testing.Allocation;
import varvite.walk.Arena;
import varvite.walk.Evaluation;
import varvite.walk.Evaluator;
import varvite.walk.Guide;
import varvite.walk.Hop;
import varvite.walk.Order;
import varvite.walk.Plan;
import varvite.walk.Run;
import varvite.walk.Steps;
import varvite.walk.Uniqueness;
import varvite.walk.Visit;
import varvite.walk.Walk;
import varvite.walk.Within;

/**
 * Tests of everything but the order of a walk's results: laziness, limits, errors, states, and steps that the
 * caller chooses.
 */
class WalkTest {
    private static final Graph GRAPH = Golden.open("blocks.direct.varvite");
    private static final Hop ANY = Hop.both();

    private static Run run(Walk walk) {
        return walk.compile(GRAPH).run(new Arena(64 << 20));
    }

    private static int[] nodes(Run run) {
        IntList nodes = new IntList();
        run.forEach(visit -> nodes.add(visit.node()));
        return nodes.toArray();
    }

    /**
     * The depth of each node that can be reached from a start node along edges in both directions, computed
     * with a queue. Nodes are in the order in which they are reached.
     */
    private static Map<Integer, Integer> depths(int start) {
        Map<Integer, Integer> depths = new LinkedHashMap<>(Map.of(start, 0));
        ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            int node = queue.remove();
            for (EdgeLabel label : GRAPH.edgeLabels()) {
                for (Direction direction : Direction.values()) {
                    GRAPH.adjacency(label, direction).forEach(node, neighbor -> {
                        if (depths.putIfAbsent(neighbor, depths.get(node) + 1) == null) {
                            queue.add(neighbor);
                        }
                    });
                }
            }
        }
        return depths;
    }

    private static int[] ints(Iterable<Integer> all) {
        List<Integer> list = new ArrayList<>();
        all.forEach(list::add);
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    @Test
    void breadthFirstIsTheOrderOfAQueue() {
        for (int start : new int[] {0, GRAPH.nodeCount() / 2}) {
            Map<Integer, Integer> expected = depths(start);
            assertArrayEquals(ints(expected.keySet()), nodes(run(Walk.breadthFirst().hop(ANY)).from(start)));
            assertArrayEquals(ints(expected.keySet()), nodes(run(Walk.bestFirst().hop(ANY)).from(start)));
            Run run = run(Walk.breadthFirst().hop(ANY)).from(start);
            while (run.next()) {
                assertEquals(expected.get(run.visit().node()), run.visit().depth());
            }
            int[] deepest = nodes(run(Walk.inOrder(Order.BREADTH_FIRST_POST).hop(ANY)).from(start));
            assertEquals(start, deepest[deepest.length - 1]);
            assertEquals(expected.size(), deepest.length);
        }
    }

    @Test
    void whoStopsEarlyHasLookedAtLittle() {
        Run run = run(Walk.depthFirst().hop(ANY)).from(0);
        assertTrue(run.next());
        assertEquals(0, run.counts().edges());
        assertEquals(0, run.visit().node());
        assertEquals(-1, run.visit().parent());
        assertNull(run.visit().edgeLabel());
        assertNull(run.visit().direction());
        assertTrue(run.next());
        assertEquals(1, run.counts().edges());
        assertEquals(0, run.visit().parent());
    }

    @Test
    void aLimitEndsAWalkWithoutAnError() {
        int[] all = nodes(run(Walk.breadthFirst().hop(ANY)).from(0));
        assertArrayEquals(Arrays.copyOf(all, 3), nodes(run(Walk.breadthFirst().hop(ANY).limit(3)).from(0)));
        assertArrayEquals(new int[0], nodes(run(Walk.breadthFirst().hop(ANY).limit(0)).from(0)));
    }

    @Test
    void oneRunServesForManyWalks() {
        Run run = run(Walk.depthFirst().hop(ANY));
        int[] first = nodes(run.from(0));
        assertArrayEquals(first, nodes(run.from(0)));
        run.from(0).next();
        assertArrayEquals(nodes(run(Walk.depthFirst().hop(ANY)).from(5)), nodes(run.from(5)));
        assertArrayEquals(first, nodes(run.from(new int[] {0})));
    }

    @Test
    void startsCountAsVisitedBeforeTheFirstStep() {
        Run run = run(Walk.breadthFirst().hop(ANY));
        int[] found = nodes(run.from(new int[] {3, 1, 3, 2}));
        assertArrayEquals(new int[] {3, 1, 2}, Arrays.copyOf(found, 3));
        assertEquals(found.length, Arrays.stream(found).distinct().count());
        Run paths = run(Walk.depthFirst().hop(ANY).unique(Uniqueness.nodes(Within.PATH)).evaluator(Evaluator.toDepth(0)));
        assertArrayEquals(new int[] {3, 3}, nodes(paths.from(new int[] {3, 3})));
    }

    @Test
    void aFunctionIsAskedAfterTheDescription() {
        Walk walk = Walk.breadthFirst().hop(ANY).evaluator(Evaluator.toDepth(2));
        Map<Integer, Integer> depths = depths(0);
        int[] expected = depths.keySet().stream().mapToInt(Integer::intValue).filter(node -> depths.get(node) <= 2 && node % 2 == 0).toArray();
        Run run = walk.compile(GRAPH).run(new Arena(1 << 20), visit -> {
            assertEquals(GRAPH.labelSets().word(visit.node()), visit.labelWord());
            assertEquals(GRAPH.labelSets().code(visit.node()), visit.labelCode());
            GRAPH.labels().forEach(label -> assertEquals(GRAPH.labelSets().has(visit.node(), label), visit.has(label)));
            return Evaluation.of(visit.node() % 2 == 0, true);
        });
        assertArrayEquals(expected, nodes(run.from(0)));
    }

    @Test
    void aStateFlowsAlongEachBranch() {
        Guide sum = new Guide() {
            @Override
            public boolean hasState() {
                return true;
            }

            @Override
            public long state(Visit visit, long before) {
                return before + visit.node();
            }

            @Override
            public Evaluation evaluate(Visit visit) {
                return Evaluation.of(true, visit.depth() < 3);
            }
        };
        varvite.walk.WalkPath path = new varvite.walk.WalkPath();
        for (Order order : Order.values()) {
            Plan plan = Walk.inOrder(order).hop(ANY).unique(Uniqueness.nodes(Within.PATH)).limit(3000).compile(GRAPH);
            Run run = plan.run(new Arena(64 << 20), sum).from(7);
            int results = 0;
            while (run.next()) {
                run.visit().path(path);
                assertEquals(Arrays.stream(path.toArray()).sum(), run.visit().state(), order.toString());
                results++;
            }
            assertTrue(results > 100, order + ": " + results);
        }
    }

    @Test
    void aFunctionOfTheCallerMakesTheSteps() {
        Guide stairs = new Guide() {
            @Override
            public Evaluation evaluate(Visit visit) {
                return Evaluation.INCLUDE_AND_CONTINUE;
            }

            @Override
            public boolean expands() {
                return true;
            }

            @Override
            public void expand(Visit visit, Steps steps) {
                steps.goTo(GRAPH.nodeCount());
                steps.goTo(-1);
                if (visit.node() > 0) {
                    steps.goTo(visit.node() - 1);
                }
            }
        };
        for (Order order : List.of(Order.DEPTH_FIRST, Order.BREADTH_FIRST, Order.BEST_FIRST)) {
            assertArrayEquals(new int[] {3, 2, 1, 0}, nodes(Walk.inOrder(order).compile(GRAPH).run(new Arena(1 << 20), stairs).from(3)));
        }
        Guide hops = new Guide() {
            @Override
            public Evaluation evaluate(Visit visit) {
                return Evaluation.INCLUDE_AND_CONTINUE;
            }

            @Override
            public boolean expands() {
                return true;
            }

            @Override
            public void expand(Visit visit, Steps steps) {
                if (visit.depth() % 2 == 0) {
                    steps.follow();
                } else {
                    steps.followHop(0);
                }
            }
        };
        for (Order order : Order.values()) {
            Plan plan = Walk.inOrder(order).hop(ANY).compile(GRAPH);
            assertArrayEquals(nodes(plan.run(new Arena(1 << 20)).from(0)), nodes(plan.run(new Arena(1 << 20), hops).from(0)));
        }
    }

    @Test
    void whatCostsLeastComesFirst() {
        Guide byNode = new Guide() {
            @Override
            public Evaluation evaluate(Visit visit) {
                return Evaluation.INCLUDE_AND_CONTINUE;
            }

            @Override
            public double cost(Visit from, int node, EdgeLabel edgeLabel, double listed) {
                return listed * node;
            }
        };
        Run run = Walk.bestFirst().hop(ANY).compile(GRAPH).run(new Arena(1 << 20), byNode).from(0);
        double last = 0;
        int count = 0;
        while (run.next()) {
            assertTrue(run.visit().cost() >= last);
            last = run.visit().cost();
            count++;
        }
        assertEquals(depths(0).size(), count);
        assertTrue(last > 0);
        for (double cost : new double[] {-1, Double.NaN}) {
            Guide wrong = new Guide() {
                @Override
                public Evaluation evaluate(Visit visit) {
                    return Evaluation.INCLUDE_AND_CONTINUE;
                }

                @Override
                public double cost(Visit from, int node, EdgeLabel edgeLabel, double listed) {
                    return cost;
                }
            };
            Run bad = Walk.bestFirst().hop(ANY).compile(GRAPH).run(new Arena(1 << 20), wrong).from(0);
            WalkException e = assertThrows(WalkException.class, bad::count);
            assertEquals(WalkException.Reason.NEGATIVE_COST, e.reason());
            assertFalse(bad.next());
        }
        assertThrows(IllegalArgumentException.class, () -> Walk.bestFirst().costOr("HEAT", -1));
    }

    @Test
    void mistakesAreToldBeforeAWalkBegins() {
        UnknownNameException unknown = assertThrows(UnknownNameException.class, () -> run(Walk.depthFirst().hop(Hop.out("CFGG"))));
        assertEquals("CFG", unknown.nearest().orElseThrow());
        assertThrows(UnknownNameException.class, () -> run(Walk.depthFirst().hop(Hop.out("CFG").to("NO SUCH LABEL"))));
        assertThrows(UnknownNameException.class, () -> run(Walk.depthFirst().hop(Hop.out("CFG")).cost("NOTHING")));
        Walk contradiction = Walk.depthFirst().hop(ANY).evaluator(Evaluator.fromDepth(3)).evaluator(Evaluator.toDepth(2));
        WalkException e = assertThrows(WalkException.class, () -> run(contradiction));
        assertEquals(WalkException.Reason.CONTRADICTION, e.reason());
        assertTrue(e.getMessage().contains("at least 3 edges and at most 2"), e.getMessage());
        Walk beyond = Walk.depthFirst().hop(ANY).evaluator(Evaluator.includeEnds(GRAPH.nodeCount()));
        assertThrows(NoSuchNodeException.class, () -> run(beyond));
        Run run = run(Walk.depthFirst().hop(ANY));
        assertThrows(NoSuchNodeException.class, () -> run.from(new int[] {1, GRAPH.nodeCount()}));
        assertFalse(run.next());
        assertThrows(NoSuchNodeException.class, () -> run.from(-1));
        e = assertThrows(WalkException.class, () -> run(Walk.depthFirst()).from(0));
        assertEquals(WalkException.Reason.NO_HOP, e.reason());
    }

    private static Walk endless(Order order) {
        Walk walk = Walk.inOrder(order).hop(ANY).unique(Uniqueness.NONE);
        return walk.evaluator(Evaluator.atDepth(Integer.MAX_VALUE - 1));
    }

    @Test
    void aWalkWithoutAnEndIsEndedByMemory() {
        for (Order order : Order.values()) {
            Run run = endless(order).compile(GRAPH).run(new Arena(1 << 16)).from(0);
            OverBudgetException e = assertThrows(OverBudgetException.class, run::next);
            assertEquals(1 << 16, e.limit());
            assertTrue(e.needed() > e.limit());
            assertFalse(run.next());
            Run part = endless(order).compile(GRAPH).run(new Arena(1 << 16)).allowPart().from(0);
            assertFalse(part.next());
            assertTrue(part.stoppedBy().orElseThrow() instanceof OverBudgetException);
        }
    }

    @Test
    void aWalkWithoutAnEndIsEndedByTime() {
        Run run = run(endless(Order.DEPTH_FIRST).timeLimit(Duration.ofMillis(1))).from(0);
        assertThrows(TimedOutException.class, run::next);
    }

    @Test
    void aWalkIsEndedByAnInterruptOfItsThread() {
        for (Order order : Order.values()) {
            Run run = run(endless(order)).from(0);
            Thread.currentThread().interrupt();
            assertThrows(CancelledException.class, run::next);
            assertTrue(Thread.interrupted());
            assertFalse(run.next());
        }
    }

    @Test
    void aWalkIsEndedFromAnotherThread() throws InterruptedException {
        Run run = Walk.depthFirst()
                .hop(ANY)
                .unique(Uniqueness.NONE)
                .compile(GRAPH)
                .run(new Arena(1 << 20), visit -> Evaluation.of(false, visit.depth() < 1000))
                .from(0);
        Thread other = new Thread(run::cancel);
        other.start();
        assertThrows(CancelledException.class, run::next);
        other.join();
        assertEquals(0, run.from(0).counts().edges());
    }

    @Test
    void anArenaHasOneWalkAtATime() {
        Arena arena = new Arena(1 << 20);
        Plan plan = Walk.depthFirst().hop(ANY).compile(GRAPH);
        Run first = plan.run(arena).from(0);
        assertTrue(first.next());
        Run second = plan.run(arena).from(0);
        assertThrows(IllegalStateException.class, first::next);
        assertTrue(second.next());
        Run[] own = new Run[1];
        own[0] = plan.run(arena, visit -> {
            assertThrows(IllegalStateException.class, () -> own[0].next());
            assertThrows(IllegalStateException.class, () -> second.from(0));
            return Evaluation.INCLUDE_AND_PRUNE;
        });
        assertEquals(1, own[0].from(0).count());
    }

    @Test
    void whatAFunctionThrowsEndsTheWalk() {
        Run run = Walk.depthFirst().hop(ANY).compile(GRAPH).run(new Arena(1 << 20), visit -> {
            throw new UnsupportedOperationException("of the caller");
        });
        run.from(0);
        assertThrows(UnsupportedOperationException.class, run::next);
        assertFalse(run.next());
        run.from(0);
        assertThrows(UnsupportedOperationException.class, run::next);
    }

    @Test
    void aWalkOfAClosedGraphIsAnError() {
        Run run;
        try (Graph graph = Golden.open("blocks.direct.varvite")) {
            run = Walk.depthFirst().hop(ANY).compile(graph).run(new Arena(1 << 20)).from(0);
            assertTrue(run.next());
        }
        assertThrows(GraphClosedException.class, run::count);
        run.from(0);
        assertThrows(GraphClosedException.class, run::next);
    }

    @Test
    void everyLevelOfUniquenessAllocatesNothingFromTheSecondWalkOn() {
        if (!Allocation.isCounted()) {
            return;
        }
        for (Order order : Order.values()) {
            for (Within within : List.of(Within.WALK, Within.PATH, Within.DEPTH, Within.recent(5))) {
                for (Uniqueness uniqueness : List.of(Uniqueness.nodes(within), Uniqueness.edges(within))) {
                    Walk walk = Walk.inOrder(order).hop(ANY).unique(uniqueness).evaluator(Evaluator.toDepth(4)).skipArrivingEdge();
                    Run run = run(walk.limit(500));
                    double bytes = Allocation.perCall(20, i -> run.from(i % 20).count());
                    assertEquals(0, bytes, walk.toJson());
                }
            }
        }
    }

    @Test
    void theFormOfEveryPartIsThatOfOtherLanguages() {
        Evaluation both = Evaluation.INCLUDE_AND_CONTINUE;
        Evaluation none = Evaluation.EXCLUDE_AND_PRUNE;
        Walk walk = Walk.inOrder(Order.BEST_FIRST)
                .unique(Uniqueness.edges(Within.recent(7)))
                .hop(Hop.out("AST", "CFG").from("METHOD").to("CALL", "BLOCK"))
                .hop(Hop.both())
                .evaluator(Evaluator.withoutStart())
                .evaluator(Evaluator.depths(2, 9))
                .evaluator(Evaluator.labels(List.of("CALL"), none, both))
                .evaluator(Evaluator.pruneLastEdge("AST", "a \"quoted\" name"))
                .evaluator(Evaluator.includeEnds(3, 1))
                .evaluator(Evaluator.endsAtDepth(4, 7))
                .evaluator(Evaluator.containsAll(0))
                .evaluator(Evaluator.number("LINE", -5, Long.MAX_VALUE, both, none))
                .evaluator(Evaluator.anyOf(Evaluator.atDepth(3), Evaluator.anyOf()))
                .costOr("METRES", 1.5)
                .skipArrivingEdge()
                .keepDirection()
                .withEdgeRanks()
                .limit(10)
                .timeLimit(Duration.ofMillis(250));
        assertEquals(Golden.page("conformance/walks/every-part.json").strip(), walk.toJson());
        assertEquals(walk, WalkParser.walk(Json.parse(walk.toJson())));
        assertNotEquals(walk, walk.reversed());
        assertEquals(walk, walk.reversed().reversed());
    }
}
