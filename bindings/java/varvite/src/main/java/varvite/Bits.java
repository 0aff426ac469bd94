package varvite;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntPredicate;
import varvite.error.NoSuchNodeException;
import varvite.format.IdSet;

/**
 * Arrays of bits for a range of ids: bit {@code i % 64} of word {@code i / 64} is set if number {@code i}
 * belongs to a set.
 */
final class Bits {
    private Bits() {}

    /** The number of words for {@code bits} bits. */
    static int words(int bits) {
        return (int) (bits + 63L >>> 6);
    }

    /** Throws if {@code end} is below {@code start}, or if the bits of the range do not fit in the array. */
    static void checkRange(int start, int end, long[] bits) {
        checkRange(start, end);
        Objects.checkFromToIndex(0, words(Math.subtractExact(end, start)), bits.length);
    }

    /** Throws if {@code end} is below {@code start}. */
    static void checkRange(int start, int end) {
        if (end < start) {
            throw new IndexOutOfBoundsException("a range from " + start + " to " + end);
        }
    }

    /** Throws if an id of the range is not below the limit of the set. */
    static void checkIds(int start, int end, IdSet set, String kind) {
        if (start < 0 || end > set.limit()) {
            throw new NoSuchNodeException(kind, start < 0 ? start : Math.max(start, set.limit()), set.limit());
        }
    }

    /** Overwrites the first {@code length} bits, each with the result of {@code isSet} for its index. */
    static void fill(long[] bits, int length, IntPredicate isSet) {
        Arrays.fill(bits, 0, words(length), 0);
        for (int i = 0; i < length; i++) {
            bits[i >>> 6] |= (isSet.test(i) ? 1L : 0) << i;
        }
    }

    /** The number of set bits among the first {@code length}; the other bits of the last word must be 0. */
    static int count(long[] bits, int length) {
        int count = 0;
        for (int i = 0; i < words(length); i++) {
            count += Long.bitCount(bits[i]);
        }
        return count;
    }

    /**
     * Moves the first {@code count} numbers, in order, to the indexes whose bits are set, and writes 0 at all
     * other indexes. Works from the end, because every number moves to the same or a higher index.
     */
    static void spread(long[] numbers, int count, long[] bits, int length) {
        int rest = count;
        for (int word = words(length) - 1; rest < Math.min((word + 1L) * 64, length); word--) {
            int start = word * 64;
            int end = Math.min(start + 64, length);
            int members = Long.bitCount(bits[word]);
            rest -= members;
            if (members == end - start) {
                System.arraycopy(numbers, rest, numbers, start, members);
            } else {
                spreadWord(numbers, rest + members, bits[word], start, end);
            }
        }
    }

    /**
     * Does the work of {@link #spread} for one word of bits, whose last number is at index {@code rest - 1}.
     */
    private static void spreadWord(long[] numbers, int rest, long bits, int start, int end) {
        int next = rest;
        for (int i = end - 1; i >= start; i--) {
            int bit = (int) (bits >>> i) & 1;
            next -= bit;
            numbers[i] = numbers[next] & -bit;
        }
    }
}
