package varvite.walk;

import varvite.Labels;
import varvite.error.NoSuchNodeException;
import varvite.error.WalkException;

/**
 * The state of a running walk, with the methods that visit, evaluate and expand a branch, which are the same
 * in all orders. There is a subclass for each order, which chooses the next branch. These methods are called
 * for each edge and allocate only if the arena has to grow.
 */
abstract sealed class Loop permits DepthFirst, BreadthFirst, BestFirst {
    /** The result of {@link #next} if there is no further result. */
    static final int END = Branches.NO_BRANCH;
    /** The result of a visit that was refused, instead of the bits of an evaluation. */
    static final int NOWHERE = -1;

    final Plan plan;
    final Arena arena;
    final Branches branches;
    final Frames frames;
    final Meter meter = new Meter();
    final Visit visit;
    final Guide guide;
    private final Visited visited;
    final Labels labels;
    private final boolean hasState;
    final boolean isUnique;
    private final Steps steps;

    /** The number of start nodes that the walk has taken so far. */
    private int started;

    long branchCount;
    long expansions;
    long edges;
    long labelReads;
    /** The number of results that {@link #count} has counted without returning them. */
    long counted;

    Loop(Plan plan, Arena arena, Guide guide) {
        this.plan = plan;
        this.arena = arena;
        this.guide = guide;
        branches = arena.branches;
        frames = arena.frames;
        visited = arena.visited;
        labels = plan.labels;
        hasState = guide != null && guide.hasState();
        isUnique = plan.uniqueness.within != null;
        visit = new Visit(plan, arena, hasState);
        steps = guide != null && guide.expands()
                ? new Steps(plan, arena.pending, new PairedLists.Entries(arena.budget()), meter)
                : null;
    }

    static Loop of(Plan plan, Arena arena, Guide guide) {
        return switch (plan.order) {
            case DEPTH_FIRST, DEPTH_FIRST_POST ->
                isPlain(plan, guide) ? new PlainDepthFirst(plan, arena, guide) : new DepthFirst(plan, arena, guide);
            case BREADTH_FIRST, BREADTH_FIRST_POST -> new BreadthFirst(plan, arena, guide);
            case BEST_FIRST -> new BestFirst(plan, arena, guide);
        };
    }

    private static boolean isPlain(Plan plan, Guide guide) {
        boolean followsAll = !plan.tellsEdges && !plan.hasTargets() && !plan.meetsLoopsTwice();
        return followsAll && (guide == null || !guide.expands() && !guide.hasState());
    }

    /** The number of the branch that is the next result, or {@link #END} if there is none. */
    abstract int next();

    /** Counts at most {@code most} results without returning them. */
    void count(long most) {
        for (long left = most; left > 0 && next() != END; left--) {
            counted++;
        }
    }

    /** Whether the open branches form one path. */
    abstract boolean isOnePath();

    /** Begins a new walk. Its start nodes are then added with {@link #addStart}. */
    void begin() {
        if (plan.hops.length == 0 && steps == null) {
            throw WalkException.noHop();
        }
        started = 0;
        branchCount = 0;
        expansions = 0;
        edges = 0;
        labelReads = 0;
        visit.valueReads = 0;
        counted = 0;
        meter.begin(plan.timeMax);
        frames.begin(plan, meter);
        visited.begin(plan.uniqueness, isOnePath(), plan.nodeCount());
    }

    void checkStart(int node) {
        if (Integer.compareUnsigned(node, plan.nodeCount()) >= 0) {
            throw new NoSuchNodeException("node", node, plan.nodeCount());
        }
    }

    void addStart(int node) {
        if (visited.admitsStart(node)) {
            arena.addStart(node);
        }
    }

    boolean hasStart() {
        return started < arena.startCount();
    }

    int nextStart() {
        return arena.start(started++);
    }

    /**
     * Visits the next start node. Returns the bits of its evaluation, or {@link #NOWHERE} if no start node is
     * left.
     */
    final int start() {
        if (!hasStart()) {
            return NOWHERE;
        }
        int node = nextStart();
        int code = codeOf(node);
        visited.enterStart(node);
        return takeUp(node, Branches.NO_BRANCH, 0, code, 0, Branches.NO_WAY);
    }

    /**
     * Visits the neighbour that {@link #frames} has found, if the walk's rules allow it. Returns the bits of
     * its evaluation, or {@link #NOWHERE} if the visit is refused.
     */
    final int arrive(int parent, int depth) {
        Frames frames = this.frames;
        int node = frames.neighbor();
        int way = frames.way();
        int rank = frames.rank();
        if ((++edges & Meter.TICKS - 1) == 0) {
            meter.look();
        }
        if (plan.skipsArrivingEdge && isArrivingEdge(way, rank, parent)) {
            return NOWHERE;
        }
        // A node whose labels the hop excludes must remain unvisited, so test its labels before it is marked
        // as visited.
        int code = 0;
        boolean hasTargets = plan.hasTargets();
        if (hasTargets) {
            code = codeOf(node);
            if (!plan.leadsTo(way, code)) {
                return NOWHERE;
            }
        }
        if (isUnique && !admits(node, way, rank, parent, depth)) {
            return NOWHERE;
        }
        return takeUp(node, parent, depth, hasTargets ? code : codeOf(node), rank, way);
    }

    /**
     * Whether uniqueness allows the walk to visit a node along an edge. If so, the node or edge is marked as
     * visited.
     */
    final boolean admits(int node, int way, int rank, int parent, int depth) {
        return visited.admits(plan, branches, node, way, rank, parent, depth);
    }

    /** Whether uniqueness allows the walk to visit branch {@code number}, which was found earlier. */
    final boolean admits(int number) {
        return branches.depth(number) == 0
                || !isUnique
                || visited.admits(
                        plan,
                        branches,
                        branches.node(number),
                        branches.way(number),
                        branches.rank(number),
                        branches.parent(number),
                        branches.depth(number));
    }

    /** The code of a node's label set; adds 1 to the count of label reads. */
    final int codeOf(int node) {
        labelReads++;
        return labels.code(node);
    }

    /** Whether an edge from the end of branch {@code parent} is the branch's own last edge. */
    final boolean isArrivingEdge(int way, int rank, int parent) {
        int before = branches.way(parent);
        return before != Branches.NO_WAY
                && way != Branches.NO_WAY
                && branches.rank(parent) == rank
                && plan.isSameLabel(before, way);
    }

    private int takeUp(int node, int parent, int depth, int code, int rank, int way) {
        visit.show(branches.push(node, parent, depth, code, rank, way), node, parent, depth, code, rank, way);
        return evaluateShown();
    }

    /** Evaluates a branch and returns the bits of its evaluation. */
    final int evaluate(int number) {
        visit.at(number);
        return evaluateShown();
    }

    private int evaluateShown() {
        branchCount++;
        int known = ask(plan.evaluate(visit.labelCode(), visit.depth()));
        branches.evaluate(visit.number(), visit.way(), known);
        return known;
    }

    /**
     * Applies the tests and the guide to the branch that {@link #visit} shows, and returns the combined
     * evaluation.
     */
    final int ask(int evaluation) {
        int known = plan.hasTests() ? plan.evaluateTests(evaluation, visit) : evaluation;
        return guide == null ? known : evaluateByGuide(known);
    }

    private int evaluateByGuide(int known) {
        if (hasState) {
            int number = visit.number();
            int before = visit.before();
            arena.reserveState(number);
            arena.states[number] = 0;
            arena.states[number] = guide.state(visit, before == Branches.NO_BRANCH ? 0 : arena.states[before]);
        }
        return known == 0 ? 0 : known & guide.evaluate(visit).bits;
    }

    /** Opens a frame for the neighbours of a branch; false if there are none. */
    boolean expand(int number) {
        expansions++;
        if (steps != null) {
            return expandByGuide(number);
        }
        Branches branches = this.branches;
        return frames.open(branches.node(number), plan.place(branches.code(number), branches.way(number)));
    }

    private boolean expandByGuide(int number) {
        int begin = arena.pending.count();
        visit.at(number);
        steps.at(branches.node(number), branches.code(number));
        guide.expand(visit, steps);
        return frames.openGiven(branches.node(number), begin);
    }

    /** Ends the visit of the last branch of the open path. */
    final void closeLast() {
        int last = branches.count() - 1;
        leave(branches.node(last), branches.rank(last), branches.way(last));
        branches.pop();
    }

    /**
     * Removes the last node of the path from the visited nodes, or its last edge from the visited edges, if
     * uniqueness is within a path.
     */
    final void leave(int node, int rank, int way) {
        if (isUnique) {
            visited.leave(plan, node, rank, way);
        }
    }

    final boolean includes(int number) {
        return (branches.evaluation(number) & Evaluation.INCLUDES) != 0;
    }

    final boolean continues(int number) {
        return (branches.evaluation(number) & Evaluation.CONTINUES) != 0;
    }
}
