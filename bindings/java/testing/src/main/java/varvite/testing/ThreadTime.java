package varvite.testing;

import java.lang.management.ManagementFactory;

/** Measures the processor time of the current thread. */
public final class ThreadTime {
    private ThreadTime() {}

    /** The processor time, in nanoseconds, that the current thread has used so far. */
    public static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
