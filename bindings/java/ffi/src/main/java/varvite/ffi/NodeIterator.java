package varvite.ffi;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;

/** The nodes of a run, batch after batch. */
final class NodeIterator implements PrimitiveIterator.OfInt {
    private final NativeRun run;
    private int row;

    NodeIterator(NativeRun run) {
        this.run = run;
    }

    /** Goes to the next batch where this one is used up. */
    @Override
    public boolean hasNext() {
        if (row < run.rows()) {
            return true;
        }
        row = 0;
        return run.next();
    }

    @Override
    public int nextInt() {
        if (!hasNext()) {
            throw new NoSuchElementException("the run has no more nodes");
        }
        return run.node(row++);
    }
}
