package varvite.walk;

import java.time.Duration;
import java.util.List;
import varvite.Adjacency;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Labels;
import varvite.Property;
import varvite.Ranks;

/**
 * A walk that is compiled for a graph: names are numbers, and conditions on labels are tables by label set.
 * Immutable, so threads may share a plan; each needs its own {@link Arena} and {@link Run}. Valid while the
 * graph is open.
 *
 * <p>A way is the edges of one label in one direction to nodes with certain label sets. Ways are numbered.
 */
public final class Plan {
    /** The rank of an edge in a walk that does not identify edges. */
    static final int NO_RANK = -1;

    final Order order;
    final Uniqueness uniqueness;
    final boolean skipsArrivingEdge;
    final boolean tellsEdges;
    private final boolean keepsDirection;
    /** The maximum number of results; {@link Long#MAX_VALUE} for no limit. */
    final long resultsMax;
    /** The time limit; null for no limit. */
    final Duration timeMax;

    final Labels labels;
    private final int codes;
    private final int nodes;

    /** The adjacency of each way. */
    final Adjacency[] adjacencies;

    private final EdgeLabel[] edgeLabels;
    private final Direction[] directions;
    /** The edge ranks of each way, in a walk that identifies edges; else null. */
    final Ranks[] ranks;
    /** For each way whose edge ranks are not stored, the lists in which they are searched; else null. */
    final PairedLists[] paired;
    /**
     * For each way and each label set, whether edges to nodes with that label set are followed. An item is
     * null if the way follows all edges; the array is null if all ways do.
     */
    private final boolean[][] targets;

    /**
     * For each way in the in direction and each label set, whether edges from nodes with this label set to
     * themselves are skipped, because a way in the out direction follows them. An item is null if no such way
     * follows the same edges; the array is null if all items are.
     */
    private final boolean[][] metOut;

    /** The numbers of the ways of each hop. */
    final int[][] hops;
    /**
     * The numbers of the ways from nodes with each label set. {@link #wayStarts} and {@link #wayEnds} hold
     * indexes into this array.
     */
    final int[] wayNumbers;
    /**
     * For each label set, the index of its first way in {@link #wayNumbers}, and the end of its ways. In a
     * walk that keeps its direction, three such tables follow each other: for start nodes, for nodes reached
     * by out-edges and for nodes reached by in-edges.
     */
    final int[] wayStarts;

    final int[] wayEnds;

    /**
     * For each index of {@link #wayStarts}, the adjacency of the first way if that way's neighbours can be
     * read directly from the lists; else null.
     */
    final Adjacency[] firstAdjacencies;

    /** For each label set, the combined evaluation of all evaluators that test labels only. */
    final byte[] ofCode;

    private final int depthLeast;
    private final int depthMost;
    private final int continuesBelow;
    private final BranchTest[] tests;
    /** The evaluation bits that at least one test may clear, and the bits that no test ever clears. */
    final int testsDecide;

    final int testsAlways;

    /**
     * For each way, the property that has the costs of edges; null if the edge label lacks it. The array is
     * null in a walk without a cost property.
     */
    private final Property[] costs;

    private final String costProperty;
    private final double costDefault;

    Plan(Walk walk, Compiler compiled) {
        order = walk.order;
        uniqueness = walk.uniqueness;
        skipsArrivingEdge = walk.skipsArrivingEdge;
        tellsEdges = walk.tellsEdges();
        keepsDirection = walk.keepsDirection;
        resultsMax = walk.resultsMax < 0 ? Long.MAX_VALUE : walk.resultsMax;
        timeMax = walk.timeMax;
        labels = compiled.labels;
        codes = labels.codeCount();
        nodes = compiled.graph.nodeCount();
        List<Compiler.Way> ways = compiled.ways;
        adjacencies = ways.stream().map(Compiler.Way::adjacency).toArray(Adjacency[]::new);
        edgeLabels = ways.stream().map(Compiler.Way::label).toArray(EdgeLabel[]::new);
        directions = ways.stream().map(Compiler.Way::direction).toArray(Direction[]::new);
        ranks = tellsEdges ? ways.stream().map(Compiler.Way::ranks).toArray(Ranks[]::new) : null;
        boolean arePaired = ways.stream().anyMatch(way -> way.paired() != null);
        paired = arePaired ? ways.stream().map(Compiler.Way::paired).toArray(PairedLists[]::new) : null;
        boolean haveTargets = ways.stream().anyMatch(way -> way.targets() != null);
        targets = haveTargets ? ways.stream().map(Compiler.Way::targets).toArray(boolean[][]::new) : null;
        boolean areMetOut = ways.stream().anyMatch(way -> way.metOut() != null);
        metOut = areMetOut ? ways.stream().map(Compiler.Way::metOut).toArray(boolean[][]::new) : null;
        hops = compiled.hops;
        wayNumbers = compiled.wayNumbers.toArray();
        wayStarts = compiled.wayStarts.toArray();
        wayEnds = compiled.wayEnds.toArray();
        firstAdjacencies = new Adjacency[wayStarts.length];
        for (int place = 0; place < firstAdjacencies.length; place++) {
            int first = wayStarts[place] < wayEnds[place] ? wayNumbers[wayStarts[place]] : Branches.NO_WAY;
            boolean isRead = first != Branches.NO_WAY && (paired == null || paired[first] == null);
            firstAdjacencies[place] = isRead ? adjacencies[first] : null;
        }
        ofCode = compiled.ofCode;
        depthLeast = compiled.depthLeast;
        depthMost = compiled.depthMost;
        continuesBelow = compiled.continuesBelow;
        tests = compiled.tests.toArray(BranchTest[]::new);
        testsDecide = compiled.tests.stream().mapToInt(BranchTest::decides).reduce(0, (one, other) -> one | other);
        testsAlways = compiled.tests.stream().mapToInt(BranchTest::always).reduce(Evaluation.BOTH, (one, other) -> one & other);
        costs = compiled.costs;
        costProperty = walk.costProperty;
        costDefault = walk.costDefault;
    }

    /** The number of nodes of the graph: every id is below it. */
    public int nodeCount() {
        return nodes;
    }

    /**
     * Makes a run of this plan in an arena; {@link Run#from} begins a walk. This allocates, but a run can be
     * reused for many walks.
     */
    public Run run(Arena arena) {
        return new Run(this, arena, null);
    }

    /**
     * Makes a run of this plan in an arena, controlled by a guide: a lambda that evaluates each branch in
     * addition to the walk's evaluators, or an object with more functions.
     */
    public Run run(Arena arena, Guide guide) {
        return new Run(this, arena, java.util.Objects.requireNonNull(guide));
    }

    // For runs

    boolean hasTargets() {
        return targets != null;
    }

    /** Whether the walk follows a way's edges to nodes with the label set of this code. */
    boolean leadsTo(int way, int code) {
        return way == Branches.NO_WAY || targets[way] == null || targets[way][code];
    }

    /** Whether any in-way skips edges from a node to itself, because an out-way follows them. */
    boolean meetsLoopsTwice() {
        return metOut != null;
    }

    /** Whether a way skips the edges from this node to itself. */
    boolean leavesLoopsOf(int node, int way) {
        if (way == Branches.NO_WAY || metOut[way] == null) {
            return false;
        }
        return metOut[way] == Compiler.ALL || metOut[way][labels.code(node)];
    }

    /**
     * The index in {@link #wayStarts} for a node with label set {@code code} that the walk reached along way
     * {@code arrivedBy}.
     */
    int place(int code, int arrivedBy) {
        if (!keepsDirection || arrivedBy == Branches.NO_WAY) {
            return code;
        }
        return code + codes * (directions[arrivedBy] == Direction.IN ? 2 : 1);
    }

    /** The key of an edge, which is the same in both directions. */
    long edgeKey(int way, int rank) {
        return (long) edgeLabels[way].id() << 32 | Integer.toUnsignedLong(rank);
    }

    boolean isSameLabel(int way, int other) {
        return edgeLabels[way].id() == edgeLabels[other].id();
    }

    EdgeLabel edgeLabelOf(int way) {
        return way == Branches.NO_WAY ? null : edgeLabels[way];
    }

    Direction directionOf(int way) {
        return way == Branches.NO_WAY ? null : directions[way];
    }

    /** The combined evaluation of all evaluators that test only the node's labels or the branch's depth. */
    int evaluate(int code, int depth) {
        return ofCode[code] & ofDepth(depth);
    }

    /** The combined evaluation of all evaluators that test only the branch's depth. */
    int ofDepth(int depth) {
        int ofDepth = depthLeast <= depth && depth <= depthMost ? Evaluation.INCLUDES : 0;
        return depth < continuesBelow ? ofDepth | Evaluation.CONTINUES : ofDepth;
    }

    /** Whether index {@code place} of {@link #wayStarts} has more than one way. */
    boolean hasMoreWays(int place) {
        return wayStarts[place] + 1 < wayEnds[place];
    }

    boolean hasTests() {
        return tests.length > 0;
    }

    /** Combines an evaluation with those of the tests. Skips each test that can't change it. */
    int evaluateTests(int known, Visit visit) {
        if ((known & testsDecide) == 0) {
            return known & testsAlways;
        }
        int left = known;
        for (BranchTest test : tests) {
            left &= (left & test.decides()) == 0 ? test.always() : test.evaluate(visit);
        }
        return left;
    }

    /** The cost that the walk's description gives to an edge. */
    double listedCost(int way, int rank, int node) {
        if (costs == null || way == Branches.NO_WAY) {
            return Double.isNaN(costDefault) ? 1 : costDefault;
        }
        double listed = costs[way] == null ? Double.NaN : Costs.of(costs[way], rank);
        return Double.isNaN(listed) ? listedElsewhere(way, rank, node) : listed;
    }

    private double listedElsewhere(int way, int rank, int node) {
        if (costs[way] != null && Costs.isNumber(costs[way], rank)) {
            return Double.NaN;
        }
        if (Double.isNaN(costDefault)) {
            throw varvite.error.WalkException.noCost(node, costProperty);
        }
        return costDefault;
    }

    /** A duration in nanoseconds, at most half of the range of the clock. */
    static long nanosOf(Duration time) {
        return time.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0 ? Long.MAX_VALUE / 2 : time.toNanos();
    }
}
