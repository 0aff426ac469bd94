package varvite.walk;

import varvite.EdgeLabel;

/**
 * Functions of the caller that lead a walk: the walk calls them after the tests of its description. A lambda
 * that returns an {@link Evaluation} is one.
 *
 * <pre>{@code
 * Run run = plan.run(arena, visit -> Evaluation.of(name.code(visit.node()) == wanted, visit.depth() < 10));
 * }</pre>
 *
 * <p>All functions are called on the thread that calls {@link Run#next}. An exception of theirs ends the walk
 * and comes out of {@link Run#next}. They may not use the run that they lead, nor its arena.
 */
@FunctionalInterface
public interface Guide {
    /**
     * The evaluation of a branch, in addition to the walk's evaluators. Not called where these exclude it and
     * prune.
     */
    Evaluation evaluate(Visit visit);

    /** Whether {@link #state} is kept for each branch. Called when a run is made. */
    default boolean hasState() {
        return false;
    }

    /**
     * The state of a branch, made from that of the branch before: a number that flows along each branch, and
     * that the visit has in the other functions ({@link Visit#state}).
     *
     * @param before that of the branch before; 0 where the walk starts
     */
    default long state(Visit visit, long before) {
        return before;
    }

    /**
     * Whether {@link #expand} chooses the edges to follow, in place of the hops of the walk. Called when a
     * run is made.
     */
    default boolean expands() {
        return false;
    }

    /** Gives the next steps, if {@link #expands}. */
    default void expand(Visit visit, Steps steps) {}

    /**
     * The cost of an edge, in a walk by cost: a number from 0 on.
     *
     * @param from where the edge starts
     * @param node where it leads
     * @param edgeLabel its label; null for a step along no edge
     * @param listed the cost by the description of the walk
     */
    default double cost(Visit from, int node, EdgeLabel edgeLabel, double listed) {
        return listed;
    }

    /**
     * A lower bound of the remaining cost from a node on, in a walk by cost: never more than the cost of an
     * edge plus the bound at its target.
     */
    default double estimate(int node) {
        return 0;
    }
}
