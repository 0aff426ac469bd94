package varvite.walk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import varvite.Graph;

/**
 * A description of a walk: its edges, its order, its rule for repeated visits, and its results. Immutable:
 * each call gives another description, and one may be kept, shared between threads and run on any graph that
 * has its names.
 *
 * <p>By default a walk is depth-first, visits each node once, includes all branches and continues at all.
 *
 * <pre>{@code
 * Plan plan = Walk.breadthFirst().hop(Hop.out("CFG")).evaluator(Evaluator.toDepth(5)).compile(graph);
 * Run run = plan.run(new Arena(64 << 20));
 * for (run.from(17); run.next(); ) {
 *     System.out.println(run.visit().node() + " after " + run.visit().depth() + " edges");
 * }
 * }</pre>
 *
 * <p>A plan runs in Java, over cursors, and may be led by functions of the caller ({@link Guide});
 * {@code NativeGraph.walk} of module {@code varvite.ffi} runs the same description in the native engine. Both
 * give the same results in the same sequence.
 */
public final class Walk {
    final Order order;
    final Uniqueness uniqueness;
    final List<Hop> hops;
    final List<Evaluator> evaluators;
    /** The property that edges cost; null for none. */
    final String costProperty;
    /** The cost of an edge without a value; NaN makes it an error. */
    final double costDefault;
    final boolean skipsArrivingEdge;
    final boolean keepsDirection;
    final boolean hasRanks;
    /** -1 for no limit. */
    final long resultsMax;
    /** Null for no limit. */
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

    /** The parts of the next description: those of the one before, except the newly set ones. */
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

    /** A walk that goes deep first. */
    public static Walk depthFirst() {
        return inOrder(Order.DEPTH_FIRST);
    }

    /** A walk that goes level by level. */
    public static Walk breadthFirst() {
        return inOrder(Order.BREADTH_FIRST);
    }

    /**
     * A walk that takes branches of least cost first: an edge costs 1, unless {@link #cost} or a function
     * gives another cost.
     */
    public static Walk bestFirst() {
        return inOrder(Order.BEST_FIRST);
    }

    /** A walk in an order. */
    public static Walk inOrder(Order order) {
        Builder parts = new Builder();
        parts.order = Objects.requireNonNull(order);
        return new Walk(parts);
    }

    /** An edge costs the value that it has in a property of its label, a number from 0 on. */
    public Walk cost(String property) {
        Builder parts = parts();
        parts.costProperty = Objects.requireNonNull(property);
        parts.costDefault = Double.NaN;
        return new Walk(parts);
    }

    /**
     * The same; an edge without a value costs {@code absent}.
     *
     * @throws IllegalArgumentException if that is no number from 0 on
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

    /** Follows these edges too: hops add up, in their order. An edge that two hops allow is followed once. */
    public Walk hop(Hop hop) {
        Builder parts = parts();
        parts.hops = and(hops, hop);
        return new Walk(parts);
    }

    /** The rule for repeated visits of a node or repeated use of an edge. */
    public Walk unique(Uniqueness uniqueness) {
        Builder parts = parts();
        parts.uniqueness = Objects.requireNonNull(uniqueness);
        return new Walk(parts);
    }

    /**
     * Does not go back along the edge that led to a node, even if uniqueness allows it. The walk then
     * identifies its edges, as with {@link #withEdgeRanks}.
     */
    public Walk skipArrivingEdge() {
        Builder parts = parts();
        parts.skipsArrivingEdge = true;
        return new Walk(parts);
    }

    /** Follows edges the way round in which the first of a branch was followed. */
    public Walk keepDirection() {
        Builder parts = parts();
        parts.keepsDirection = true;
        return new Walk(parts);
    }

    /**
     * Identifies edges, so that a {@link Visit} has the rank of its edge. Uniqueness of edges, costs and
     * {@link #skipArrivingEdge} do so by themselves. Along in-edges of a label without properties this costs
     * a read of the out-lists of all neighbours.
     */
    public Walk withEdgeRanks() {
        Builder parts = parts();
        parts.hasRanks = true;
        return new Walk(parts);
    }

    /**
     * The same walk along the same edges from their other ends. Evaluators and functions stay as they are.
     */
    public Walk reversed() {
        Builder parts = parts();
        parts.hops = hops.stream().map(Hop::reversed).toList();
        return new Walk(parts);
    }

    // Results, and the end of a walk

    /** One more test of branches: each has to include a result, and each to continue. */
    public Walk evaluator(Evaluator evaluator) {
        Builder parts = parts();
        parts.evaluators = and(evaluators, evaluator);
        return new Walk(parts);
    }

    /**
     * Ends after so many results.
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
     * Ends with {@link varvite.error.TimedOutException} after this time. The clock is read every 4096 edges.
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
     * Makes a plan of it for a graph. Opens the columns that it needs, and makes tables by label set.
     *
     * @throws varvite.error.UnknownNameException for a name that the graph lacks, with the nearest one
     * @throws varvite.error.NoSuchNodeException of a node that it does not have
     * @throws varvite.error.WalkException of evaluators that leave no depth
     * @throws varvite.error.VarviteException if the graph is closed or a column damaged
     */
    public Plan compile(Graph graph) {
        return new Compiler(this, graph).compile();
    }

    /** The form that is sent to the engine: version 1 of the form that all languages share. */
    public String toJson() {
        return WalkJson.of(this);
    }

    /** Whether edges have to be identified. */
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

    /** As JSON. */
    @Override
    public String toString() {
        return toJson();
    }
}
