package varvite.walk;

import java.util.List;

/**
 * A test of branches. A walk may have several evaluators: a branch is a result if all include it, and the
 * walk continues from it if all continue. Evaluators also test branches of depth 0, which have no edge.
 * Immutable.
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

    /** The evaluations of branches that match a test and of other branches. */
    record Outcomes(Evaluation matched, Evaluation other) {
        static final Outcomes INCLUDE = new Outcomes(Evaluation.INCLUDE_AND_CONTINUE, Evaluation.EXCLUDE_AND_CONTINUE);
        static final Outcomes INCLUDE_AND_END = new Outcomes(Evaluation.INCLUDE_AND_PRUNE, Evaluation.EXCLUDE_AND_CONTINUE);

        int of(boolean isMatched) {
            return (isMatched ? matched : other).bits;
        }
    }

    /** A depth that no branch exceeds. */
    static final int DEPTH_MAX = Integer.MAX_VALUE;

    final Test test;

    private Evaluator(Test test) {
        this.test = test;
    }

    // By depth: the number of edges of a branch

    /** Includes all branches except the start nodes. */
    public static Evaluator withoutStart() {
        return fromDepth(1);
    }

    /** Includes branches of at most {@code most} edges; the walk does not go deeper. */
    public static Evaluator toDepth(int most) {
        return depths(0, most);
    }

    /** Includes branches of at least {@code least} edges. */
    public static Evaluator fromDepth(int least) {
        return new Evaluator(new Depths(checkNotNegative("depth", least), DEPTH_MAX, DEPTH_MAX));
    }

    /** Includes branches of exactly {@code depth} edges; the walk does not go deeper. */
    public static Evaluator atDepth(int depth) {
        return depths(depth, depth);
    }

    /**
     * Includes branches of {@code least} to {@code most} edges, both included; the walk does not go deeper.
     */
    public static Evaluator depths(int least, int most) {
        return new Evaluator(new Depths(checkNotNegative("depth", least), checkNotNegative("depth", most), most));
    }

    // By labels: table look-ups

    /**
     * Evaluates branches to nodes with one of these labels as {@code matched}, and all others as {@code
     * other}.
     */
    public static Evaluator labels(List<String> labels, Evaluation matched, Evaluation other) {
        return new Evaluator(new Labels(List.copyOf(labels), new Outcomes(matched, other)));
    }

    /** Includes branches to nodes with one of these labels; the walk continues everywhere. */
    public static Evaluator includeLabels(String... labels) {
        return new Evaluator(new Labels(List.of(labels), Outcomes.INCLUDE));
    }

    /**
     * Includes branches to nodes with one of these labels; the walk does not continue from them, but from all
     * others.
     */
    public static Evaluator pruneLabels(String... labels) {
        return new Evaluator(new Labels(List.of(labels), Outcomes.INCLUDE_AND_END));
    }

    /**
     * Evaluates branches whose last edge has one of these labels as {@code matched}, and all others as {@code
     * other}.
     */
    public static Evaluator lastEdge(List<String> edgeLabels, Evaluation matched, Evaluation other) {
        return new Evaluator(new LastEdge(List.copyOf(edgeLabels), new Outcomes(matched, other)));
    }

    /** Includes branches whose last edge has one of these labels; the walk continues everywhere. */
    public static Evaluator includeLastEdge(String... edgeLabels) {
        return new Evaluator(new LastEdge(List.of(edgeLabels), Outcomes.INCLUDE));
    }

    /**
     * Includes branches whose last edge has one of these labels; the walk does not continue from them, but
     * from all others.
     */
    public static Evaluator pruneLastEdge(String... edgeLabels) {
        return new Evaluator(new LastEdge(List.of(edgeLabels), Outcomes.INCLUDE_AND_END));
    }

    // By nodes

    /**
     * Evaluates branches that end at one of these nodes as {@code matched}, and all others as {@code other}.
     */
    public static Evaluator endsAt(int[] nodes, Evaluation matched, Evaluation other) {
        return new Evaluator(new Ends(listed(nodes), new Outcomes(matched, other)));
    }

    /** Includes branches that end at one of these nodes; the walk continues everywhere. */
    public static Evaluator includeEnds(int... nodes) {
        return new Evaluator(new Ends(listed(nodes), Outcomes.INCLUDE));
    }

    /**
     * Includes branches that end at one of these nodes; the walk does not continue from them, but from all
     * others.
     */
    public static Evaluator pruneEnds(int... nodes) {
        return new Evaluator(new Ends(listed(nodes), Outcomes.INCLUDE_AND_END));
    }

    /**
     * Includes branches of exactly {@code depth} edges that end at one of these nodes; the walk does not go
     * deeper.
     */
    public static Evaluator endsAtDepth(int depth, int... nodes) {
        return new Evaluator(new EndsAtDepth(checkNotNegative("depth", depth), listed(nodes)));
    }

    /**
     * Includes branches that contain all of these nodes; the walk continues everywhere. For each of the
     * nodes, the evaluator searches the whole branch.
     */
    public static Evaluator containsAll(int... nodes) {
        return new Evaluator(new ContainsAll(listed(nodes)));
    }

    // By values, and by other evaluators

    /**
     * Evaluates branches to nodes with a value from {@code least} to {@code greatest}, both included, as
     * {@code matched}, and all others as {@code other}. Truth values are the numbers 0 and 1. The walk reads
     * the value only if the other evaluators have not decided.
     */
    public static Evaluator number(String property, long least, long greatest, Evaluation matched, Evaluation other) {
        return new Evaluator(new Number(property, least, greatest, new Outcomes(matched, other)));
    }

    /**
     * Includes branches to nodes with a value from {@code least} to {@code greatest}, both included; the walk
     * continues everywhere.
     */
    public static Evaluator includeNumber(String property, long least, long greatest) {
        return new Evaluator(new Number(property, least, greatest, Outcomes.INCLUDE));
    }

    /**
     * Includes branches that any of these evaluators includes; the walk continues everywhere, even where one
     * of them would prune it.
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

    /** The evaluator as JSON. */
    @Override
    public String toString() {
        return WalkJson.of(this);
    }
}
