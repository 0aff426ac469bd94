package varvite;

import java.util.Spliterator;
import java.util.Spliterators.AbstractIntSpliterator;
import java.util.function.IntConsumer;

/** The members of a set as the source of a stream. */
final class MemberSpliterator extends AbstractIntSpliterator {
    private final NodeSet set;
    private int next;

    MemberSpliterator(NodeSet set) {
        super(set.size(), Spliterator.SIZED | Spliterator.DISTINCT | Spliterator.ORDERED | Spliterator.IMMUTABLE);
        this.set = set;
    }

    @Override
    public boolean tryAdvance(IntConsumer action) {
        int node = set.next(next);
        if (node < 0) {
            return false;
        }
        next = node + 1;
        action.accept(node);
        return true;
    }
}
