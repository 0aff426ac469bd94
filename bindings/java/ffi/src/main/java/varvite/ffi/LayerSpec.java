package varvite.ffi;

import java.util.HexFormat;

/**
 * The origin of a layer: its tool and source.
 *
 * @param name its name, such as {@code heap}
 * @param tool the tool that made it
 * @param version the version of that tool
 * @param source BLAKE3 of the source it was made from, 64 hexadecimal digits; zeros if unknown
 */
public record LayerSpec(String name, String tool, String version, String source) {
    static final int SOURCE_BYTES = 32;
    private static final String UNKNOWN = "0".repeat(2 * SOURCE_BYTES);

    /**
     * A layer.
     *
     * @throws IllegalArgumentException if the source is not 64 hexadecimal digits
     */
    public LayerSpec {
        if (source.length() != UNKNOWN.length()) {
            throw new IllegalArgumentException("a source is 64 hexadecimal digits, not " + source.length() + " letters");
        }
        HexFormat.of().parseHex(source);
    }

    /** A layer of an unknown source. */
    public static LayerSpec of(String name, String tool, String version) {
        return new LayerSpec(name, tool, version, UNKNOWN);
    }

    byte[] sourceBytes() {
        return HexFormat.of().parseHex(source);
    }
}
