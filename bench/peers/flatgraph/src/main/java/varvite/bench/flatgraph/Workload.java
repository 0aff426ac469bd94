package varvite.bench.flatgraph;

/** A question that every peer answers. Preparing is set-up outside the clock; a {@link Round} is what the clock sees. */
@FunctionalInterface
interface Workload {
    Round prepare(CodeGraph graph);

    /** One run of the question. */
    @FunctionalInterface
    interface Round {
        Answer run();

        /** Called before every run, outside the clock. */
        default void reset() {}
    }

    /** What was found, in one number or a few, and how many elementary steps it took (the divisor of "ns per step"). */
    record Answer(long operations, long... values) {
        /** For questions whose answer is the number of steps. */
        static Answer ofSteps(long steps) {
            return new Answer(steps, steps);
        }
    }
}
