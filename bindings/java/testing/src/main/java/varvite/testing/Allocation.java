package varvite.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntToLongFunction;

/**
 * Counts the bytes that a thread allocates on the heap. The virtual machine also counts them in interpreted
 * code, so that the count does not depend on the JIT compiler.
 */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Receives the results of loops, so that the JIT compiler cannot remove them. */
    private static volatile long sink;

    private Allocation() {}

    /** Whether this virtual machine counts allocated bytes. */
    public static boolean isCounted() {
        return THREADS.isThreadAllocatedMemorySupported();
    }

    /** The number of bytes that this thread has allocated so far. */
    public static long ofThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /**
     * The mean number of bytes that a call of {@code read} allocates. After {@code count} calls to warm up,
     * takes the lower of two means over {@code count} calls each.
     */
    public static double perCall(int count, IntToLongFunction read) {
        // The first call links the code that it needs, which allocates.
        total(count, read);
        return Math.min(total(count, read), total(count, read)) / (double) count;
    }

    private static long total(int count, IntToLongFunction read) {
        long before = ofThisThread();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += read.applyAsLong(i);
        }
        long bytes = ofThisThread() - before;
        sink += sum;
        return bytes;
    }
}
