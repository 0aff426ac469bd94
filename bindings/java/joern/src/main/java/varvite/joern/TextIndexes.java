package varvite.joern;

import flatgraph.GNode;
import flatgraph.misc.ISeq;
import flatgraph.misc.MultiDictIndex;

/** Makes flatgraph's own text indexes from a storage. */
final class TextIndexes {
    private TextIndexes() {}

    /**
     * The index of the nodes of a kind by their texts. Nodes are in the order of their indexes, all of which
     * are below {@code places}.
     */
    static MultiDictIndex<GNode> of(Storage storage, int kind, int property, int places) {
        int count = 0;
        for (int seq = 0; seq < places; seq++) {
            count += storage.values(kind, property, seq).length();
        }
        // The index cannot grow, and a look-up ends at a free slot, so make it larger than the number of
        // texts.
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
