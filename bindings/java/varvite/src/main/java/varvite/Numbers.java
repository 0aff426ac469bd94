package varvite;

import java.util.Arrays;
import java.util.Objects;
import varvite.format.Ints;

/**
 * The first values of a property as numbers, many at once: what {@link Property#fill} does.
 *
 * @param lists where the values of each owner are
 * @param values all values
 * @param least the least number that can be
 * @param most the greatest
 * @param apart another one that can be, beyond these: a null reference
 */
record Numbers(Lists lists, Ints values, long least, long most, long apart) {
    /** Any number of a type. */
    Numbers(Lists lists, Ints values, long least, long most) {
        this(lists, values, least, most, most);
    }

    /** The first number of {@code owner}, which has its values from {@code position} on. */
    long at(long position, int owner) {
        long number = values.get(position, owner);
        if (!isSound(number)) {
            throw values.column().impossible(position);
        }
        return number;
    }

    private boolean isSound(long number) {
        return number >= least && number <= most || number == apart;
    }

    void fill(int start, int end, long[] numbers, long[] present) {
        values.column().file().checkOpen();
        Bits.checkRange(start, end, present);
        Objects.checkFromToIndex(0, end - start, numbers.length);
        Bits.checkIds(start, end, lists.owners(), lists.kind());
        if (!fillRun(start, end, numbers, present)) {
            fillOneByOne(start, end, numbers, present);
        }
    }

    /** False, with anything filled in, unless owners have one value each and all of it makes sense. */
    private boolean fillRun(int start, int end, long[] numbers, long[] present) {
        if (lists.offsets() != null || values.isRelative() || start == end) {
            return false;
        }
        try {
            lists.owners().bits(start, end, present);
            int first = lists.owners().rank(start);
            int count = Bits.count(present, end - start);
            values.fill(first, count, numbers, 0);
            Bits.spread(numbers, count, present, end - start);
            return areSound(numbers, end - start);
        } catch (RuntimeException e) {
            // Whose value it is, and what is wrong with it, is found one by one.
            return false;
        }
    }

    /** Absent values, which are 0, are sound as well. */
    private boolean areSound(long[] numbers, int length) {
        long low = 0;
        long high = 0;
        for (int i = 0; i < length; i++) {
            low = Math.min(low, numbers[i]);
            high = Math.max(high, numbers[i]);
        }
        return low >= least && high <= most || areSoundOrApart(numbers, length);
    }

    private boolean areSoundOrApart(long[] numbers, int length) {
        boolean areSound = true;
        for (int i = 0; i < length; i++) {
            areSound &= isSound(numbers[i]);
        }
        return areSound;
    }

    private void fillOneByOne(int start, int end, long[] numbers, long[] present) {
        Arrays.fill(present, 0, Bits.words(end - start), 0);
        for (int i = 0; i < end - start; i++) {
            long ends = lists.of(start + i);
            boolean isPresent = Lists.length(ends) > 0;
            numbers[i] = isPresent ? at(Lists.start(ends), start + i) : 0;
            present[i >>> 6] |= (isPresent ? 1L : 0) << i;
        }
    }
}
