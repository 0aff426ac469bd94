package varvite;

import java.util.Arrays;
import java.util.Objects;
import varvite.format.Ints;

/**
 * Reads the first values of many owners of a property as numbers, for {@link Property#fill}.
 *
 * @param lists the positions of each owner's values
 * @param values the column of all values
 * @param least the least valid number
 * @param most the greatest valid number
 * @param apart one more valid number, outside of this range: a null reference
 */
record Numbers(Lists lists, Ints values, long least, long most, long apart) {
    /** Numbers from {@code least} to {@code most}, with no other valid number. */
    Numbers(Lists lists, Ints values, long least, long most) {
        this(lists, values, least, most, most);
    }

    /** The numbers of a property with a numeric type or truth values. */
    static Numbers of(ValueType type, Lists lists, Ints values) {
        return new Numbers(lists, values, type.least(), type.most());
    }

    /** The first number of {@code owner}, whose values start at {@code position}. */
    long at(long position, int owner) {
        long number = values.get(position, owner);
        if (!isSound(number)) {
            throw values.column().impossible(position);
        }
        return number;
    }

    /** The least valid number, {@link #apart} included. */
    long lowest() {
        return Math.min(least, apart);
    }

    /** The greatest valid number, {@link #apart} included. */
    long highest() {
        return Math.max(most, apart);
    }

    /** Whether the difference of two valid numbers may overflow a long. */
    boolean isWide() {
        return highest() - lowest() < 0;
    }

    private boolean isSound(long number) {
        return number >= least && number <= most || number == apart;
    }

    void fill(int start, int end, long[] numbers, long[] present) {
        values.column().file().checkOpen();
        Bits.checkRange(start, end, present);
        Objects.checkFromToIndex(0, end - start, numbers.length);
        Bits.checkIds(start, end, lists.members(), lists.kind());
        if (lists.change() != null) {
            fillChanged(start, end, numbers, present);
        } else if (!fillRun(start, end, numbers, present)) {
            fillOneByOne(start, end, numbers, present);
        }
    }

    /**
     * Fills the arrays in bulk. Returns false, with undefined output, unless each owner has at most one value
     * and all values are valid.
     */
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
            // The caller then reads owners one by one, which finds the owner and the fault.
            return false;
        }
    }

    /**
     * Fills the arrays if values have changed, some owners at a time; consecutive unchanged owners are read
     * together.
     */
    private void fillChanged(int start, int end, long[] numbers, long[] present) {
        Scratch scratch = Scratch.take();
        try {
            for (int done = 0; done < end - start; ) {
                int length = Math.min(end - start - done, Scratch.OWNERS_MAX);
                int count = read(start + done, start + done + length, scratch);
                Bits.spread(scratch.numbers, count, scratch.present, length);
                System.arraycopy(scratch.numbers, 0, numbers, done, length);
                System.arraycopy(scratch.present, 0, present, done >>> 6, Bits.words(length));
                done += length;
            }
        } finally {
            scratch.giveBack();
        }
    }

    /** Whether all numbers are valid; 0, which stands for an absent value, is valid too. */
    private boolean areSound(long[] numbers, int length) {
        if (isWide()) {
            return true;
        }
        // Negative if a number is below or above the valid range. The range contains 0, so a difference
        // overflows only for a number far outside of it.
        long signs = 0;
        for (int i = 0; i < length; i++) {
            signs |= numbers[i] - least | most - numbers[i];
        }
        return signs >= 0 || areSoundOrApart(numbers, length);
    }

    private boolean areSoundOrApart(long[] numbers, int length) {
        boolean areSound = true;
        for (int i = 0; i < length; i++) {
            areSound &= isSound(numbers[i]);
        }
        return areSound;
    }

    /**
     * Reads the first numbers of some owners, and a bit for each owner with a number. Returns the count of
     * these owners.
     *
     * @throws varvite.error.VarviteException if an owner cannot be read
     */
    int read(int start, int end, Scratch scratch) {
        ChangedLists change = lists.change();
        boolean isOfBase = change == null || change.isOfBase(start, end);
        int count = isOfBase ? readRun(change == null ? lists : change.base(), start, end, scratch) : -1;
        return count < 0 ? readOneByOne(start, end, scratch) : count;
    }

    /**
     * Reads in bulk. Returns -1, with undefined output, if the values cannot be read in bulk, if an owner may
     * have more than one, or if one of them is invalid.
     */
    private int readRun(Lists lists, int start, int end, Scratch scratch) {
        if (lists.offsets() != null || values.isRelative()) {
            return -1;
        }
        try {
            lists.owners().bits(start, end, scratch.present);
            int count = Bits.count(scratch.present, end - start);
            if (count > 0) {
                values.fill(lists.owners().rank(start), count, scratch.numbers, 0);
            }
            return areSound(scratch.numbers, count) ? count : -1;
        } catch (RuntimeException e) {
            // The caller then reads owners one by one, which finds the fault and its owner.
            return -1;
        }
    }

    private int readOneByOne(int start, int end, Scratch scratch) {
        Arrays.fill(scratch.present, 0);
        int count = 0;
        for (int i = 0; i < end - start; i++) {
            long ends = lists.of(start + i);
            if (Lists.length(ends) > 0) {
                scratch.numbers[count++] = at(Lists.start(ends), start + i);
                scratch.present[i >>> 6] |= 1L << i;
            }
        }
        return count;
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
