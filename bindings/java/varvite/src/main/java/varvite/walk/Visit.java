package varvite.walk;

import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Label;
import varvite.Labels;

/**
 * The current node of a walk and the branch to it, as a view of the walk's memory. All results of a run share
 * one object, whose content changes with the next step. Its methods allocate nothing, unless a
 * {@link WalkPath} has to grow.
 */
public final class Visit {
    private final Plan plan;
    private final Arena arena;
    private final Branches branches;
    private final Labels labels;
    private final boolean hasState;
    /** The fields of the shown branch, which {@link Branches} does not necessarily hold. */
    private int number;

    private int node;
    private int parent;
    private int depth;
    private int code;
    private int rank;
    private int way;

    /** The number of values that the tests of the walk have read. */
    long valueReads;

    Visit(Plan plan, Arena arena, boolean hasState) {
        this.plan = plan;
        this.arena = arena;
        branches = arena.branches;
        labels = plan.labels;
        this.hasState = hasState;
    }

    /** Shows a branch that {@link Branches} holds. */
    void at(int number) {
        show(
                number,
                branches.node(number),
                branches.parent(number),
                branches.depth(number),
                branches.code(number),
                branches.rank(number),
                branches.way(number));
    }

    /** Shows a branch. {@link Branches} need not hold the branch itself, but must hold its ancestors. */
    void show(int number, int node, int parent, int depth, int code, int rank, int way) {
        this.number = number;
        this.node = node;
        this.parent = parent;
        this.depth = depth;
        this.code = code;
        this.rank = rank;
        this.way = way;
    }

    int number() {
        return number;
    }

    /** The number of the parent branch; {@link Branches#NO_BRANCH} at a start node. */
    int before() {
        return parent;
    }

    int way() {
        return way;
    }

    /** Whether the branch contains a node; the current node is part of the branch. */
    boolean contains(int wanted) {
        int at = node;
        for (int before = parent; at != wanted && before != Branches.NO_BRANCH; before = branches.parent(before)) {
            at = branches.node(before);
        }
        return at == wanted;
    }

    /** The id of the current node. */
    public int node() {
        return node;
    }

    /** The number of edges from the start node. */
    public int depth() {
        return depth;
    }

    /**
     * The node's labels among the first 64 of the schema, one bit each, as in {@link Labels#word}. The walk
     * has already read the code of the node's label set, so this only looks it up in the table of label sets.
     */
    public long labelWord() {
        return labels.codeWord(code);
    }

    /**
     * Whether the node has a label.
     *
     * @throws IllegalArgumentException if the label is of another graph
     */
    public boolean has(Label label) {
        return labels.codeHas(code, label);
    }

    /** The code of the node's label set. */
    public int labelCode() {
        return code;
    }

    /** The label of the last edge of the branch; null at a start node and after a step without an edge. */
    public EdgeLabel edgeLabel() {
        return plan.edgeLabelOf(way);
    }

    /** The direction in which the last edge was followed; null without an edge. */
    public Direction direction() {
        return plan.directionOf(way);
    }

    /**
     * The rank of the last edge, as an unsigned int, by which the edge's properties can be read. -1 if the
     * walk does not identify edges ({@link Walk#withEdgeRanks}), or if there is no last edge.
     */
    public int edgeRank() {
        return plan.tellsEdges && way != Branches.NO_WAY ? rank : Plan.NO_RANK;
    }

    /** The node before the current node on the branch; -1 at a start node. */
    public int parent() {
        return parent == Branches.NO_BRANCH ? -1 : branches.node(parent);
    }

    /** The total cost of the branch's edges, in a best-first walk; else 0. */
    public double cost() {
        return plan.order == Order.BEST_FIRST ? arena.costs[number] : 0;
    }

    /** The state that {@link Guide#state} returned for this branch; 0 if the walk has no states. */
    public long state() {
        return hasState ? arena.states[number] : 0;
    }

    /**
     * Fills {@code path} with the nodes and edges from the start node to the current node, in time
     * proportional to the number of edges.
     */
    public void path(WalkPath path) {
        path.take(plan, branches, this);
    }
}
