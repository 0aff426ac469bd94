package varvite.joern;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap budget of a graph's {@linkplain Kept caches}: an eighth of the maximum heap. When the budget is
 * used up, the graph drops all cached objects and begins to cache new reads.
 */
final class Room {
    private static final int SHARE = 8;

    private final long limit;
    private final AtomicLong taken = new AtomicLong();
    private final Queue<Kept<?>> all = new ConcurrentLinkedQueue<>();

    /** A budget for the maximum heap of this virtual machine. */
    Room() {
        limit = Runtime.getRuntime().maxMemory() / SHARE;
    }

    /** Adds a cache, which itself takes {@code bytes} bytes. */
    void add(Kept<?> kept, long bytes) {
        all.add(kept);
        take(bytes);
    }

    /** Adds {@code bytes} to the bytes in use; drops all cached objects if the budget is exceeded. */
    void take(long bytes) {
        if (bytes != 0 && taken.addAndGet(bytes) > limit) {
            forget();
        }
    }

    /** Drops the objects of all caches. */
    void forget() {
        taken.set(0);
        all.forEach(Kept::forget);
    }
}
