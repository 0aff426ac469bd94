package varvite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import varvite.format.Changes.PropertyChangeRow;
import varvite.format.Ints;
import varvite.format.MadeColumns;
import varvite.format.Strings;

/**
 * The changes to one property's values since its columns were written, during the replay of a log: all values
 * of the owners that the log changes, and the changes that the file has.
 *
 * <p>A value is the integer that a file stores for it, which for a text is its code. Texts in records have
 * numbers below zero until all of them are looked up together.
 */
final class ValueEdits {
    private static final int NONE = -1;
    private static final long[] NOTHING = {};
    /** The number that stands for a null text. */
    private static final long NULL = Long.MIN_VALUE;

    private final PropertyInfo info;
    private final Lists base;
    private final Ints baseValues;
    /** The changes that the file has; null if it has none. */
    private final ChangedLists change;
    /** The texts of the base, and the texts of the file's changes; null if there are none. */
    private final Strings texts;
    private final Strings later;
    private final TreeMap<Integer, long[]> given = new TreeMap<>();
    private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
    private final List<byte[]> wanted = new ArrayList<>();

    ValueEdits(PropertyInfo info, Lists lists, Ints values, Strings texts, Strings later) {
        this.info = info;
        this.texts = texts;
        this.later = later;
        change = lists.change();
        base = change == null ? lists : change.base();
        baseValues = change == null ? values : change.baseValues();
    }

    PropertyInfo info() {
        return info;
    }

    /** The number below zero that stands for a text of a record. */
    long text(byte[] bytes) {
        int number = numbers.computeIfAbsent(ByteBuffer.wrap(bytes), ignored -> {
            wanted.add(bytes);
            return wanted.size() - 1;
        });
        return ~(long) number;
    }

    /** The number that stands for null. */
    long nullNumber() {
        return info.type().isText() ? NULL : 0xffff_ffffL;
    }

    /** Replaces the values of an owner. */
    void set(int owner, long[] values) {
        given.put(owner, values);
    }

    /** Appends values to an owner. */
    void append(int owner, long[] values) {
        long[] present = valuesOf(owner);
        long[] all = Arrays.copyOf(present, present.length + values.length);
        System.arraycopy(values, 0, all, present.length, values.length);
        given.put(owner, all);
    }

    /** Removes all values of removed owners. */
    void clear(BitSet owners) {
        for (int owner = owners.nextSetBit(0); owner >= 0; owner = owners.nextSetBit(owner + 1)) {
            if (valuesOf(owner).length > 0) {
                given.put(owner, NOTHING);
            }
        }
    }

    private long[] valuesOf(int owner) {
        long[] known = given.get(owner);
        if (known != null) {
            return known;
        }
        if (change != null && change.isOf(owner)) {
            boolean isAny = change.later() != null && owner < change.later().limit();
            return isAny ? read(change.later(), change.laterValues(), owner, textCount()) : NOTHING;
        }
        return owner < base.limit() ? read(base, baseValues, owner, texts == null ? 0 : texts.count()) : NOTHING;
    }

    private int textCount() {
        return texts == null ? 0 : texts.count() + (later == null ? 0 : later.count());
    }

    /** Reads the values of an owner. {@code count} is the code of null in texts. */
    private long[] read(Lists lists, Ints values, int owner, int count) {
        long ends = lists.of(owner);
        long[] numbers = new long[Lists.length(ends)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = values.get(Lists.start(ends) + i, owner);
            if (info.type().isText()) {
                if (Long.compareUnsigned(numbers[i], count) > 0) {
                    throw values.column().impossible(Lists.start(ends) + i);
                }
                numbers[i] = numbers[i] == count ? NULL : numbers[i];
            }
        }
        return numbers;
    }

    /**
     * Makes the columns of the change; null if nothing has changed. {@code limit} is the limit of owners,
     * {@code removed} the removed owners.
     */
    PropertyChangeRow encode(MadeColumns made, int limit, BitSet removed, TextIndex index) {
        List<byte[]> added = new ArrayList<>();
        long[] codes = info.type().isText() ? codes(index, added) : null;
        boolean hasTexts = !added.isEmpty() || later != null && later.count() > 0;
        if (!added.isEmpty() && (later == null || later.count() == 0)) {
            takeUpNulls(removed);
        }
        IntList owners = new IntList();
        IntList present = new IntList();
        IntList starts = new IntList();
        LongStream.Builder values = LongStream.builder();
        int count = 0;
        for (int owner : changedOwners()) {
            long[] own = removed.get(owner) ? NOTHING : valuesOf(owner);
            owners.add(owner);
            if (own.length > 0) {
                present.add(owner);
                starts.add(count);
                count += own.length;
                Arrays.stream(own).forEach(value -> values.add(stored(value, codes, textCount() + added.size())));
            }
        }
        if (owners.isEmpty()) {
            return null;
        }
        starts.add(count);
        return new PropertyChangeRow(
                info.id(),
                made.set(owners.toArray(), limit),
                made.set(present.toArray(), limit),
                made.ints(starts.toArray()),
                made.longs(values.build().toArray()),
                hasTexts ? made.texts(allLater(added)) : NONE);
    }

    /** The owners whose values have changed, in rising order. */
    private int[] changedOwners() {
        IntList owners = new IntList();
        if (change != null && change.owners() != null) {
            for (int owner = change.owners().next(0); owner >= 0; owner = change.owners().next(owner + 1)) {
                owners.add(owner);
            }
        }
        given.keySet().forEach(owners::add);
        return owners.stream().sorted().distinct().toArray();
    }

    private long stored(long value, long[] codes, int nullCode) {
        if (codes == null) {
            return value;
        }
        if (value == NULL) {
            return nullCode;
        }
        return value < 0 ? codes[(int) ~value] : value;
    }

    private List<byte[]> allLater(List<byte[]> added) {
        List<byte[]> all = new ArrayList<>();
        for (int code = 0; later != null && code < later.count(); code++) {
            all.add(bytes(later, code));
        }
        all.addAll(added);
        return all;
    }

    private static byte[] bytes(Strings texts, int code) {
        byte[] bytes = new byte[texts.length(code)];
        texts.copyInto(code, bytes, 0, bytes.length);
        return bytes;
    }

    /**
     * The code of each text of the records. Texts that the table lacks are appended to {@code added}.
     */
    private long[] codes(TextIndex index, List<byte[]> added) {
        long[] codes = new long[wanted.size()];
        Arrays.fill(codes, NONE);
        if (codes.length > 0) {
            find(index, codes);
        }
        for (int i = 0; i < codes.length; i++) {
            if (codes[i] == NONE) {
                codes[i] = textCount() + added.size();
                added.add(wanted.get(i));
            }
        }
        return codes;
    }

    /**
     * Finds the codes of texts: by the index, by binary search in a sorted table, or in one pass over all
     * texts.
     */
    private void find(TextIndex index, long[] codes) {
        if (index == null && !texts.isSorted()) {
            findInPass(texts, 0, codes);
        } else {
            for (int i = 0; i < codes.length; i++) {
                codes[i] = index == null ? texts.find(wanted.get(i)) : index.find(wanted.get(i));
            }
        }
        if (later != null) {
            findInPass(later, texts.count(), codes);
        }
    }

    private void findInPass(Strings table, int first, long[] codes) {
        for (int code = 0; code < table.count(); code++) {
            Integer number = numbers.get(ByteBuffer.wrap(bytes(table, code)));
            if (number != null && codes[number] == NONE) {
                codes[number] = first + code;
            }
        }
    }

    /**
     * Adds the owners of the base that have a null value to the change, because null has the code after the
     * last text in the base, and the first new text gets that code.
     */
    private void takeUpNulls(BitSet removed) {
        int code = texts.count();
        for (int owner = base.nextOwner(baseValues, code, 0); owner >= 0; owner = base.nextOwner(baseValues, code, owner + 1)) {
            boolean isKnown = given.containsKey(owner) || change != null && change.isOf(owner);
            if (!isKnown && !removed.get(owner)) {
                given.put(owner, valuesOf(owner));
            }
        }
    }
}
