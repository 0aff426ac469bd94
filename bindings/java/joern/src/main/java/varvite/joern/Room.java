package varvite.joern;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of the heap a graph may take for what it {@linkplain Kept keeps} without need: an eighth of what
 * the heap may be. When that is full, all of it is forgotten, and what is read on is kept again.
 */
final class Room {
    private static final int SHARE = 8;

    private final long limit;
    private final AtomicLong taken = new AtomicLong();
    private final Queue<Kept> all = new ConcurrentLinkedQueue<>();

    /** That of this virtual machine. */
    Room() {
        limit = Runtime.getRuntime().maxMemory() / SHARE;
    }

    /** Takes up something that keeps, which has so many bytes of its own. */
    void add(Kept kept, long bytes) {
        all.add(kept);
        take(bytes);
    }

    /** Takes so many bytes. */
    void take(long bytes) {
        if (bytes != 0 && taken.addAndGet(bytes) > limit) {
            forget();
        }
    }

    /** Forgets all. */
    void forget() {
        taken.set(0);
        all.forEach(Kept::forget);
    }
}
