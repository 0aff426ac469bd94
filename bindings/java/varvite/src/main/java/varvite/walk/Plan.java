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
 * A walk compiled for one graph: names are numbers, and conditions on labels are tables by label set.
 * Immutable: threads may share it, each with an {@link Arena} and a {@link Run} of its own. Good for as long
 * as the graph is open.
 *
 * <p>A way is the edges of one label, one way round, to nodes of some label sets. Ways are numbered.
 */
public final class Plan {
    /** The rank of an edge in a walk that does not identify edges. */
    static final int NO_RANK = -1;

    final Order order;
    final Uniqueness uniqueness;
    final boolean skipsArrivingEdge;
    final boolean tellsEdges;
    private final boolean keepsDirection;
    /** {@link Long#MAX_VALUE} for no limit. */
    final long resultsMax;
    /** Null for no limit. */
    final Duration timeMax;

    final Labels labels;
    private final int codes;
    private final int nodes;

    /** By way. */
    final Adjacency[] adjacencies;

    private final EdgeLabel[] edgeLabels;
    private final Direction[] directions;
    /** By way, in a walk that identifies edges; else null. */
    final Ranks[] ranks;
    /** By way, the in-lists whose ranks have to be found; null if there are none. */
    final PairedLists[] paired;
    /**
     * By way, of each label set whether edges to nodes with it are followed; null if all are, as a whole or
     * of one way.
     */
    private final boolean[][] targets;

    /**
     * By way in, of each label set whether an edge from a node to itself is met along the way out; null if it
     * is not, as above.
     */
    private final boolean[][] metOut;

    /** The ways of each hop. */
    final int[][] hops;
    /** Numbers of ways: {@link #wayStarts} and {@link #wayEnds} are places here. */
    final int[] wayNumbers;
    /**
     * By label set; of a walk that keeps its direction three times: for starts, and behind edges out and in.
     */
    final int[] wayStarts;

    final int[] wayEnds;

    /**
     * By the same: the first of the ways, if its neighbours are read where they lie; null if there is none
     * like that.
     */
    final Adjacency[] firstAdjacencies;

    /** By label set: the evaluators' conditions on labels. */
    final byte[] ofCode;

    private final int depthLeast;
    private final int depthMost;
    private final int continuesBelow;
    private final BranchTest[] tests;
    /**
     * The bits that some test may clear, and those that all tests leave set.
     */
    final int testsDecide;

    final int testsAlways;

    /** By way, the property that costs come from, null where a label has none; null without costs. */
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

    /** The number of nodes of the graph; ids are below it. */
    public int nodeCount() {
        return nodes;
    }

    /** A walk in an arena, which is begun with {@link Run#from}. Allocates the run, which may be kept. */
    public Run run(Arena arena) {
        return new Run(this, arena, null);
    }

    /**
     * The same, led by functions of the caller: one that evaluates each branch in addition to the walk's
     * evaluators, or all of a guide.
     */
    public Run run(Arena arena, Guide guide) {
        return new Run(this, arena, java.util.Objects.requireNonNull(guide));
    }

    // Questions of runs

    boolean hasTargets() {
        return targets != null;
    }

    /** Whether edges of a way are followed to nodes with a label set. */
    boolean leadsTo(int way, int code) {
        return way == Branches.NO_WAY || targets[way] == null || targets[way][code];
    }

    /** Whether any way in leaves out edges of nodes to themselves, because a way out leads along them. */
    boolean meetsLoopsTwice() {
        return metOut != null;
    }

    /** Whether a way leaves out the edges of a node to itself. */
    boolean leavesLoopsOf(int node, int way) {
        if (way == Branches.NO_WAY || metOut[way] == null) {
            return false;
        }
        return metOut[way] == Compiler.ALL || metOut[way][labels.code(node)];
    }

    /** The place of the ways that lead on from nodes with a label set. */
    int place(int code, int arrivedBy) {
        if (!keepsDirection || arrivedBy == Branches.NO_WAY) {
            return code;
        }
        return code + codes * (directions[arrivedBy] == Direction.IN ? 2 : 1);
    }

    /** An edge is the same from both of its ends. */
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

    /** The evaluation by the labels of a node and the depth of its branch. */
    int evaluate(int code, int depth) {
        return ofCode[code] & ofDepth(depth);
    }

    /** The same of the depth alone. */
    int ofDepth(int depth) {
        int ofDepth = depthLeast <= depth && depth <= depthMost ? Evaluation.INCLUDES : 0;
        return depth < continuesBelow ? ofDepth | Evaluation.CONTINUES : ofDepth;
    }

    /** Whether there is more than one way at a place. */
    boolean hasMoreWays(int place) {
        return wayStarts[place] + 1 < wayEnds[place];
    }

    boolean hasTests() {
        return tests.length > 0;
    }

    /** An evaluation after the tests. Tests that can't change it are skipped. */
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

    /** The cost of an edge by the description. */
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

    /** A time in nanoseconds, as long as the clock can count. */
    static long nanosOf(Duration time) {
        return time.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0 ? Long.MAX_VALUE / 2 : time.toNanos();
    }
}
