package varvite.walk;

import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Label;
import varvite.Labels;

/**
 * The current node of a walk and the way to it: a cursor into the walk's memory, never a path. One object for
 * all results of a run: it shows another node after the next step. Nothing here allocates, except a {@link
 * WalkPath} that has to grow.
 */
public final class Visit {
    private final Plan plan;
    private final Arena arena;
    private final Branches branches;
    private final Labels labels;
    private final boolean hasState;
    /** The branch, field by field: it may be one that is not held. */
    private int number;

    private int node;
    private int parent;
    private int depth;
    private int code;
    private int rank;
    private int way;

    /** Values that the tests of the walk read. */
    long valueReads;

    Visit(Plan plan, Arena arena, boolean hasState) {
        this.plan = plan;
        this.arena = arena;
        branches = arena.branches;
        labels = plan.labels;
        this.hasState = hasState;
    }

    /** Shows a branch that is held. */
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

    /** Shows a branch, held or not; those before it are. */
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

    /** The branch before, or {@link Branches#NO_BRANCH}. */
    int before() {
        return parent;
    }

    int way() {
        return way;
    }

    /** Whether the walk came to a node on its way here, or is at it. */
    boolean contains(int wanted) {
        int at = node;
        for (int before = parent; at != wanted && before != Branches.NO_BRANCH; before = branches.parent(before)) {
            at = branches.node(before);
        }
        return at == wanted;
    }

    /** The node. */
    public int node() {
        return node;
    }

    /** The number of edges from the start. */
    public int depth() {
        return depth;
    }

    /**
     * The first 64 labels of the node, one bit each, as {@link Labels#word} has them. The column of labels
     * was read once for this node; this is a look into the table of label sets.
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

    /** The label of the edge that led here; null where the walk started, and behind a step along no edge. */
    public EdgeLabel edgeLabel() {
        return plan.edgeLabelOf(way);
    }

    /** The direction in which the walk took this edge; null without an edge. */
    public Direction direction() {
        return plan.directionOf(way);
    }

    /**
     * The rank of this edge, under which its properties are stored, to be read without a sign, if the walk
     * identifies edges ({@link Walk#withEdgeRanks}); else -1.
     */
    public int edgeRank() {
        return plan.tellsEdges && way != Branches.NO_WAY ? rank : Plan.NO_RANK;
    }

    /** The node before this one; -1 where the walk started. */
    public int parent() {
        return parent == Branches.NO_BRANCH ? -1 : branches.node(parent);
    }

    /** The sum of the costs of the edges to this node, in a walk by cost; else 0. */
    public double cost() {
        return plan.order == Order.BEST_FIRST ? arena.costs[number] : 0;
    }

    /** The state that {@link Guide#state} returned for this branch; 0 without. */
    public long state() {
        return hasState ? arena.states[number] : 0;
    }

    /**
     * Makes {@code path} the nodes and edges from where the walk started to here. Costs a step for each edge.
     */
    public void path(WalkPath path) {
        path.take(plan, branches, this);
    }
}
