package varvite.bench.protocol;

/**
 * A question that every peer answers. The time of a {@link Round} is measured, and the time of preparing the
 * question is not.
 *
 * @param <G> a graph in the engine's memory
 */
@FunctionalInterface
public interface Workload<G> {
    /** Prepares the question for a graph. */
    Round prepare(G graph);

    /** One run of the question. */
    @FunctionalInterface
    interface Round {
        /** Answers the question once. */
        Answer run();

        /** Called before every run; its time is not measured. */
        default void reset() {}
    }

    /**
     * The answer, as one or more numbers, and the number of elementary steps in the run (the divisor of "ns
     * per step").
     */
    record Answer(long operations, long... values) {
        /** The answer of a question whose answer is its number of steps. */
        public static Answer ofSteps(long steps) {
            return new Answer(steps, steps);
        }
    }
}
