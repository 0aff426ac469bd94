package varvite.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Counts how often readers have started, so that a test can wait for a reader on a busy machine. */
public final class Starts {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final AtomicLong count = new AtomicLong();

    /** Counts a start. A reader calls this before it reads. */
    public void add() {
        count.incrementAndGet();
    }

    /** Waits until a reader starts, but for at most ten seconds. */
    public void awaitNext() {
        long before = count.get();
        long deadline = System.nanoTime() + PATIENCE;
        while (count.get() == before && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }
}
