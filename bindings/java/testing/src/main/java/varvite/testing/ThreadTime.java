package varvite.testing;

import java.lang.management.ManagementFactory;

/** What this thread takes of a processor. */
public final class ThreadTime {
    private ThreadTime() {}

    /** Nanoseconds that it has run so far. */
    public static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
