package varvite.bench.protocol;

import java.util.Arrays;
import varvite.bench.protocol.Workload.Answer;
import varvite.bench.protocol.Workload.Round;

/** Times rounds, and fails if two rounds of a workload give different answers. */
final class Measurement {
    /**
     * The warm-up time before the first sample of a workload, from a system property. The warm-up takes
     * longer if a single round does.
     */
    private static final long WARMUP_NS = (long) (1e9 * Double.parseDouble(System.getProperty("warmup.seconds", "3")));
    private static final int WARMUP_ROUNDS_MIN = 5;

    final Answer answer;
    final long[] samples;

    private Measurement(Answer answer, long[] samples) {
        this.answer = answer;
        this.samples = samples;
    }

    /** Runs rounds until the JVM has had time to compile the hot code, and returns the number of rounds. */
    static int warmUp(Round round) {
        int rounds = 0;
        for (long start = System.nanoTime(); rounds < WARMUP_ROUNDS_MIN || System.nanoTime() - start < WARMUP_NS; rounds++) {
            round.reset();
            round.run();
        }
        return rounds;
    }

    static Measurement of(Round round, int iterations) {
        long[] samples = new long[iterations];
        Answer answer = null;
        for (int i = 0; i < iterations; i++) {
            round.reset();
            long start = System.nanoTime();
            Answer found = round.run();
            samples[i] = System.nanoTime() - start;
            if (answer != null && !Arrays.equals(answer.values(), found.values())) {
                throw new IllegalStateException("two rounds disagree: " + Arrays.toString(answer.values()) + " and "
                        + Arrays.toString(found.values()));
            }
            answer = found;
        }
        return new Measurement(answer, samples);
    }
}
