package varvite.format;

/** The encodings of a column's values as bytes. Their numbers are part of the file format. */
public enum Encoding {
    // <encodings> from the table in crates/varvite-format/src/encoding.rs
    EMPTY(0, "empty"),
    ALL(1, "all"),
    RANGE(2, "range"),
    BITMAP(3, "bitmap"),
    SPARSE(4, "sparse"),
    CONSTANT(16, "constant"),
    SEQUENCE(17, "sequence"),
    PLAIN(18, "plain"),
    BITS(19, "bits"),
    PACKED(20, "packed"),
    TWO_LEVEL(21, "two-level"),
    DICTIONARY(22, "dictionary"),
    LOCAL(23, "local"),
    CAPPED(24, "capped"),
    ENTRIES(32, "entries"),
    SLICES(33, "slices");
    // </encodings>

    private static final Encoding[] ALL_OF_THEM = values();

    private final int number;
    private final String text;

    Encoding(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** The encoding with a number, or null. */
    static Encoding of(int number) {
        for (Encoding encoding : ALL_OF_THEM) {
            if (encoding.number == number) {
                return encoding;
            }
        }
        return null;
    }

    /** The kind of column that has this encoding, for messages. */
    String kind() {
        if (number < CONSTANT.number) {
            return "set";
        }
        return number < ENTRIES.number ? "column" : "string table";
    }

    /** The name that users see. */
    @Override
    public String toString() {
        return text;
    }
}
