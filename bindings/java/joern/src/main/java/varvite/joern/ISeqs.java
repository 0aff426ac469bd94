package varvite.joern;

import flatgraph.misc.ISeq;

/** Makes sequences of flatgraph's type {@code ISeq} from ranges of arrays. */
final class ISeqs {
    private static final ISeq<?> EMPTY = new ISeq<>(new Object[0], 0, 0);

    private ISeqs() {}

    @SuppressWarnings("unchecked")
    static <T> ISeq<T> empty() {
        return (ISeq<T>) EMPTY;
    }

    static <T> ISeq<T> of(T[] items) {
        return items.length == 0 ? empty() : new ISeq<>(items, 0, items.length);
    }

    /** The items in a range of an array, which may have any element type. */
    static <T> ISeq<T> of(Object array, int start, int end) {
        return start == end ? empty() : new ISeq<>(array, start, end);
    }
}
