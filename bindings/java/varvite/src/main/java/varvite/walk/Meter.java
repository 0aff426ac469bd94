package varvite.walk;

import java.time.Duration;
import varvite.error.CancelledException;
import varvite.error.TimedOutException;

/** Checks a walk's time limit and the flags that cancel the walk, after every {@link #TICKS} edges. */
final class Meter {
    /** The number of edges between two checks of the flags and the clock. */
    static final int TICKS = 1 << 12;

    private int ticks;
    private Duration limit;
    /** The time at which the walk must end, on the clock of {@link System#nanoTime}. */
    private long end;

    private volatile boolean isCancelled;

    void begin(Duration limit) {
        ticks = 0;
        isCancelled = false;
        this.limit = limit;
        end = limit == null ? 0 : System.nanoTime() + Plan.nanosOf(limit);
    }

    void cancel() {
        isCancelled = true;
    }

    /** Counts one more edge. */
    void tick() {
        if (++ticks >= TICKS) {
            look();
        }
    }

    /** Checks the flags and the clock; throws if the walk must end. */
    void look() {
        ticks = 0;
        if (isCancelled) {
            throw new CancelledException(false);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancelledException(true);
        }
        if (limit != null && System.nanoTime() - end >= 0) {
            throw new TimedOutException(limit);
        }
    }
}
