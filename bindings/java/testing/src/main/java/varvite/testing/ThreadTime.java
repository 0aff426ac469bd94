package varvite.testing;

import java.lang.management.ManagementFactory;

/** The processor time of this thread. */
public final class ThreadTime {
    private ThreadTime() {}

    /** Nanoseconds that it has run so far. */
    public static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
