package varvite.ffi;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

/** An iterator over the nodes of a run, batch after batch. */
final class NodeIterator implements PrimitiveIterator.OfInt {
    private final NativeRun run;
    /**
     * The number of the batch that {@link #row} belongs to. Other code that uses the run may since have
     * fetched another batch.
     */
    private int batch;
    private int row;

    NodeIterator(NativeRun run) {
        this.run = run;
        batch = run.batch();
    }

    /** Whether there is another node. Fetches the next batch if the current one is used up. */
    @Override
    public boolean hasNext() {
        turnToBatch();
        if (row < run.rows()) {
            return true;
        }
        boolean isBatch = run.next();
        turnToBatch();
        return isBatch;
    }

    private void turnToBatch() {
        if (batch != run.batch()) {
            batch = run.batch();
            row = 0;
        }
    }

    @Override
    public int nextInt() {
        if (!hasNext()) {
            throw new NoSuchElementException("the run has no more nodes");
        }
        return run.node(row++);
    }
}
