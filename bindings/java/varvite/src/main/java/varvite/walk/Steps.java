package varvite.walk;

import varvite.Adjacency;
import varvite.Ranks;

/** Receives the steps that {@link Guide#expand} chooses from a branch. Valid during that call only. */
public final class Steps {
    private final Plan plan;
    private final Pending pending;
    private final PairedLists.Entries entries;
    private final Meter meter;
    private int node;
    private int code;

    Steps(Plan plan, Pending pending, PairedLists.Entries entries, Meter meter) {
        this.plan = plan;
        this.pending = pending;
        this.entries = entries;
        this.meter = meter;
    }

    void at(int node, int code) {
        this.node = node;
        this.code = code;
    }

    /**
     * Follows all edges that the hops of the walk allow from the branch's last node.
     *
     * @throws varvite.error.OverBudgetException if the arena has no room for the steps
     */
    public void follow() {
        int end = plan.wayEnds[code];
        for (int at = plan.wayStarts[code]; at < end; at++) {
            follow(plan.wayNumbers[at]);
        }
    }

    /**
     * Follows the edges of one hop of the walk, even if {@link Hop#from} excludes the branch's last node.
     * Hops are numbered from 0 in the order in which they were added to the walk.
     *
     * @throws IndexOutOfBoundsException if the walk has no such hop
     * @throws varvite.error.OverBudgetException if the arena has no room for the steps
     */
    public void followHop(int hop) {
        for (int way : plan.hops[hop]) {
            follow(way);
        }
    }

    /**
     * Goes to a node directly, even if no edge leads there. Ignored if the graph has no node with this id.
     *
     * @throws varvite.error.OverBudgetException if the arena has no room for the step
     */
    public void goTo(int node) {
        if (Integer.compareUnsigned(node, plan.nodeCount()) < 0) {
            pending.push(node, Branches.NO_WAY, Plan.NO_RANK);
        }
    }

    private void follow(int way) {
        PairedLists lists = plan.paired == null ? null : plan.paired[way];
        if (lists != null) {
            lists.read(node, way, entries, pending, meter);
            return;
        }
        Adjacency adjacency = plan.adjacencies[way];
        Ranks ranks = plan.ranks == null ? null : plan.ranks[way];
        for (long rest = adjacency.rest(node); rest != 0; rest = adjacency.after(node, rest)) {
            meter.tick();
            pending.push(adjacency.neighbor(node, rest), way, ranks == null ? Plan.NO_RANK : ranks.of(node, rest));
        }
    }
}
