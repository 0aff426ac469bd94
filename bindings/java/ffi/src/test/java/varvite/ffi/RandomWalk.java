package varvite.ffi;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.Label;
import varvite.walk.Evaluation;
import varvite.walk.Evaluator;
import varvite.walk.Hop;
import varvite.walk.Order;
import varvite.walk.Uniqueness;
import varvite.walk.Walk;
import varvite.walk.Within;

/**
 * Makes random walks for a graph, with all orders, all rules of uniqueness, and hops and evaluators of all
 * kinds.
 */
final class RandomWalk {
    private static final Evaluation[] EVALUATIONS = Evaluation.values();

    private final SplittableRandom random;
    private final int nodes;
    private final String[] labels;
    private final String[] edgeLabels;

    RandomWalk(Graph graph, long seed) {
        random = new SplittableRandom(seed);
        nodes = graph.nodeCount();
        labels = graph.labels().stream().map(Label::name).toArray(String[]::new);
        edgeLabels = graph.edgeLabels().stream().map(EdgeLabel::name).toArray(String[]::new);
    }

    int[] starts() {
        return nodes(1 + random.nextInt(3));
    }

    private int[] nodes(int count) {
        return random.ints(count, 0, nodes).toArray();
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private String[] some(String[] names, int count) {
        return random.ints(count, 0, names.length).mapToObj(at -> names[at]).toArray(String[]::new);
    }

    private Hop hop() {
        String[] along = some(edgeLabels, random.nextInt(4));
        Hop hop = switch (random.nextInt(3)) {
            case 0 -> Hop.out(along);
            case 1 -> Hop.in(along);
            default -> Hop.both(along);
        };
        hop = chance(30) ? hop.from(some(labels, 2)) : hop;
        return chance(30) ? hop.to(some(labels, 3)) : hop;
    }

    /** A random evaluation. Most often it is one that includes the branch and continues the walk. */
    private Evaluation evaluation() {
        return chance(60) ? Evaluation.INCLUDE_AND_CONTINUE : EVALUATIONS[random.nextInt(EVALUATIONS.length)];
    }

    private Evaluator evaluator(boolean mayNest) {
        return switch (random.nextInt(mayNest ? 9 : 8)) {
            case 0 -> Evaluator.toDepth(random.nextInt(6));
            case 1 -> Evaluator.fromDepth(random.nextInt(3));
            case 2 -> Evaluator.labels(List.of(some(labels, 2)), evaluation(), evaluation());
            case 3 -> Evaluator.lastEdge(List.of(some(edgeLabels, 2)), evaluation(), evaluation());
            case 4 -> Evaluator.endsAt(nodes(10), evaluation(), evaluation());
            case 5 -> Evaluator.endsAtDepth(1 + random.nextInt(3), nodes(10));
            case 6 -> Evaluator.containsAll(nodes(1));
            case 7 -> Evaluator.depths(random.nextInt(3), 3 + random.nextInt(3));
            default -> Evaluator.anyOf(evaluator(false), evaluator(false));
        };
    }

    private Uniqueness uniqueness() {
        Within within = switch (random.nextInt(4)) {
            case 0 -> Within.WALK;
            case 1 -> Within.PATH;
            case 2 -> Within.recent(random.nextInt(6));
            default -> Within.DEPTH;
        };
        int kind = random.nextInt(9);
        return kind == 0 ? Uniqueness.NONE : kind < 5 ? Uniqueness.nodes(within) : Uniqueness.edges(within);
    }

    /** A random walk. It has a depth limit, so that it always ends. */
    Walk next() {
        Order[] orders = Order.values();
        Walk walk = Walk.inOrder(orders[random.nextInt(orders.length)]).unique(uniqueness()).evaluator(Evaluator.toDepth(2 + random.nextInt(4)));
        for (int hops = 1 + random.nextInt(3); hops > 0; hops--) {
            walk = walk.hop(hop());
        }
        for (int tests = random.nextInt(3); tests > 0; tests--) {
            walk = walk.evaluator(evaluator(true));
        }
        walk = chance(30) ? walk.skipArrivingEdge() : walk;
        walk = chance(20) ? walk.keepDirection() : walk;
        walk = chance(30) ? walk.withEdgeRanks() : walk;
        walk = chance(20) ? walk.limit(random.nextInt(50)) : walk;
        return chance(10) ? walk.reversed() : walk;
    }

    @Override
    public String toString() {
        return nodes + " nodes, " + Arrays.toString(edgeLabels);
    }
}
