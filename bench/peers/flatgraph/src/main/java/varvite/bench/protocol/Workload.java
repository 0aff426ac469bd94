package varvite.bench.protocol;

/**
 * A question that every peer answers. The time of preparing it is not measured, that of a {@link Round} is.
 *
 * @param <G> a graph in the engine's memory
 */
@FunctionalInterface
public interface Workload<G> {
    /** Sets up the question for a graph. */
    Round prepare(G graph);

    /** One run of the question. */
    @FunctionalInterface
    interface Round {
        /** Asks once. */
        Answer run();

        /** Called before every run, outside the clock. */
        default void reset() {}
    }

    /**
     * The answer, in one number or a few, and the number of elementary steps that it took (the divisor of "ns
     * per step").
     */
    record Answer(long operations, long... values) {
        /** For questions whose answer is the number of steps. */
        public static Answer ofSteps(long steps) {
            return new Answer(steps, steps);
        }
    }
}
