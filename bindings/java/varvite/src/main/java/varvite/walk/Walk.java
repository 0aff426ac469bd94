package varvite.walk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import varvite.Graph;

/**
 * A description of a walk: its edges, its order, its rule for repeated visits, and its results. Immutable:
 * each method returns a new description. A description can be reused, shared between threads and run on any
 * graph that has the names in it.
 *
 * <p>By default a walk is depth-first, visits each node once, includes all branches and continues from all
 * branches.
 *
 * <pre>{@code
 * Plan plan = Walk.breadthFirst().hop(Hop.out("CFG")).evaluator(Evaluator.toDepth(5)).compile(graph);
 * Run run = plan.run(new Arena(64 << 20));
 * for (run.from(17); run.next(); ) {
 *     System.out.println(run.visit().node() + " after " + run.visit().depth() + " edges");
 * }
 * }</pre>
 *
 * <p>A plan runs in Java and may be controlled by functions of the caller ({@link Guide});
 * {@code NativeGraph.walk} of module {@code varvite.ffi} runs the same description in the native engine. Both
 * return the same results in the same order.
 */
public final class Walk {
    final Order order;
    final Uniqueness uniqueness;
    final List<Hop> hops;
    final List<Evaluator> evaluators;
    /** The property whose values are the costs of edges; null for none. */
    final String costProperty;
    /** The cost of an edge that has no value; NaN if a missing value is an error. */
    final double costDefault;
    final boolean skipsArrivingEdge;
    final boolean keepsDirection;
    final boolean hasRanks;
    /** The maximum number of results; -1 for no limit. */
    final long resultsMax;
    /** The time limit; null for no limit. */
    final Duration timeMax;

    private Walk(Builder builder) {
        order = builder.order;
        uniqueness = builder.uniqueness;
        hops = builder.hops;
        evaluators = builder.evaluators;
        costProperty = builder.costProperty;
        costDefault = builder.costDefault;
        skipsArrivingEdge = builder.skipsArrivingEdge;
        keepsDirection = builder.keepsDirection;
        hasRanks = builder.hasRanks;
        resultsMax = builder.resultsMax;
        timeMax = builder.timeMax;
    }

    /** The parts of a new description: a copy of another description's parts, which is then changed. */
    private static final class Builder {
        private Order order = Order.DEPTH_FIRST;
        private Uniqueness uniqueness = Uniqueness.nodes(Within.WALK);
        private List<Hop> hops = List.of();
        private List<Evaluator> evaluators = List.of();
        private String costProperty;
        private double costDefault = Double.NaN;
        private boolean skipsArrivingEdge;
        private boolean keepsDirection;
        private boolean hasRanks;
        private long resultsMax = -1;
        private Duration timeMax;
    }

    private Builder parts() {
        Builder parts = new Builder();
        parts.order = order;
        parts.uniqueness = uniqueness;
        parts.hops = hops;
        parts.evaluators = evaluators;
        parts.costProperty = costProperty;
        parts.costDefault = costDefault;
        parts.skipsArrivingEdge = skipsArrivingEdge;
        parts.keepsDirection = keepsDirection;
        parts.hasRanks = hasRanks;
        parts.resultsMax = resultsMax;
        parts.timeMax = timeMax;
        return parts;
    }

    // The order

    /** A depth-first walk. */
    public static Walk depthFirst() {
        return inOrder(Order.DEPTH_FIRST);
    }

    /** A breadth-first walk, level by level. */
    public static Walk breadthFirst() {
        return inOrder(Order.BREADTH_FIRST);
    }

    /**
     * A walk that visits the branch of least cost first. An edge costs 1, unless {@link #cost} or
     * {@link Guide#cost} defines another cost.
     */
    public static Walk bestFirst() {
        return inOrder(Order.BEST_FIRST);
    }

    /** A walk in the given order. */
    public static Walk inOrder(Order order) {
        Builder parts = new Builder();
        parts.order = Objects.requireNonNull(order);
        return new Walk(parts);
    }

    /**
     * Sets the costs of edges to their values of a property. Every edge that the walk reads must have a
     * value, which must be a number that is not negative.
     */
    public Walk cost(String property) {
        Builder parts = parts();
        parts.costProperty = Objects.requireNonNull(property);
        parts.costDefault = Double.NaN;
        return new Walk(parts);
    }

    /**
     * The same as {@link #cost}, but an edge without a value costs {@code absent}.
     *
     * @throws IllegalArgumentException if {@code absent} is negative, infinite or not a number
     */
    public Walk costOr(String property, double absent) {
        if (!(absent >= 0) || Double.isInfinite(absent)) {
            throw new IllegalArgumentException("the cost of an edge: expected a number of 0 or more, found " + absent);
        }
        Builder parts = parts();
        parts.costProperty = Objects.requireNonNull(property);
        parts.costDefault = absent;
        return new Walk(parts);
    }

    // Followed edges

    /**
     * Adds a hop. A walk follows the edges of all its hops, in the order of the hops. It follows an edge only
     * once, even if two hops allow it.
     */
    public Walk hop(Hop hop) {
        Builder parts = parts();
        parts.hops = and(hops, hop);
        return new Walk(parts);
    }

    /** Sets the rule for repeated visits to a node or repeated use of an edge. */
    public Walk unique(Uniqueness uniqueness) {
        Builder parts = parts();
        parts.uniqueness = Objects.requireNonNull(uniqueness);
        return new Walk(parts);
    }

    /**
     * Never follows the last edge of a branch back to the previous node, even if uniqueness allows it. The
     * walk then identifies its edges, as with {@link #withEdgeRanks}.
     */
    public Walk skipArrivingEdge() {
        Builder parts = parts();
        parts.skipsArrivingEdge = true;
        return new Walk(parts);
    }

    /** Makes the walk follow all edges of a branch in the same direction as its first edge. */
    public Walk keepDirection() {
        Builder parts = parts();
        parts.keepsDirection = true;
        return new Walk(parts);
    }

    /**
     * Makes the walk identify edges, so that {@link Visit#edgeRank} returns the rank of the last edge. A walk
     * that has costs, edge uniqueness or {@link #skipArrivingEdge} always identifies edges. For in-edges of a
     * label without properties, the walk then reads the out-lists of all neighbours.
     */
    public Walk withEdgeRanks() {
        Builder parts = parts();
        parts.hasRanks = true;
        return new Walk(parts);
    }

    /** The same walk, but with each edge followed in the opposite direction. Evaluators are unchanged. */
    public Walk reversed() {
        Builder parts = parts();
        parts.hops = hops.stream().map(Hop::reversed).toList();
        return new Walk(parts);
    }

    // Results, and the end of a walk

    /**
     * Adds an evaluator: a branch is a result if all evaluators include it, and the walk continues from it if
     * all evaluators continue.
     */
    public Walk evaluator(Evaluator evaluator) {
        Builder parts = parts();
        parts.evaluators = and(evaluators, evaluator);
        return new Walk(parts);
    }

    /**
     * Ends the walk after {@code results} results.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public Walk limit(long results) {
        if (results < 0) {
            throw new IllegalArgumentException("limit: expected 0 or more, found " + results);
        }
        Builder parts = parts();
        parts.resultsMax = results;
        return new Walk(parts);
    }

    /**
     * Makes the walk end with {@link varvite.error.TimedOutException} after this time. The walk reads the
     * clock every 4096 edges.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    public Walk timeLimit(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("time limit: expected 0 or more, found " + limit);
        }
        Builder parts = parts();
        parts.timeMax = limit;
        return new Walk(parts);
    }

    private static <T> List<T> and(List<T> before, T one) {
        List<T> all = new ArrayList<>(before);
        all.add(Objects.requireNonNull(one));
        return List.copyOf(all);
    }

    // Compiling

    /**
     * Compiles this walk for a graph: opens the columns that the walk needs, and makes tables by label set.
     *
     * @throws varvite.error.UnknownNameException if the graph lacks a name; the message has the most similar
     * name of the graph
     * @throws varvite.error.NoSuchNodeException if the graph lacks a node that an evaluator names
     * @throws varvite.error.WalkException if evaluators contradict each other
     * @throws varvite.error.VarviteException if the graph is closed or a column is damaged
     */
    public Plan compile(Graph graph) {
        return new Compiler(this, graph).compile();
    }

    /** The walk as JSON, in version 1 of the format that all language bindings share. */
    public String toJson() {
        return WalkJson.of(this);
    }

    /** Whether the walk determines the rank of each edge. */
    boolean tellsEdges() {
        return hasRanks || skipsArrivingEdge || uniqueness.isOfEdges || costProperty != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Walk walk && toJson().equals(walk.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    /** The walk as JSON. */
    @Override
    public String toString() {
        return toJson();
    }
}
