package varvite.walk;

import java.util.List;

/**
 * A test of branches. A walk may have several: a branch is a result if all include it, and the walk goes on
 * from it if all continue. They test branches of depth 0, which have no edge, as well. Immutable.
 */
public final class Evaluator {
    /** The kind of test. */
    sealed interface Test permits Depths, Labels, LastEdge, Ends, EndsAtDepth, ContainsAll, Number, AnyOf {}

    record Depths(int least, int most, int continuesBelow) implements Test {}

    record Labels(List<String> labels, Outcomes outcomes) implements Test {}

    record LastEdge(List<String> edgeLabels, Outcomes outcomes) implements Test {}

    record Ends(List<Integer> nodes, Outcomes outcomes) implements Test {}

    record EndsAtDepth(int depth, List<Integer> nodes) implements Test {}

    record ContainsAll(List<Integer> nodes) implements Test {}

    record Number(String property, long least, long greatest, Outcomes outcomes) implements Test {}

    record AnyOf(List<Evaluator> evaluators) implements Test {}

    /** The result of a test. */
    record Outcomes(Evaluation matched, Evaluation other) {
        static final Outcomes INCLUDE = new Outcomes(Evaluation.INCLUDE_AND_CONTINUE, Evaluation.EXCLUDE_AND_CONTINUE);
        static final Outcomes INCLUDE_AND_END = new Outcomes(Evaluation.INCLUDE_AND_PRUNE, Evaluation.EXCLUDE_AND_CONTINUE);

        int of(boolean isMatched) {
            return (isMatched ? matched : other).bits;
        }
    }

    /** Deeper than any branch. */
    static final int DEPTH_MAX = Integer.MAX_VALUE;

    final Test test;

    private Evaluator(Test test) {
        this.test = test;
    }

    // By depth: how many edges a branch has

    /** Everything but where the walk starts. */
    public static Evaluator withoutStart() {
        return fromDepth(1);
    }

    /** Branches of at most so many edges; the walk goes no deeper. */
    public static Evaluator toDepth(int most) {
        return depths(0, most);
    }

    /** Branches of at least so many edges. */
    public static Evaluator fromDepth(int least) {
        return new Evaluator(new Depths(checkNotNegative("depth", least), DEPTH_MAX, DEPTH_MAX));
    }

    /** Branches of exactly so many edges; the walk goes no deeper. */
    public static Evaluator atDepth(int depth) {
        return depths(depth, depth);
    }

    /** Branches of these lengths, both numbers included; the walk goes no deeper. */
    public static Evaluator depths(int least, int most) {
        return new Evaluator(new Depths(checkNotNegative("depth", least), checkNotNegative("depth", most), most));
    }

    // By labels: table look-ups

    /** One evaluation for nodes with one of these labels, another for others. */
    public static Evaluator labels(List<String> labels, Evaluation matched, Evaluation other) {
        return new Evaluator(new Labels(List.copyOf(labels), new Outcomes(matched, other)));
    }

    /** Nodes with one of these labels; the walk goes on everywhere. */
    public static Evaluator includeLabels(String... labels) {
        return new Evaluator(new Labels(List.of(labels), Outcomes.INCLUDE));
    }

    /** Nodes with one of these labels; the walk ends there, and goes on elsewhere. */
    public static Evaluator pruneLabels(String... labels) {
        return new Evaluator(new Labels(List.of(labels), Outcomes.INCLUDE_AND_END));
    }

    /** One evaluation for branches whose last edge has one of these labels, another for others. */
    public static Evaluator lastEdge(List<String> edgeLabels, Evaluation matched, Evaluation other) {
        return new Evaluator(new LastEdge(List.copyOf(edgeLabels), new Outcomes(matched, other)));
    }

    /** Branches whose last edge has one of these labels; the walk goes on everywhere. */
    public static Evaluator includeLastEdge(String... edgeLabels) {
        return new Evaluator(new LastEdge(List.of(edgeLabels), Outcomes.INCLUDE));
    }

    /** Branches whose last edge has one of these labels; the walk ends there, and goes on elsewhere. */
    public static Evaluator pruneLastEdge(String... edgeLabels) {
        return new Evaluator(new LastEdge(List.of(edgeLabels), Outcomes.INCLUDE_AND_END));
    }

    // By nodes

    /** One evaluation for branches that end at one of these nodes, another for others. */
    public static Evaluator endsAt(int[] nodes, Evaluation matched, Evaluation other) {
        return new Evaluator(new Ends(listed(nodes), new Outcomes(matched, other)));
    }

    /** Branches that end at one of these nodes; the walk goes on everywhere. */
    public static Evaluator includeEnds(int... nodes) {
        return new Evaluator(new Ends(listed(nodes), Outcomes.INCLUDE));
    }

    /** Branches that end at one of these nodes; the walk ends there, and goes on elsewhere. */
    public static Evaluator pruneEnds(int... nodes) {
        return new Evaluator(new Ends(listed(nodes), Outcomes.INCLUDE_AND_END));
    }

    /** Branches of exactly so many edges that end at one of these nodes; the walk goes no deeper. */
    public static Evaluator endsAtDepth(int depth, int... nodes) {
        return new Evaluator(new EndsAtDepth(checkNotNegative("depth", depth), listed(nodes)));
    }

    /**
     * Branches that have all of these nodes on them; the walk goes on everywhere. Costs a pass over the edges
     * of a branch for each of the nodes.
     */
    public static Evaluator containsAll(int... nodes) {
        return new Evaluator(new ContainsAll(listed(nodes)));
    }

    // By values, and by others

    /**
     * One evaluation for nodes with a value from {@code least} to {@code greatest}, both included, another
     * for others. The numbers of truth values are 0 and 1. Read only where the other evaluators leave
     * something to say.
     */
    public static Evaluator number(String property, long least, long greatest, Evaluation matched, Evaluation other) {
        return new Evaluator(new Number(property, least, greatest, new Outcomes(matched, other)));
    }

    /**
     * Nodes with a value from {@code least} to {@code greatest}, both included; the walk goes on everywhere.
     */
    public static Evaluator includeNumber(String property, long least, long greatest) {
        return new Evaluator(new Number(property, least, greatest, Outcomes.INCLUDE));
    }

    /**
     * Branches that any of these evaluators includes; the walk goes on everywhere, even where one of them
     * would end it.
     */
    public static Evaluator anyOf(Evaluator... evaluators) {
        return new Evaluator(new AnyOf(List.of(evaluators)));
    }

    private static List<Integer> listed(int... nodes) {
        for (int node : nodes) {
            checkNotNegative("node", node);
        }
        return java.util.Arrays.stream(nodes).boxed().toList();
    }

    static int checkNotNegative(String what, int number) {
        if (number < 0) {
            throw new IllegalArgumentException(what + ": expected 0 or more, found " + number);
        }
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Evaluator evaluator && test.equals(evaluator.test);
    }

    @Override
    public int hashCode() {
        return test.hashCode();
    }

    /** As JSON. */
    @Override
    public String toString() {
        return WalkJson.of(this);
    }
}
