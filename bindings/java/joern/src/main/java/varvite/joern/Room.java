package varvite.joern;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of the heap that a graph may use for its {@linkplain Kept caches}: an eighth of the largest heap.
 * When it is full, the graph drops all cached objects, and caches new reads again.
 */
final class Room {
    private static final int SHARE = 8;

    private final long limit;
    private final AtomicLong taken = new AtomicLong();
    private final Queue<Kept> all = new ConcurrentLinkedQueue<>();

    /** The room of this virtual machine. */
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
