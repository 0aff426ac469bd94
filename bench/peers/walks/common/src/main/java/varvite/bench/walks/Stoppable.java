package varvite.bench.walks;

import java.time.Duration;

/** A side whose walks can be stopped. */
public interface Stoppable extends Side {
    /**
     * Stops a walk that runs on another thread. The walk soon throws an exception for which {@link #isStop}
     * is true.
     */
    void cancel(String name, Thread walking);

    /**
     * Runs a walk with a time limit. If the walk reaches the limit, throws an exception for which
     * {@link #isStop} is true.
     */
    long walk(String name, Duration limit);

    /** Whether an exception means that a walk was cancelled, or reached its time limit. */
    boolean isStop(RuntimeException failure);
}
