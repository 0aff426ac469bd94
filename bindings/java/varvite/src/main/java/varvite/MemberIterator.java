package varvite;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.IntConsumer;

/** An iterator over the members of a set, in rising order. */
final class MemberIterator implements PrimitiveIterator.OfInt {
    private final NodeSet set;
    private int next;

    MemberIterator(NodeSet set) {
        this.set = set;
        next = set.next(0);
    }

    @Override
    public boolean hasNext() {
        return next >= 0;
    }

    @Override
    public int nextInt() {
        int node = next;
        if (node < 0) {
            throw new NoSuchElementException("the set has no more members");
        }
        next = set.next(node + 1);
        return node;
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
        while (next >= 0) {
            action.accept(nextInt());
        }
    }
}
