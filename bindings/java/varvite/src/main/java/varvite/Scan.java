package varvite;

import java.util.Arrays;
import java.util.Objects;

/**
 * Bulk reads of the numbers of a range of owners: the numbers as longs or ints, the owners with a number in a
 * range, the count of such numbers, and the sum of numbers. A {@link Batch} decodes some owners at a time. In
 * a damaged file numbers are read one by one, which finds the fault.
 *
 * @param numbers the numbers of a property
 */
record Scan(Numbers numbers) {
    void fill(int start, int end, long[] out, long[] present) {
        check(start, end, present);
        Objects.checkFromToIndex(0, end - start, out.length);
        if (numbers.lists().change() == null) {
            Bits.spread(out, numbers.read(start, end, out, present), present, end - start);
            return;
        }
        // Read some owners at a time, because consecutive unchanged owners can be read together.
        try (Batch batch = Batch.of(numbers, start, end)) {
            while (batch.next()) {
                spread(batch, present);
                System.arraycopy(batch.numbers, 0, out, batch.first, batch.length);
            }
        }
    }

    void fill(int start, int end, int[] out, long[] present) {
        check(start, end, present);
        Objects.checkFromToIndex(0, end - start, out.length);
        try (Batch batch = Batch.of(numbers, start, end)) {
            while (batch.next()) {
                spread(batch, present);
                narrow(batch.numbers, batch.length, out, batch.first);
            }
        }
    }

    /** Moves each number of a batch to the index of its owner, and copies the bits to their place. */
    private static void spread(Batch batch, long[] present) {
        Bits.spread(batch.numbers, batch.count, batch.present, batch.length);
        System.arraycopy(batch.present, 0, present, batch.first >>> 6, Bits.words(batch.length));
    }

    private static void narrow(long[] numbers, int length, int[] out, int at) {
        for (int i = 0; i < length; i++) {
            out[at + i] = (int) numbers[i];
        }
    }

    void select(long least, long greatest, int start, int end, long[] bits) {
        check(start, end, bits);
        try (Batch batch = Batch.of(numbers, start, end)) {
            while (batch.next()) {
                keep(batch, least, greatest, bits, batch.first >>> 6);
            }
        }
    }

    /** Writes the bits of the owners with a number in a range to {@code bits}, from word {@code at} on. */
    private void keep(Batch batch, long least, long greatest, long[] bits, int at) {
        // Limit the range to valid numbers, so that differences do not overflow.
        long low = Math.max(least, numbers.lowest());
        long high = Math.min(greatest, numbers.highest());
        if (low > high) {
            Arrays.fill(bits, at, at + Bits.words(batch.length), 0);
            return;
        }
        int next = 0;
        for (int word = 0; word < Bits.words(batch.length); word++) {
            long present = batch.present[word];
            int count = Long.bitCount(present);
            long kept = numbers.isWide()
                    ? amongAny(batch.numbers, next, count, low, high)
                    : amongSome(batch.numbers, next, count, low, high);
            bits[at + word] = Long.expand(kept, present);
            next += count;
        }
    }

    /**
     * The bits of up to 64 numbers: 1 for each number in the range. No number may be 2^63 or more away from
     * the range.
     */
    private static long amongSome(long[] numbers, int start, int count, long low, long high) {
        long outside = 0;
        for (int i = 0; i < count; i++) {
            long number = numbers[start + i];
            outside |= (number - low | high - number) >>> 63 << i;
        }
        return ~outside;
    }

    private static long amongAny(long[] numbers, int start, int count, long low, long high) {
        long inside = 0;
        for (int i = 0; i < count; i++) {
            long number = numbers[start + i];
            inside |= (number >= low & number <= high ? 1L : 0) << i;
        }
        return inside;
    }

    /** The number of values in a range of numbers, values of lists included. */
    long countIn(long least, long greatest, int start, int end) {
        check(start, end);
        if (numbers.lists().hasLists()) {
            return countInLists(least, greatest, start, end);
        }
        long count = 0;
        try (Batch batch = Batch.of(numbers, start, end)) {
            while (batch.next()) {
                count += countIn(batch.numbers, batch.count, least, greatest);
            }
        }
        return count;
    }

    private int countIn(long[] read, int length, long least, long greatest) {
        long low = Math.max(least, numbers.lowest());
        long high = Math.min(greatest, numbers.highest());
        if (low > high) {
            return 0;
        }
        return numbers.isWide() ? countAny(read, length, low, high) : length - countOutside(read, length, low, high);
    }

    /** The count of numbers outside of the range. No number may be 2^63 or more away from the range. */
    private static int countOutside(long[] numbers, int length, long low, long high) {
        long count = 0;
        for (int i = 0; i < length; i++) {
            count += (numbers[i] - low | high - numbers[i]) >>> 63;
        }
        return (int) count;
    }

    private static int countAny(long[] numbers, int length, long low, long high) {
        int count = 0;
        for (int i = 0; i < length; i++) {
            count += numbers[i] >= low & numbers[i] <= high ? 1 : 0;
        }
        return count;
    }

    private long countInLists(long least, long greatest, int start, int end) {
        long count = 0;
        for (int owner = start; owner < end; owner++) {
            long ends = numbers.lists().of(owner);
            for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
                long number = numbers.at(position, owner);
                count += number >= least & number <= greatest ? 1 : 0;
            }
        }
        return count;
    }

    /**
     * The sum of all values, values of lists included.
     *
     * @throws ArithmeticException if the sum does not fit in a long
     */
    long sum(int start, int end) {
        check(start, end);
        if (numbers.lists().hasLists()) {
            return sumOfLists(start, end);
        }
        // Add the high and low 32 bits of numbers separately: their sums can't overflow with less than 2^31
        // owners.
        long high = 0;
        long low = 0;
        try (Batch batch = Batch.of(numbers, start, end)) {
            while (batch.next()) {
                if (numbers.isWide()) {
                    high += sumOfHigh(batch.numbers, batch.count);
                    low += sumOfLow(batch.numbers, batch.count);
                } else {
                    low += sumOf(batch.numbers, batch.count);
                }
            }
        }
        return joined(high, low);
    }

    private static long sumOf(long[] numbers, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    private static long sumOfHigh(long[] numbers, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += numbers[i] >> 32;
        }
        return sum;
    }

    private static long sumOfLow(long[] numbers, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += numbers[i] & 0xffff_ffffL;
        }
        return sum;
    }

    private long sumOfLists(int start, int end) {
        long high = 0;
        long low = 0;
        for (int owner = start; owner < end; owner++) {
            long ends = numbers.lists().of(owner);
            for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
                long number = numbers.at(position, owner);
                high += number >> 32;
                low += number & 0xffff_ffffL;
            }
            high += low >> 32;
            low &= 0xffff_ffffL;
        }
        return joined(high, low);
    }

    private static long joined(long high, long low) {
        long upper = high + (low >> 32);
        if (upper != (int) upper) {
            throw new ArithmeticException("the sum does not fit 64 bits");
        }
        return upper << 32 | low & 0xffff_ffffL;
    }

    private void check(int start, int end, long[] bits) {
        numbers.values().column().file().checkOpen();
        Bits.checkRange(start, end, bits);
        checkIds(start, end);
    }

    private void check(int start, int end) {
        numbers.values().column().file().checkOpen();
        Bits.checkRange(start, end);
        checkIds(start, end);
    }

    private void checkIds(int start, int end) {
        Bits.checkIds(start, end, numbers.lists().members(), numbers.lists().kind());
    }
}
