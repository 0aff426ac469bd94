package varvite;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A buffer for the decoded numbers of some owners, for one call at a time, and kept for the next one. There
 * are a few of them for all threads, so that a call allocates only if another call uses its buffer.
 */
final class Scratch {
    /**
     * The most owners in a buffer; a multiple of 64. Their numbers fit the processor's first cache.
     */
    static final int OWNERS_MAX = 1024;

    private static final int PLACES = 16;
    private static final AtomicReferenceArray<Scratch> KEPT = new AtomicReferenceArray<>(PLACES);

    /** Numbers of the owners that have one, in order. */
    final long[] numbers = new long[OWNERS_MAX];
    /** Bits of the owners with a number. */
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
