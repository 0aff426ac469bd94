package varvite;

import java.util.Arrays;
import varvite.format.Ints;

/**
 * Reads the values of a property as numbers, which {@link Property#fill} defines.
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

    /** Whether the first {@code length} numbers are valid. */
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
     * Reads the first number of each owner from {@code start} to below {@code end}. Writes the numbers,
     * without gaps, to the start of {@code numbers}, and sets a bit in {@code present} for each owner that
     * has one. Returns the number of those owners.
     *
     * @throws varvite.error.VarviteException if an owner cannot be read
     */
    int read(int start, int end, long[] numbers, long[] present) {
        ChangedLists change = lists.change();
        boolean isOfBase = change == null || change.isOfBase(start, end);
        int count = isOfBase ? readRun(change == null ? lists : change.base(), start, end, numbers, present) : -1;
        return count < 0 ? readOneByOne(start, end, numbers, present) : count;
    }

    /**
     * Reads in bulk. Returns -1, with undefined output, if the values cannot be read in bulk, if an owner may
     * have several values, or if a value is invalid.
     */
    private int readRun(Lists lists, int start, int end, long[] numbers, long[] present) {
        if (lists.offsets() != null || values.isRelative()) {
            return -1;
        }
        try {
            lists.owners().bits(start, end, present);
            int count = Bits.count(present, end - start);
            if (count > 0) {
                values.fill(lists.owners().rank(start), count, numbers, 0);
            }
            return areSound(numbers, count) ? count : -1;
        } catch (RuntimeException e) {
            // The caller then reads owners one by one, which finds the fault and its owner.
            return -1;
        }
    }

    private int readOneByOne(int start, int end, long[] numbers, long[] present) {
        Arrays.fill(present, 0, Bits.words(end - start), 0);
        int count = 0;
        for (int i = 0; i < end - start; i++) {
            long ends = lists.of(start + i);
            if (Lists.length(ends) > 0) {
                numbers[count++] = at(Lists.start(ends), start + i);
                present[i >>> 6] |= 1L << i;
            }
        }
        return count;
    }
}
