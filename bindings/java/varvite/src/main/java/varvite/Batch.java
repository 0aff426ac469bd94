package varvite;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The decoded numbers of some owners of a property. {@link #next} moves the batch through a range of owners.
 * A closed batch is reused for later ranges: all threads share a few batches, and {@link #of} allocates one
 * only if another call is using the shared batch in the thread's slot.
 */
final class Batch implements AutoCloseable {
    /**
     * The maximum number of owners in a batch; a multiple of 64. Their numbers fit in the processor's
     * first-level cache.
     */
    private static final int OWNERS_MAX = 1024;

    private static final int PLACES = 16;
    private static final AtomicReferenceArray<Batch> KEPT = new AtomicReferenceArray<>(PLACES);

    /** The numbers of those owners that have one, in the order of owners. */
    final long[] numbers = new long[OWNERS_MAX];
    /** A bit for each owner that has a number. */
    final long[] present = new long[OWNERS_MAX / 64];
    /** The index, in the range, of the batch's first owner. */
    int first;
    /** The number of owners in the batch. */
    int length;
    /** The number of owners that have a number. */
    int count;

    private Numbers source;
    private int start;
    private int end;

    private Batch() {}

    /** Returns a batch that is positioned before the owners from {@code start} to below {@code end}. */
    static Batch of(Numbers source, int start, int end) {
        Batch kept = KEPT.getAndSet(place(), null);
        Batch batch = kept == null ? new Batch() : kept;
        batch.source = source;
        batch.start = start;
        batch.end = end;
        batch.first = 0;
        batch.length = 0;
        return batch;
    }

    /**
     * Decodes the numbers of the next owners; false after the last owner.
     *
     * @throws varvite.error.VarviteException if a number cannot be read
     */
    boolean next() {
        first += length;
        length = Math.min(end - start - first, OWNERS_MAX);
        int owner = start + first;
        count = length == 0 ? 0 : source.read(owner, owner + length, numbers, present);
        return length > 0;
    }

    /** Returns the batch to its slot, for later ranges. */
    @Override
    public void close() {
        source = null;
        KEPT.set(place(), this);
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & PLACES - 1;
    }
}
