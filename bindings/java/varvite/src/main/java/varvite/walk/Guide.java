package varvite.walk;

import varvite.EdgeLabel;

/**
 * Functions of the caller that control a walk. For each branch, a walk applies its own evaluators before it
 * calls {@link #evaluate}. A lambda that returns an {@link Evaluation} is a guide.
 *
 * <pre>{@code
 * Run run = plan.run(arena, visit -> Evaluation.of(name.code(visit.node()) == wanted, visit.depth() < 10));
 * }</pre>
 *
 * <p>All functions are called on the thread that calls {@link Run#next}. If a function throws, the walk ends
 * and {@link Run#next} throws that exception. The functions must use neither the run that they control nor
 * its arena.
 */
@FunctionalInterface
public interface Guide {
    /**
     * Evaluates a branch, in addition to the walk's evaluators. Not called if the evaluators already exclude
     * the branch and prune the walk there.
     */
    Evaluation evaluate(Visit visit);

    /**
     * Whether the walk calls {@link #state} for each branch and stores the result. Called when a run is made.
     */
    default boolean hasState() {
        return false;
    }

    /**
     * Computes the state of a branch from the state of its parent branch. The other functions can read it as
     * {@link Visit#state}.
     *
     * @param before the state of the parent branch; 0 at a start node
     */
    default long state(Visit visit, long before) {
        return before;
    }

    /**
     * Whether {@link #expand} chooses the edges to follow, instead of the hops of the walk. Called when a run
     * is made.
     */
    default boolean expands() {
        return false;
    }

    /** Chooses the next steps from a branch. Called if {@link #expands} returns true. */
    default void expand(Visit visit, Steps steps) {}

    /**
     * The cost of an edge, in a best-first walk; must not be negative.
     *
     * @param from the branch from which the edge is followed
     * @param node the node that the edge leads to
     * @param edgeLabel the label of the edge; null for a step without an edge
     * @param listed the cost that the walk's description gives to the edge
     */
    default double cost(Visit from, int node, EdgeLabel edgeLabel, double listed) {
        return listed;
    }

    /**
     * A lower bound of the remaining cost from a node, in a best-first walk. For each edge of the node, the
     * bound must not exceed the cost of the edge plus the bound at the edge's other end.
     */
    default double estimate(int node) {
        return 0;
    }
}
