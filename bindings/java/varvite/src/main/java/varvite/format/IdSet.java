package varvite.format;

import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * A set of ids below a limit, with membership tests, rank and select. The rank of a member is its index in
 * columns that are stored only for members, so every read of a property or adjacency starts with a set.
 *
 * <pre>
 * bitmap segment 0 = u64 words, bit i % 64 of word i / 64
 *        segment 1 = u64 for every 512 bits: rank at its start in the low 32 bits, then three times
 *                    10 bits: members in its first 128, 256 and 384 bits; computed here if the file
 *                    has no segment 1
 * sparse child 0   = for every 256 ids, the number of members below them; and the number of all members
 *        segment 0 = u8 for each member: its low 8 bits
 * </pre>
 *
 * <p>The rank words follow rank9 (Vigna, WEA 2008).
 */
public final class IdSet {
    private static final int RANGE = 0;
    private static final int BITMAP = 1;
    private static final int SPARSE = 2;
    private static final int CHANGED = 3;
    private static final int RANK_BITS = 512;
    private static final int BUCKET = 256;
    /**
     * A set with at most one member per {@code IDS_OF_LISTED} ids is stored as a list, any other set as bits.
     */
    private static final int IDS_OF_LISTED = 32;

    private final Column column;
    private final int form;
    private final int limit;
    private final int count;
    private final int start;
    /** The words of a bitmap, or the low bytes of a sparse set. */
    private final MemorySegment bytes;
    /** The rank words in the file; null if they are not stored there but were computed. */
    private final MemorySegment ranks;
    private final long[] madeRanks;
    private final Ints buckets;
    /** The changed set; null if the set has no changes. */
    private final ChangedSet changed;

    private IdSet(Column column, int limit) {
        ColumnRow row = column.row();
        this.column = column;
        this.limit = limit;
        if (row.count() < 0 || row.count() > limit) {
            throw column.damaged("at most " + limit + " members", Long.toUnsignedString(row.count()));
        }
        count = (int) row.count();
        form = formOf(column, row, limit);
        start = startOf(column, row, limit);
        int words = (int) ((limit + 63L) / 64);
        int blocks = (int) ((limit + RANK_BITS - 1L) / RANK_BITS);
        bytes = switch (form) {
            case BITMAP -> column.segment(0, words * 8L);
            case SPARSE -> column.segment(0, count);
            default -> null;
        };
        boolean stored = form == BITMAP && row.segment1() != ColumnRow.NONE;
        ranks = stored ? column.segment(1, blocks * 8L) : null;
        madeRanks = form == BITMAP && !stored ? rankWords(bytes, words, blocks) : null;
        buckets = form == SPARSE ? Ints.open(column.child(row.child0()), (limit + BUCKET - 1L) / BUCKET + 1) : null;
        changed = null;
    }

    /** A bitmap in memory. */
    private IdSet(Column column, MemorySegment words, int count, int limit) {
        this.column = column;
        form = BITMAP;
        this.limit = limit;
        this.count = count;
        start = 0;
        bytes = words;
        ranks = null;
        madeRanks = rankWords(words, (int) ((limit + 63L) / 64), (int) ((limit + RANK_BITS - 1L) / RANK_BITS));
        buckets = null;
        changed = null;
    }

    /** A set in memory that is not stored in a column, with members below {@code limit}. */
    private IdSet(Column column, int form, ChangedSet changed, int limit) {
        this.column = column;
        this.form = form;
        this.limit = limit;
        this.changed = changed;
        count = changed == null ? 0 : changed.count(limit);
        start = 0;
        bytes = null;
        ranks = null;
        madeRanks = null;
        buckets = null;
    }

    private static int formOf(Column column, ColumnRow row, int limit) {
        boolean fits = switch (row.encoding()) {
            case EMPTY -> row.count() == 0;
            case ALL -> row.count() == limit;
            case RANGE, BITMAP, SPARSE -> true;
            default -> false;
        };
        if (!fits) {
            throw column.damaged("a set of nodes", row.encoding());
        }
        return switch (row.encoding()) {
            case BITMAP -> BITMAP;
            case SPARSE -> SPARSE;
            default -> RANGE;
        };
    }

    private static int startOf(Column column, ColumnRow row, int limit) {
        if (row.encoding() != Encoding.RANGE) {
            return 0;
        }
        if (row.base() < 0 || row.base() > limit - row.count()) {
            throw column.damaged("a range within " + limit + " nodes", row.base());
        }
        return (int) row.base();
    }

    private static long[] rankWords(MemorySegment bytes, int words, int blocks) {
        long[] ranks = new long[blocks];
        long rank = 0;
        for (int block = 0; block < blocks; block++) {
            long packed = rank & 0xffff_ffffL;
            long inside = 0;
            for (int step = 0; step < 8; step++) {
                if (step > 0 && step % 2 == 0) {
                    packed |= inside << 32 + 10 * (step / 2 - 1);
                }
                int word = block * 8 + step;
                inside += word < words ? Long.bitCount(Layouts.i64(bytes, 8L * word)) : 0;
            }
            rank += inside;
            ranks[block] = packed;
        }
        return ranks;
    }

    /** Opens a set of ids below {@code limit}. */
    public static IdSet open(Column column, int limit) {
        try {
            return new IdSet(column, limit);
        } catch (RuntimeException e) {
            throw column.failure(e, 0);
        }
    }

    /** An empty set, which names the column of this set in messages. */
    public IdSet withoutMembers(int limit) {
        return new IdSet(column, RANGE, null, limit);
    }

    /** A group of ids below a limit, in the form that {@link #changed} takes. */
    public static final class Some {
        private final ChangedSet.Members members;

        private Some(ChangedSet.Members members) {
            this.members = members;
        }

        /** The members of a list in rising order. */
        public static Some of(int... rising) {
            return new Some(new ChangedSet.ListedMembers(rising));
        }

        /** The members of a set. */
        public static Some of(IdSet set) {
            return new Some(new ChangedSet.MembersOfSet(set));
        }

        /** The number of ids. */
        public int count() {
            return members.count();
        }

        /** The first of these ids from {@code id} up, or -1 if there is none. */
        public int next(int id) {
            return members.next(id);
        }
    }

    /**
     * This set without the hidden members and with the added ones. {@code added} must not contain members of
     * this set that are not in {@code hidden}.
     */
    public IdSet changed(Some hidden, Some added, int limit) {
        return new IdSet(column, CHANGED, new ChangedSet(this, hidden.members, added.members), limit);
    }

    /**
     * Collects the candidates below {@code limit} that pass {@code test}; at most {@code most} may pass. They
     * are stored as a list, or as bits if they may be many, so that no file can make this take more than a
     * fraction of a byte per id.
     *
     * @param next returns the first candidate from an id up, or -1
     * @param test whether to include a candidate
     */
    public Some some(int limit, long most, IntUnaryOperator next, IntPredicate test) {
        boolean asBits = most > limit / IDS_OF_LISTED;
        MemorySegment words = asBits ? column.file().allocate((limit + 63L) / 64 * 8) : null;
        int[] listed = new int[asBits ? 0 : (int) most];
        int count = 0;
        for (int id = next.applyAsInt(0); id >= 0 && id < limit; id = next.applyAsInt(id + 1)) {
            if (!test.test(id)) {
                continue;
            }
            if (asBits) {
                long at = (id >>> 6) * 8L;
                Layouts.put(words, at, Layouts.i64(words, at) | 1L << id);
            } else if (count < listed.length) {
                listed[count] = id;
            }
            count++;
        }
        return asBits ? Some.of(new IdSet(column, words, count, limit)) : Some.of(java.util.Arrays.copyOf(listed, count));
    }

    /** The column of the set, for exceptions about its members. */
    public Column column() {
        return column;
    }

    /**
     * The set as a bitmap with a bit for each id, which {@link #bitAt} reads; null if the set has another
     * form.
     */
    public MemorySegment bits() {
        return form == BITMAP ? bytes : null;
    }

    /** A bit of {@link #bits}. */
    public static boolean bitAt(MemorySegment bits, int id) {
        return (Layouts.u8(bits, id >>> 3) >>> (id & 7) & 1) != 0;
    }

    /** The number of members. */
    public int count() {
        return count;
    }

    /** The limit of the set: all ids are below this number. */
    public int limit() {
        return limit;
    }

    /**
     * The rank of {@code id} among the members, or -1 if it is not a member. Constant time; in a sparse set,
     * a binary search of at most 256 bytes.
     *
     * @throws varvite.error.VarviteException if the column is damaged or the file is closed
     */
    public int memberRank(int id) {
        try {
            return switch (form) {
                case RANGE -> Integer.compareUnsigned(id - start, count) < 0 ? id - start : -1;
                case BITMAP -> memberRankInBitmap(id);
                case SPARSE -> memberRankInSparse(id);
                default -> changed.memberRank(id);
            };
        } catch (RuntimeException e) {
            throw column.failure(e, id);
        }
    }

    private int memberRankInBitmap(int id) {
        if (Integer.compareUnsigned(id, limit) >= 0) {
            return -1;
        }
        long word = Layouts.i64(bytes, (id >>> 6) * 8L);
        // A shift of a long uses only the low six bits of the id.
        if ((word >>> id & 1) == 0) {
            return -1;
        }
        return rankInBitmap(id, word);
    }

    /**
     * The number of members below {@code id}, which is in word {@code word} of the bitmap. This is not split
     * into smaller methods, because the JIT compiler limits the depth of inlining.
     */
    private int rankInBitmap(int id, long word) {
        int below = Long.bitCount(word & (1L << id) - 1);
        int before = (id & 64) == 0 ? 0 : Long.bitCount(Layouts.i64(bytes, ((id >>> 6) - 1) * 8L));
        int block = id >>> 9;
        long packed = ranks != null ? Layouts.i64(ranks, block * 8L) : madeRanks[block];
        int step = id >>> 7 & 3;
        int inside = step == 0 ? 0 : (int) (packed >>> 22 + 10 * step) & 0x3ff;
        int rank = (int) packed + inside + before + below;
        // The caller would take a negative rank to mean that the id is not a member.
        if (rank < 0) {
            throw column.impossible(id);
        }
        return rank;
    }

    private int memberRankInSparse(int id) {
        if (Integer.compareUnsigned(id, limit) >= 0) {
            return -1;
        }
        int rank = rankInSparse(id);
        int end = (int) (buckets.pair(id >>> 8) >>> 32);
        return rank < end && Layouts.u8(bytes, rank) == (id & 255) ? rank : -1;
    }

    /** The rank of an id in a sparse set. A binary search, because low bytes rise within their bucket. */
    private int rankInSparse(int id) {
        long ends = buckets.pair(id >>> 8);
        int low = (int) ends;
        int high = (int) (ends >>> 32);
        if (low < 0 || high < low || high > count) {
            throw column.impossible(id);
        }
        while (low < high) {
            int middle = low + high >>> 1;
            if (Layouts.u8(bytes, middle) < (id & 255)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The number of members below {@code id}. The id may be any number, even the limit or more. */
    public int rank(int id) {
        if (Integer.compareUnsigned(id, limit) >= 0) {
            return id < 0 ? 0 : count;
        }
        try {
            return switch (form) {
                case RANGE -> Math.clamp((long) id - start, 0, count);
                case BITMAP -> rankInBitmap(id, Layouts.i64(bytes, (id >>> 6) * 8L));
                case SPARSE -> rankInSparse(id);
                default -> changed.rank(id);
            };
        } catch (RuntimeException e) {
            throw column.failure(e, id);
        }
    }

    /** The member with a rank. Logarithmic time. */
    public int select(int rank) {
        if (Integer.compareUnsigned(rank, count) >= 0) {
            throw new IndexOutOfBoundsException("rank " + rank + " of a set of " + count);
        }
        int low = 0;
        int high = limit;
        while (high - low > 1) {
            int middle = low + high >>> 1;
            if (rank(middle) <= rank) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The first member from {@code id} up, or -1 if there is none. Costs a load for every 64 ids that are
     * skipped; in a sparse set, a search.
     *
     * @throws varvite.error.VarviteException if the column is damaged or the file is closed
     */
    public int next(int id) {
        try {
            return switch (form) {
                case RANGE -> nextInRange(id);
                case BITMAP -> nextInBitmap(id);
                case SPARSE -> nextInSparse(id);
                default -> changed.next(id);
            };
        } catch (RuntimeException e) {
            throw column.failure(e, id);
        }
    }

    private int nextInRange(int id) {
        int next = Math.max(id, start);
        return next - start < count ? next : -1;
    }

    private int nextInBitmap(int id) {
        if (id >= limit) {
            return -1;
        }
        int words = (limit + 63) >>> 6;
        int index = id >>> 6;
        long word = Layouts.i64(bytes, index * 8L) & -1L << id;
        while (word == 0) {
            index++;
            if (index >= words) {
                return -1;
            }
            word = Layouts.i64(bytes, index * 8L);
        }
        int member = (index << 6) + Long.numberOfTrailingZeros(word);
        return member < limit ? member : -1;
    }

    private int nextInSparse(int id) {
        if (id >= limit) {
            return -1;
        }
        int rank = rankInSparse(id);
        if (rank >= count) {
            return -1;
        }
        int bucket = bucketOf(rank, id >>> 8);
        int member = (bucket << 8) + Layouts.u8(bytes, rank);
        if (member < id || member >= limit) {
            throw column.impossible(id);
        }
        return member;
    }

    /**
     * The members from {@code start} to below {@code end} as bits: bit {@code i % 64} of {@code out[i / 64]}
     * is 1 if id {@code start + i} is a member. Overwrites the words of this range. Takes a fraction of a
     * nanosecond for 64 ids, or, in a sparse set, a nanosecond or two for each member. {@code end} must not
     * exceed the limit.
     *
     * @throws varvite.error.VarviteException if the column is damaged for any id of the range, or the file is
     *     closed; the content of {@code out} is then undefined
     */
    public void bits(int start, int end, long[] out) {
        int words = (int) (end - start + 63L >>> 6);
        try {
            java.util.Arrays.fill(out, 0, words, 0);
            switch (form) {
                case RANGE -> setRun(out, Math.max(this.start, start) - start, Math.min(this.start + count, end) - start);
                case BITMAP -> copyWords(start, end, words, out);
                case SPARSE -> setSparse(start, end, out);
                default -> changed.bits(start, end, out);
            }
        } catch (RuntimeException e) {
            throw column.failure(e, start);
        }
    }

    /** Sets the bits from {@code first} to below {@code end}. */
    private static void setRun(long[] out, int first, int end) {
        for (int bit = first; bit < end; bit = (bit | 63) + 1) {
            long from = -1L << bit;
            out[bit >>> 6] |= end - (bit & -64) >= 64 ? from : from & (1L << end) - 1;
        }
    }

    /**
     * Copies the words of a bitmap, shifted so that bit 0 stands for {@code start}, and checks that the ranks
     * in the file agree with the bits.
     */
    private void copyWords(int start, int end, int words, long[] out) {
        int index = start >>> 6;
        int last = limit - 1 >>> 6;
        for (int i = 0; i < words; i++, index++) {
            long word = Layouts.i64(bytes, index * 8L) >>> start;
            boolean isSplit = (start & 63) != 0 && index < last;
            out[i] = isSplit ? word | Layouts.i64(bytes, (index + 1) * 8L) << -start : word;
        }
        if ((end - start & 63) != 0) {
            out[words - 1] &= (1L << end - start) - 1;
        }
        if (end > start) {
            checkRanks(start, end, words, out);
        }
    }

    /**
     * Checks the ranks in the file, which are stored for every 128 ids. If the rank of every 64th id of the
     * range and that of the last id are right, all ranks are right.
     */
    private void checkRanks(int start, int end, int words, long[] out) {
        int rank = rank(start);
        for (int i = 0; i < words; i++) {
            if (rank != rank(start + 64 * i)) {
                throw column.impossible(start + 64 * i);
            }
            rank += Long.bitCount(out[i]);
        }
        int last = (int) (out[words - 1] >>> end - 1 - start) & 1;
        if (rank - last != rank(end - 1) || rank(start) < 0 || rank > count) {
            throw column.impossible(end - 1);
        }
    }

    /**
     * Sets the bits of a sparse set's members. Throws if members do not rise within their bucket, as a search
     * requires.
     */
    private void setSparse(int start, int end, long[] out) {
        for (int bucket = start >>> 8; (long) bucket << 8 < end; bucket++) {
            long ends = buckets.pair(bucket);
            int high = (int) (ends >>> 32);
            if ((int) ends < 0 || high < (int) ends || high > count) {
                throw column.impossible(bucket << 8);
            }
            int before = -1;
            for (int rank = (int) ends; rank < high; rank++) {
                int low = Layouts.u8(bytes, rank);
                int bit = (bucket << 8) + low - start;
                if (low <= before) {
                    throw column.impossible(bucket << 8);
                }
                before = low;
                if (bit >= 0 && bit < end - start) {
                    out[bit >>> 6] |= 1L << bit;
                }
            }
        }
    }

    /** The bucket, from {@code bucket} up, that contains the member with rank {@code rank}. */
    private int bucketOf(int rank, int bucket) {
        int found = bucket;
        while ((buckets.pair(found) >>> 32) <= rank) {
            found++;
        }
        return found;
    }
}
