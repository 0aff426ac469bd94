package varvite.format;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;

/**
 * The number of bytes of a map that are in memory, from Linux's {@code /proc/self/smaps}. Reading that file
 * takes about a millisecond, more if the process has many maps.
 */
public final class ResidentMemory {
    private static final Path MAPS = Path.of("/proc/self/smaps");

    private ResidentMemory() {}

    /**
     * The number of bytes of {@code map} that are in this process's memory, in whole pages; -1 if the system
     * does not report it.
     */
    public static long of(MemorySegment map) {
        if (!Files.isReadable(MAPS)) {
            return -1;
        }
        try (Stream<String> lines = Files.lines(MAPS, StandardCharsets.ISO_8859_1)) {
            return sum(lines.iterator(), map.address(), map.address() + map.byteSize());
        } catch (IOException | java.io.UncheckedIOException e) {
            return -1;
        }
    }

    /**
     * The sum of the {@code Rss:} lines of all ranges between two addresses, because the system may list a
     * map as several ranges.
     */
    private static long sum(Iterator<String> lines, long start, long end) {
        boolean inside = false;
        long kibibytes = 0;
        while (lines.hasNext()) {
            String line = lines.next();
            if (isRange(line)) {
                long from = Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16);
                inside = from >= start && from < end;
            } else if (inside && line.startsWith("Rss:")) {
                kibibytes += Long.parseLong(line.substring(4, line.length() - 2).strip());
            }
        }
        return kibibytes * 1024;
    }

    /**
     * Whether a line begins a range. Such a line starts with an address in lower-case hexadecimal; the lines
     * of fields start with a capital letter.
     */
    private static boolean isRange(String line) {
        return !line.isEmpty() && !Character.isUpperCase(line.charAt(0)) && line.indexOf('-') > 0;
    }
}
