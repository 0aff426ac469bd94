package varvite.format;

/**
 * A cheap test before a search in several sets: a bit for every 64 ids, set if any of the sets contains any
 * of these ids. Takes two thousandths of a byte per id.
 */
public final class Sieve {
    private final long[] words;

    /** A sieve for ids below {@code limit}. Any of the sets may be null. */
    public Sieve(int limit, IdSet... sets) {
        words = new long[(limit >>> 12) + 1];
        for (IdSet set : sets) {
            // The bit of these 64 ids is now set, so skip to the first member after them.
            for (int id = set == null ? -1 : set.next(0); id >= 0 && id < limit; id = set.next((id | 63) + 1)) {
                words[id >>> 12] |= 1L << (id >>> 6);
                if ((id | 63) == Integer.MAX_VALUE) {
                    break;
                }
            }
        }
    }

    /** False if no set contains {@code id}; true if one may contain it. {@code id} may be any number. */
    public boolean mayHave(int id) {
        int word = id >>> 12;
        return word < words.length && (words[word] >>> (id >>> 6) & 1) != 0;
    }
}
