package varvite;

import java.time.Instant;
import java.util.HexFormat;

/**
 * A named set of nodes, edges and properties, and where they come from.
 *
 * @param name its name, such as {@code code} or {@code code/dataflow}
 * @param tool the tool that made it
 * @param version the version of that tool
 * @param time when it was made; the epoch if unknown
 * @param source BLAKE3 of the source it was made from, 64 hexadecimal digits; zeros if unknown
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

    /** A file may say any time; {@link Instant} holds a part of them. */
    private static long clamped(long seconds) {
        return Math.clamp(seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond());
    }
}
