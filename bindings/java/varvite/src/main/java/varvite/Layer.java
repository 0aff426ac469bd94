package varvite;

import java.time.Instant;
import java.util.HexFormat;

/**
 * A named set of nodes, edges and properties, with its origin.
 *
 * @param name the name of the layer, such as {@code code} or {@code code/dataflow}
 * @param tool the tool that made the layer
 * @param version the version of that tool
 * @param time the time when the layer was made; the epoch if unknown
 * @param source the BLAKE3 hash of the source that the layer was made from, 64 hexadecimal digits; zeros if
 * unknown
 */
public record Layer(String name, String tool, String version, Instant time, String source) {
    static Layer of(varvite.format.Directory directory, varvite.format.Directory.LayerRow row) {
        return new Layer(
                directory.names().get(row.name()),
                directory.names().get(row.tool()),
                directory.names().get(row.version()),
                Instant.ofEpochSecond(clamped(row.time())),
                HexFormat.of().formatHex(row.source()));
    }

    /** Clamps a time from a file, which may be any long, to the range of {@link Instant}. */
    private static long clamped(long seconds) {
        return Math.clamp(seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond());
    }
}
