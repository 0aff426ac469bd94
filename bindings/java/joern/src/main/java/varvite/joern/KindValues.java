package varvite.joern;

import flatgraph.GNode;
import flatgraph.misc.ISeq;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import scala.collection.Iterator;
import varvite.IntList;
import varvite.Label;

/**
 * The values of one property for the nodes of one kind, by the nodes' indexes. Caches the objects that it
 * makes.
 */
final class KindValues extends Kept<Object> {
    /** The cached object of a node without a value, and of a node whose value is null. */
    private static final Object NONE = new Object();
    private static final Object NULL = new Object();
    private static final int[] NOBODY = {};

    private final MappedStorage storage;
    private final int kind;
    /** The values in the file; null if the file does not have the property. */
    private final Values values;
    private final int places;
    /**
     * The code and the node index of each value, sorted. Made at the second search, if the file has no index
     * for the property.
     */
    private volatile SoftReference<long[]> byText = new SoftReference<>(null);
    private volatile boolean wasAskedForText;
    private final FoundTexts foundTexts;

    KindValues(MappedStorage storage, int kind, Values values, int places) {
        super(storage.room(), places);
        this.storage = storage;
        this.kind = kind;
        this.values = values;
        this.places = places;
        foundTexts = new FoundTexts(storage.room());
    }

    /** Whether the file has the property. */
    boolean isInFile() {
        return values != null;
    }

    /**
     * The first value of the node with an index, which may be null; {@code absent} if the node has no value.
     */
    Object first(int seq, Object absent) {
        Object known = kept(seq);
        if (known == null) {
            return read(seq, absent);
        }
        return known == NONE ? absent : known == NULL ? null : known;
    }

    private Object read(int seq, Object absent) {
        int id = values == null ? -1 : storage.id(kind, seq);
        if (id < 0) {
            return absent;
        }
        Object value = values.first(id, NONE);
        keep(seq, value == null ? NULL : value, values.objectBytes());
        return value == NONE ? absent : value;
    }

    /** All values of the node with an index. */
    ISeq<Object> all(int seq) {
        int id = values == null ? -1 : storage.id(kind, seq);
        Object[] all = new Object[id < 0 ? 0 : values.property().count(id)];
        for (int i = 0; i < all.length; i++) {
            all[i] = values.at(id, i);
        }
        return ISeqs.of(all);
    }

    /**
     * The nodes of the kind that have a text, in the order of their indexes. As in flatgraph's indexes, a
     * node occurs once for each occurrence of the text among its values. {@code label} is the label of the
     * kind.
     */
    Iterator<GNode> withText(String text, Label label) {
        if (!(values instanceof TextValues texts)) {
            throw new ClassCastException("property " + values.property().info().name() + " does not hold texts");
        }
        int[] ids = foundTexts.ids(text);
        if (ids == null) {
            ids = find(texts, text, label);
            foundTexts.keep(text, ids);
        }
        return new NodeIterator.OfIds(storage, ids);
    }

    private int[] find(TextValues texts, String text, Label label) {
        int code = texts.find(text);
        if (code < 0) {
            return NOBODY;
        }
        if (texts.isIndexed() || !wasAskedForText) {
            wasAskedForText = true;
            return idsOf(texts, code, label);
        }
        return idsByText(texts, code);
    }

    private int[] idsOf(TextValues texts, int code, Label label) {
        IntList owners = texts.owners(code, label, storage.file().nodes(label));
        long[] byPlace = new long[owners.size()];
        for (int i = 0; i < byPlace.length; i++) {
            byPlace[i] = (long) storage.seq(owners.get(i), kind) << 32 | owners.get(i);
        }
        Arrays.sort(byPlace);
        IntList ids = new IntList(byPlace.length);
        for (long both : byPlace) {
            int id = (int) both;
            for (int left = texts.isList() ? texts.occurrences(id, code) : 1; left > 0; left--) {
                ids.add(id);
            }
        }
        return ids.toArray();
    }

    /**
     * The ids of the nodes whose value is the given text. Searches all values of the kind, which are sorted
     * at the first call.
     */
    private int[] idsByText(TextValues texts, int code) {
        long[] sorted = byText.get();
        if (sorted == null) {
            sorted = sortedByText(texts);
            byText = new SoftReference<>(sorted);
        }
        // No entry equals this key, which is less than all entries with the code, so the search returns the
        // first of these entries even if there are equal entries.
        int start = ~Arrays.binarySearch(sorted, ((long) code << 32) - 1);
        IntList ids = new IntList();
        for (int i = start; i < sorted.length && sorted[i] >>> 32 == code; i++) {
            ids.add(storage.id(kind, (int) sorted[i]));
        }
        return ids.toArray();
    }

    /** The code and the node's index for every value that is not null, sorted. */
    private long[] sortedByText(TextValues texts) {
        long[] all = new long[places];
        int count = 0;
        for (int seq = 0; seq < places; seq++) {
            int id = storage.id(kind, seq);
            int ofNode = id < 0 ? 0 : texts.isList() ? texts.property().count(id) : 1;
            if (count + ofNode > all.length) {
                all = Arrays.copyOf(all, Math.max(count + ofNode, 2 * all.length));
            }
            for (int i = 0; i < ofNode; i++) {
                int code = texts.isList() ? texts.codeAt(id, i) : texts.code(id);
                all[count] = (long) code << 32 | seq;
                count += code < 0 ? 0 : 1;
            }
        }
        long[] sorted = Arrays.copyOf(all, count);
        Arrays.sort(sorted);
        return sorted;
    }
}
