package varvite.walk;

/** The nodes and edges that a walk has visited, with the check whether uniqueness allows a visit. */
final class Visited {
    private final Budget budget;
    private final NodeBits nodes;
    private final KeySet keys;
    /** The most recent keys, in a ring buffer whose oldest key is at index {@code oldest}. */
    private long[] recent = {};
    private int recentCount;
    private int oldest;

    private Uniqueness uniqueness = Uniqueness.NONE;
    /**
     * Whether the open branches form one path. The nodes or edges of the path are then in a set, so that no
     * branch needs to be searched.
     */
    private boolean isOnePath;

    Visited(Budget budget) {
        this.budget = budget;
        nodes = new NodeBits(budget);
        keys = new KeySet(budget);
    }

    /** Empties all sets for a new walk. */
    void begin(Uniqueness uniqueness, boolean isOnePath, int nodeCount) {
        this.uniqueness = uniqueness;
        this.isOnePath = isOnePath;
        Within within = uniqueness.within;
        if (within != null && !uniqueness.isOfEdges && (within.kind == Within.Kind.WALK || within.kind == Within.Kind.PATH)) {
            nodes.clear(nodeCount);
        }
        keys.clear();
        recentCount = 0;
        oldest = 0;
    }

    /** Whether a walk may start at a node. Called for all start nodes before the first step. */
    boolean admitsStart(int node) {
        if (uniqueness.within == null || uniqueness.isOfEdges) {
            return true;
        }
        return switch (uniqueness.within.kind) {
            case WALK -> nodes.insert(node);
            case RECENT -> admitRecent(node);
            case DEPTH -> keys.insert(node, 0);
            case PATH -> true;
        };
    }

    /** Adds a start node to the open path. */
    void enterStart(int node) {
        if (isOnePath && isOfPath() && !uniqueness.isOfEdges) {
            nodes.insert(node);
        }
    }

    private boolean isOfPath() {
        return uniqueness.within != null && uniqueness.within.kind == Within.Kind.PATH;
    }

    /**
     * Whether uniqueness allows the walk to visit a node along an edge. If so, the node or edge is marked as
     * visited.
     */
    boolean admits(Plan plan, Branches branches, int node, int way, int rank, int parent, int depth) {
        if (uniqueness.isOfEdges) {
            return way == Branches.NO_WAY || admitsEdge(plan, branches, plan.edgeKey(way, rank), parent, depth);
        }
        Within within = uniqueness.within;
        if (within == null) {
            return true;
        }
        return switch (within.kind) {
            case WALK -> nodes.insert(node);
            case PATH -> isOnePath ? nodes.insert(node) : !isOnPath(branches, node, parent);
            case RECENT -> admitRecent(node);
            case DEPTH -> keys.insert(node, depth);
        };
    }

    private boolean admitsEdge(Plan plan, Branches branches, long key, int parent, int depth) {
        return switch (uniqueness.within.kind) {
            case WALK -> keys.insert(key, 0);
            case PATH -> isOnePath ? keys.insert(key, 0) : !isEdgeOnPath(plan, branches, key, parent);
            case RECENT -> admitRecent(key);
            case DEPTH -> keys.insert(key, depth);
        };
    }

    private static boolean isOnPath(Branches branches, int node, int last) {
        for (int number = last; number != Branches.NO_BRANCH; number = branches.parent(number)) {
            if (branches.node(number) == node) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEdgeOnPath(Plan plan, Branches branches, long key, int last) {
        for (int number = last; number != Branches.NO_BRANCH; number = branches.parent(number)) {
            int way = branches.way(number);
            if (way != Branches.NO_WAY && plan.edgeKey(way, branches.rank(number)) == key) {
                return true;
            }
        }
        return false;
    }

    /**
     * Removes the last node of the open path from the visited nodes, or its last edge from the visited edges,
     * if uniqueness is within a path.
     */
    void leave(Plan plan, int node, int rank, int way) {
        if (!isOfPath()) {
            return;
        }
        if (!uniqueness.isOfEdges) {
            nodes.remove(node);
            return;
        }
        if (way != Branches.NO_WAY) {
            keys.remove(plan.edgeKey(way, rank), 0);
        }
    }

    /** Adds a key to the most recent keys; false if it is among them already. */
    private boolean admitRecent(long key) {
        int most = uniqueness.within.count;
        if (most == 0) {
            return true;
        }
        if (!keys.insert(key, 0)) {
            return false;
        }
        if (recentCount < most) {
            if (recentCount == recent.length) {
                recent = budget.grow(recent, recentCount + 1L);
            }
            recent[recentCount++] = key;
            return true;
        }
        keys.remove(recent[oldest], 0);
        recent[oldest] = key;
        oldest = oldest + 1 == recentCount ? 0 : oldest + 1;
        return true;
    }
}
