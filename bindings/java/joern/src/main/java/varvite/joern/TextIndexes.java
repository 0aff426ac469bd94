package varvite.joern;

import flatgraph.GNode;
import flatgraph.misc.ISeq;
import flatgraph.misc.MultiDictIndex;

/** flatgraph's own indexes of texts, made from a storage. */
final class TextIndexes {
    private TextIndexes() {}

    /**
     * The nodes of a kind by the texts that they have, in the order of their places, of which there are
     * {@code places}.
     */
    static MultiDictIndex<GNode> of(Storage storage, int kind, int property, int places) {
        int count = 0;
        for (int seq = 0; seq < places; seq++) {
            count += storage.values(kind, property, seq).length();
        }
        // It does not grow, and a look-up ends at a slot that is free.
        MultiDictIndex<GNode> index = new MultiDictIndex<>(count + count / 2 + 1);
        for (int seq = 0; seq < places; seq++) {
            GNode node = storage.node(kind, seq);
            if (node != null) {
                insert(index, storage.values(kind, property, seq), node);
            }
        }
        index.shrinkFit();
        return index;
    }

    private static void insert(MultiDictIndex<GNode> index, ISeq<Object> values, GNode node) {
        for (int i = 0; i < values.length(); i++) {
            if (values.apply(i) != null) {
                index.insert((String) values.apply(i), node);
            }
        }
    }
}
