package varvite;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Where numbers of some owners are decoded to before they are looked at: room for one call at a time, which
 * is kept for the next one. Threads take turns in a few places, so that a call allocates only if it meets
 * another one in its place.
 */
final class Scratch {
    /**
     * Most owners of which it holds numbers; a multiple of 64. What they take stays in the processor's first
     * cache.
     */
    static final int OWNERS_MAX = 1024;

    private static final int PLACES = 16;
    private static final AtomicReferenceArray<Scratch> KEPT = new AtomicReferenceArray<>(PLACES);

    /** Numbers of the owners that have one, in order. */
    final long[] numbers = new long[OWNERS_MAX];
    /** Who has one. */
    final long[] present = new long[OWNERS_MAX / 64];

    private Scratch() {}

    static Scratch take() {
        Scratch kept = KEPT.getAndSet(place(), null);
        return kept == null ? new Scratch() : kept;
    }

    void giveBack() {
        KEPT.set(place(), this);
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & PLACES - 1;
    }
}
