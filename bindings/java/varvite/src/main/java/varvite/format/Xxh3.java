package varvite.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * XXH3-64 with a seed, as xxHash 0.8 specifies it. All checksums in a file are hashes of this kind.
 *
 * <p>Hashes arrays, at about the speed of memory once the JIT compiler has compiled the code. Tests compare
 * the results with those of the engine for every branch of the algorithm.
 */
public final class Xxh3 {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long PRIME32_1 = 0x9E3779B1L;
    private static final long PRIME32_2 = 0x85EBCA77L;
    private static final long PRIME32_3 = 0xC2B2AE3DL;
    private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME64_3 = 0x165667B19E3779F9L;
    private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
    private static final long PRIME_MIX_1 = 0x165667919E3779F9L;
    private static final long PRIME_MIX_2 = 0x9FB21C651E98DF25L;

    /** The default secret of the specification. */
    private static final byte[] SECRET = HexFormat.of()
            .parseHex("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
                    + "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                    + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
                    + "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

    private static final int STRIPE = 64;
    /** The number of bytes by which the secret advances for each stripe. */
    private static final int CONSUMED = 8;
    private static final int STRIPES = (SECRET.length - STRIPE) / CONSUMED;

    private Xxh3() {}

    /** The hash of all of {@code bytes}. */
    public static long hash(byte[] bytes, long seed) {
        return hash(bytes, 0, bytes.length, seed);
    }

    /**
     * The hash of {@code length} bytes from index {@code start} on.
     *
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    public static long hash(byte[] bytes, int start, int length, long seed) {
        java.util.Objects.checkFromIndexSize(start, length, bytes.length);
        if (length <= 16) {
            return hashTo16(bytes, start, length, seed);
        }
        if (length <= 128) {
            return hashTo128(bytes, start, length, seed);
        }
        return length <= 240 ? hashTo240(bytes, start, length, seed) : hashLong(bytes, start, length, seed);
    }

    private static long hashTo16(byte[] bytes, int at, int length, long seed) {
        if (length > 8) {
            long low = i64(bytes, at) ^ ((secret(24) ^ secret(32)) + seed);
            long high = i64(bytes, at + length - 8) ^ ((secret(40) ^ secret(48)) - seed);
            return avalanche(length + Long.reverseBytes(low) + high + folded(low, high));
        }
        if (length >= 4) {
            long swapped = seed ^ (Integer.reverseBytes((int) seed) & 0xffff_ffffL) << 32;
            long input = (i32(bytes, at + length - 4) & 0xffff_ffffL) + ((long) i32(bytes, at) << 32);
            return strongAvalanche(input ^ ((secret(8) ^ secret(16)) - swapped), length);
        }
        if (length == 0) {
            return avalanche64(seed ^ secret(56) ^ secret(64));
        }
        int first = bytes[at] & 0xff;
        int middle = bytes[at + (length >> 1)] & 0xff;
        int last = bytes[at + length - 1] & 0xff;
        long combined = (first << 16 | middle << 24 | last | length << 8) & 0xffff_ffffL;
        long key = ((i32(SECRET, 0) ^ i32(SECRET, 4)) & 0xffff_ffffL) + seed;
        return avalanche64(combined ^ key);
    }

    private static long hashTo128(byte[] bytes, int at, int length, long seed) {
        long sum = length * PRIME64_1;
        for (int pair = (length - 1) / 32; pair >= 0; pair--) {
            sum += mixed16(bytes, at + 16 * pair, 32 * pair, seed);
            sum += mixed16(bytes, at + length - 16 * (pair + 1), 32 * pair + 16, seed);
        }
        return avalanche(sum);
    }

    private static long hashTo240(byte[] bytes, int at, int length, long seed) {
        long sum = length * PRIME64_1;
        for (int i = 0; i < 8; i++) {
            sum += mixed16(bytes, at + 16 * i, 16 * i, seed);
        }
        sum = avalanche(sum);
        for (int i = 8; i < length / 16; i++) {
            sum += mixed16(bytes, at + 16 * i, 16 * (i - 8) + 3, seed);
        }
        sum += mixed16(bytes, at + length - 16, 136 - 17, seed);
        return avalanche(sum);
    }

    private static long hashLong(byte[] bytes, int at, int length, long seed) {
        byte[] secret = secretOf(seed);
        long[] sums = {
            PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1,
        };
        int last = (length - 1) / STRIPE;
        for (int stripe = 0; stripe < last; stripe++) {
            int within = stripe % STRIPES;
            accumulate(sums, bytes, at + stripe * STRIPE, secret, within * CONSUMED);
            if (within == STRIPES - 1) {
                scramble(sums, secret);
            }
        }
        accumulate(sums, bytes, at + length - STRIPE, secret, SECRET.length - STRIPE - 7);
        long result = length * PRIME64_1;
        for (int i = 0; i < 4; i++) {
            long low = sums[2 * i] ^ i64(secret, 11 + 16 * i);
            result += folded(low, sums[2 * i + 1] ^ i64(secret, 19 + 16 * i));
        }
        return avalanche(result);
    }

    private static byte[] secretOf(long seed) {
        if (seed == 0) {
            return SECRET;
        }
        byte[] secret = new byte[SECRET.length];
        for (int i = 0; i < secret.length; i += 16) {
            LONG.set(secret, i, secret(i) + seed);
            LONG.set(secret, i + 8, secret(i + 8) - seed);
        }
        return secret;
    }

    private static void accumulate(long[] sums, byte[] bytes, int at, byte[] secret, int secretAt) {
        for (int i = 0; i < 8; i++) {
            long value = i64(bytes, at + 8 * i);
            long key = value ^ i64(secret, secretAt + 8 * i);
            sums[i ^ 1] += value;
            sums[i] += (key & 0xffff_ffffL) * (key >>> 32);
        }
    }

    private static void scramble(long[] sums, byte[] secret) {
        for (int i = 0; i < 8; i++) {
            long sum = sums[i] ^ sums[i] >>> 47 ^ i64(secret, SECRET.length - STRIPE + 8 * i);
            sums[i] = sum * PRIME32_1;
        }
    }

    private static long mixed16(byte[] bytes, int at, int secretAt, long seed) {
        return folded(i64(bytes, at) ^ (secret(secretAt) + seed), i64(bytes, at + 8) ^ (secret(secretAt + 8) - seed));
    }

    /** The low half of the 128-bit product, XORed with the high half. */
    private static long folded(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }

    private static long avalanche(long hash) {
        long mixed = (hash ^ hash >>> 37) * PRIME_MIX_1;
        return mixed ^ mixed >>> 32;
    }

    private static long strongAvalanche(long hash, int length) {
        long mixed = (hash ^ Long.rotateLeft(hash, 49) ^ Long.rotateLeft(hash, 24)) * PRIME_MIX_2;
        mixed = (mixed ^ (mixed >>> 35) + length) * PRIME_MIX_2;
        return mixed ^ mixed >>> 28;
    }

    /** The final mix of XXH64. */
    private static long avalanche64(long hash) {
        long mixed = (hash ^ hash >>> 33) * PRIME64_2;
        mixed = (mixed ^ mixed >>> 29) * PRIME64_3;
        return mixed ^ mixed >>> 32;
    }

    private static long secret(int at) {
        return i64(SECRET, at);
    }

    private static long i64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    private static int i32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }
}
