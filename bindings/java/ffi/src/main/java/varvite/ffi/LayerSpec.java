package varvite.ffi;

import java.util.HexFormat;

/**
 * The name and origin of a layer.
 *
 * @param name the name of the layer, such as {@code heap}
 * @param tool the tool that made the layer
 * @param version the version of that tool
 * @param source the BLAKE3 hash of the source that the layer was made from, 64 hexadecimal digits; zeros if
 * unknown
 */
public record LayerSpec(String name, String tool, String version, String source) {
    static final int SOURCE_BYTES = 32;
    private static final String UNKNOWN = "0".repeat(2 * SOURCE_BYTES);

    /**
     * Checks the source.
     *
     * @throws IllegalArgumentException if the source is not 64 hexadecimal digits
     */
    public LayerSpec {
        if (source.length() != UNKNOWN.length()) {
            throw new IllegalArgumentException("a source is 64 hexadecimal digits, not " + source.length() + " letters");
        }
        HexFormat.of().parseHex(source);
    }

    /** A layer with an unknown source. */
    public static LayerSpec of(String name, String tool, String version) {
        return new LayerSpec(name, tool, version, UNKNOWN);
    }

    byte[] sourceBytes() {
        return HexFormat.of().parseHex(source);
    }
}
