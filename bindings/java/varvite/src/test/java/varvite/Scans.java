package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import varvite.error.VarviteException;

/**
 * Compares bulk reads of a range of owners with results that are computed from single reads.
 */
final class Scans {
    private static final int UNTOUCHED = -3;

    private Scans() {}

    /**
     * Compares the answers, or the exceptions, of {@code property} for owners from {@code start} to below
     * {@code end}.
     */
    static void check(Property property, int start, int end, Random random) {
        String what = property.info() + " from " + start + " to " + end;
        for (long[] numbers : ranges(random)) {
            long least = numbers[0];
            long greatest = numbers[1];
            assertEquals(
                    outcome(() -> shown(start, end, owner -> has(property, owner, least, greatest))),
                    outcome(() -> bits(end - start, bits -> property.select(least, greatest, start, end, bits))),
                    () -> what + " in " + Arrays.toString(numbers));
            assertEquals(
                    outcome(() -> Long.toString(all(property, start, end).filter(n -> n >= least && n <= greatest).count())),
                    outcome(() -> Long.toString(property.countIn(least, greatest, start, end))),
                    () -> what + " in " + Arrays.toString(numbers));
        }
        assertEquals(
                outcome(() -> shown(start, end, property.owners()::contains)),
                outcome(() -> bits(end - start, bits -> property.selectPresent(start, end, bits))),
                what);
        switch (property) {
            case IntProperty one -> {
                assertEquals(sum(property, start, end), outcome(() -> Long.toString(one.sum(start, end))), what);
                checkInts(property, start, end, (out, present) -> one.fill(start, end, out, present));
            }
            case LongProperty one -> assertEquals(sum(property, start, end), outcome(() -> Long.toString(one.sum(start, end))), what);
            case TextProperty one -> checkInts(property, start, end, (out, present) -> one.fill(start, end, out, present));
            default -> {}
        }
    }

    /** Ranges of numbers: all numbers, no numbers, and some in between. */
    private static List<long[]> ranges(Random random) {
        return List.of(
                new long[] {Long.MIN_VALUE, Long.MAX_VALUE},
                new long[] {0, 3},
                new long[] {4, Long.MAX_VALUE},
                new long[] {Long.MIN_VALUE, -1},
                new long[] {0xffff_ffffL, 0xffff_ffffL},
                new long[] {9, 3},
                random.longs(2, -10, 2000).sorted().toArray(),
                random.longs(2).sorted().toArray());
    }

    private interface IsIn {
        boolean test(int owner);
    }

    private interface Fill<T> {
        void into(T out);
    }

    private interface FillInts {
        void into(int[] out, long[] present);
    }

    private static boolean has(Property property, int owner, long least, long greatest) {
        return property.isPresent(owner) && value(property, owner, 0) >= least && value(property, owner, 0) <= greatest;
    }

    private static String shown(int start, int end, IsIn isIn) {
        StringBuilder shown = new StringBuilder();
        IntStream.range(start, end).forEach(owner -> shown.append(isIn.test(owner) ? 1 : 0));
        return shown.toString();
    }

    /**
     * The bits that {@code fill} sets. Checks that no bit beyond the last owner is set and that no word
     * beyond the last one is written.
     */
    private static String bits(int length, Fill<long[]> fill) {
        long[] bits = new long[Bits.words(length) + 1];
        Arrays.fill(bits, UNTOUCHED);
        fill.into(bits);
        assertEquals(UNTOUCHED, bits[bits.length - 1]);
        assertTrue(length % 64 == 0 || bits[bits.length - 2] >>> length == 0);
        return shown(0, length, i -> (bits[i >>> 6] >>> i & 1) != 0);
    }

    private static LongStream all(Property property, int start, int end) {
        return IntStream.range(start, end)
                .mapToObj(owner -> IntStream.range(0, property.count(owner)).mapToLong(i -> value(property, owner, i)))
                .flatMapToLong(values -> values);
    }

    private static String sum(Property property, int start, int end) {
        return outcome(() -> {
            BigInteger sum = all(property, start, end).mapToObj(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
            if (sum.bitLength() > 63) {
                throw new ArithmeticException();
            }
            return sum.toString();
        });
    }

    private static void checkInts(Property property, int start, int end, FillInts fill) {
        assertEquals(
                outcome(() -> {
                    StringBuilder shown = new StringBuilder();
                    IntStream.range(start, end).forEach(owner -> shown.append(
                            property.isPresent(owner) ? Long.toString(value(property, owner, 0)) : "-").append(' '));
                    return shown.toString();
                }),
                outcome(() -> {
                    int[] out = new int[end - start + 1];
                    Arrays.fill(out, UNTOUCHED);
                    String present = bits(end - start, bits -> fill.into(out, bits));
                    assertEquals(UNTOUCHED, out[end - start]);
                    StringBuilder shown = new StringBuilder();
                    for (int i = 0; i < end - start; i++) {
                        boolean isPresent = present.charAt(i) == '1';
                        assertTrue(isPresent || out[i] == 0);
                        shown.append(isPresent ? Integer.toString(out[i]) : "-").append(' ');
                    }
                    return shown.toString();
                }));
    }

    /** A value as a number, read by a single read. */
    static long value(Property property, int owner, int index) {
        return switch (property) {
            case IntProperty one -> one.at(owner, index);
            case LongProperty one -> one.at(owner, index);
            case DoubleProperty one -> one.number(one.position(owner, index), owner);
            case TextProperty one -> one.codeAt(owner, index);
            case BytesProperty one -> one.codeAt(owner, index);
            case RefProperty one -> one.at(owner, index) == RefProperty.NULL ? 0xffff_ffffL : one.at(owner, index);
        };
    }

    /** The answer to a question, or its exception, as text. */
    private static String outcome(Supplier<String> question) {
        try {
            return question.get();
        } catch (ArithmeticException e) {
            return "does not fit";
        } catch (VarviteException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }
}
