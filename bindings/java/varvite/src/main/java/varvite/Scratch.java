package varvite;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A buffer for the decoded numbers of some owners. One call uses a buffer at a time, and it is kept for later
 * calls. All threads share a few buffers, and a call allocates only if another call uses its buffer.
 */
final class Scratch {
    /**
     * The maximum number of owners in a buffer; a multiple of 64. Their numbers fit in the processor's
     * first-level cache.
     */
    static final int OWNERS_MAX = 1024;

    private static final int PLACES = 16;
    private static final AtomicReferenceArray<Scratch> KEPT = new AtomicReferenceArray<>(PLACES);

    /** The numbers of the owners that have one, in order. */
    final long[] numbers = new long[OWNERS_MAX];
    /** A bit for each owner that has a number. */
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
