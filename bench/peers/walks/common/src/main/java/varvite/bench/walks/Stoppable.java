package varvite.bench.walks;

import java.time.Duration;

/** A side whose walks end before their time when somebody wants it. */
public interface Stoppable extends Side {
    /** Ends a walk that is on its way on another thread: soon, with an exception of which {@link #isStop} is true. */
    void cancel(String name, Thread walking);

    /** Walks with a limit of time; an exception of which {@link #isStop} is true if it is up. */
    long walk(String name, Duration limit);

    /** Whether an exception says that a walk was cancelled, or out of time. */
    boolean isStop(RuntimeException failure);
}
