package varvite.bench.walks;

import java.time.Duration;

/** A side whose walks end early on request. */
public interface Stoppable extends Side {
    /** Ends a walk that runs on another thread: soon, with an exception for which {@link #isStop} is true. */
    void cancel(String name, Thread walking);

    /**
     * Walks with a limit of time; throws an exception for which {@link #isStop} is true when the time is up.
     */
    long walk(String name, Duration limit);

    /** Whether an exception means that a walk was cancelled, or out of time. */
    boolean isStop(RuntimeException failure);
}
