package varvite.walk;

import java.time.Duration;
import varvite.error.CancelledException;
import varvite.error.TimedOutException;

/** What a walk may take of time, and the flags that cancel it: looked at every so many edges. */
final class Meter {
    /** Edges that are looked at between two looks at the flags and the clock. */
    static final int TICKS = 1 << 12;

    private int ticks;
    private Duration limit;
    /** When the walk has to end, as {@link System#nanoTime} counts. */
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

    /** One more edge was looked at. */
    void tick() {
        if (++ticks >= TICKS) {
            look();
        }
    }

    /** A look at the flags and the clock. */
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
