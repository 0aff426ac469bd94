package varvite.walk;

import varvite.error.WalkException;

/**
 * A best-first walk: each edge that the walk reads adds a branch with its total cost, and the walk visits the
 * cheapest branch next.
 */
final class BestFirst extends Loop {
    /**
     * The branch that was visited last, if its edges have not been read yet; else {@link Branches#NO_BRANCH}.
     */
    private int fresh;

    BestFirst(Plan plan, Arena arena, Guide guide) {
        super(plan, arena, guide);
    }

    @Override
    boolean isOnePath() {
        return false;
    }

    @Override
    void begin() {
        super.begin();
        fresh = Branches.NO_BRANCH;
    }

    @Override
    int next() {
        while (hasStart()) {
            int node = nextStart();
            find(branches.push(node, Branches.NO_BRANCH, 0, codeOf(node), 0, Branches.NO_WAY), node, 0);
        }
        while (true) {
            if (fresh != Branches.NO_BRANCH) {
                int number = fresh;
                fresh = Branches.NO_BRANCH;
                findBehind(number);
            }
            int number = arena.heap.pop();
            if (number == Branches.NO_BRANCH) {
                return END;
            }
            meter.tick();
            if (!admits(number)) {
                continue;
            }
            int evaluation = evaluate(number);
            fresh = (evaluation & Evaluation.CONTINUES) != 0 ? number : Branches.NO_BRANCH;
            if ((evaluation & Evaluation.INCLUDES) != 0) {
                return number;
            }
        }
    }

    /** Adds a branch for each edge that the walk follows from a branch's last node. */
    private void findBehind(int number) {
        if (!expand(number)) {
            return;
        }
        while (frames.next()) {
            edges++;
            meter.tick();
            int way = frames.way();
            int rank = frames.rank();
            if (plan.skipsArrivingEdge && isArrivingEdge(way, rank, number)) {
                continue;
            }
            int node = frames.neighbor();
            int code = codeOf(node);
            if (!plan.hasTargets() || plan.leadsTo(way, code)) {
                double cost = costTo(node, way, rank, number);
                find(branches.push(node, number, branches.depth(number) + 1, code, rank, way), node, cost);
            }
        }
        frames.close();
    }

    private void find(int number, int node, double cost) {
        arena.setCost(number, cost);
        arena.heap.push(guide == null ? cost : cost + guide.estimate(node), number);
    }

    /** The total cost of the edges from the start node to {@code node}. */
    private double costTo(int node, int way, int rank, int parent) {
        int before = branches.node(parent);
        double cost = plan.listedCost(way, rank, before);
        if (guide != null) {
            visit.at(parent);
            cost = guide.cost(visit, node, plan.edgeLabelOf(way), cost);
        }
        if (!(cost >= 0)) {
            throw WalkException.negativeCost(before, cost);
        }
        return arena.costs[parent] + cost;
    }
}
