package varvite.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntToLongFunction;

/**
 * Counts the bytes that a thread allocates on the heap. The virtual machine counts them also in code that is
 * not compiled, so that the count does not depend on the compiler.
 */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Kept, so that no loop is without effect. */
    private static volatile long sink;

    private Allocation() {}

    /** Whether this virtual machine counts. */
    public static boolean isCounted() {
        return THREADS.isThreadAllocatedMemorySupported();
    }

    /** Bytes that this thread has allocated so far. */
    public static long ofThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /**
     * Bytes that one call of {@code read} allocates: the less of two means over {@code count} calls each,
     * after as many to warm up.
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
