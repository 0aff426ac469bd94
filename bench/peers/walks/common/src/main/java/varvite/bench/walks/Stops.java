package varvite.bench.walks;

import java.time.Duration;
import java.util.concurrent.FutureTask;

/**
 * The times in nanoseconds from cancelling a walk to its exception, and from reaching its time limit to its
 * exception. Walks that ended before are left out.
 */
record Stops(long[] cancelled, long[] outOfTime) {
    /**
     * Cancels a walk {@code samples} times, and runs it {@code samples} times with a time limit, each time
     * after a different share of the time of a whole walk.
     */
    static Stops measure(Stoppable side, String walk, int samples) throws Exception {
        long start = System.nanoTime();
        side.walk(walk);
        long whole = System.nanoTime() - start;
        var cancelled = new long[samples];
        var outOfTime = new long[samples];
        for (int sample = 0; sample < samples; sample++) {
            long after = whole * (2 * sample + 1) / (2 * samples);
            cancelled[sample] = cancel(side, walk, after);
            outOfTime[sample] = limit(side, walk, after);
        }
        return new Stops(ofThoseStopped(cancelled), ofThoseStopped(outOfTime));
    }

    private static long cancel(Stoppable side, String walk, long after) throws Exception {
        Thread walking = Thread.currentThread();
        var cancelling = new FutureTask<>(() -> {
            Thread.sleep(Duration.ofNanos(after));
            long now = System.nanoTime();
            side.cancel(walk, walking);
            return now;
        });
        Thread.ofPlatform().start(cancelling);
        long end = endOf(side, () -> side.walk(walk));
        long set = cancelling.get();
        // If the interrupt came too late, it must not end the next walk.
        Thread.interrupted();
        return end < 0 ? -1 : end - set;
    }

    private static long limit(Stoppable side, String walk, long nanos) {
        long start = System.nanoTime();
        long end = endOf(side, () -> side.walk(walk, Duration.ofNanos(nanos)));
        return end < 0 ? -1 : end - start - nanos;
    }

    /** The time at which a walk was stopped; -1 if it reached its end. */
    private static long endOf(Stoppable side, Runnable walk) {
        try {
            walk.run();
            return -1;
        } catch (RuntimeException e) {
            long end = System.nanoTime();
            if (!side.isStop(e)) {
                throw e;
            }
            return end;
        }
    }

    private static long[] ofThoseStopped(long[] samples) {
        return java.util.Arrays.stream(samples).filter(sample -> sample >= 0).toArray();
    }
}
