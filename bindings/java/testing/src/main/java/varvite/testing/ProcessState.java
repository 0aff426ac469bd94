package varvite.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The system's resources of this process; zeros where the system does not report them. Give the tests a heap
 * of a fixed size that is touched at the start ({@code -XX:+AlwaysPreTouch}): then resident memory grows only
 * by leaks elsewhere.
 *
 * @param maps maps of one file
 * @param descriptors descriptors of that file
 * @param allMaps maps of anything
 * @param allDescriptors descriptors of anything
 * @param privateBytes resident memory that is not of a file
 */
public record ProcessState(long maps, long descriptors, long allMaps, long allDescriptors, long privateBytes) {
    private static final Path SELF = Path.of("/proc/self");
    /**
     * The memory that the virtual machine itself still adds for compiled code, threads and its own accounts.
     */
    private static final long GROWTH_BYTES = 48L << 20;
    private static final long GROWTH_MAPS = 64;

    /** The current state, with regard to one file. */
    public static ProcessState of(Path file) throws IOException {
        if (!Files.isReadable(SELF.resolve("maps"))) {
            return new ProcessState(0, 0, 0, 0, 0);
        }
        String name = file.getFileName().toString();
        List<String> maps = Files.readAllLines(SELF.resolve("maps"));
        List<String> descriptors;
        try (Stream<Path> links = Files.list(SELF.resolve("fd"))) {
            descriptors = links.map(ProcessState::target).toList();
        }
        return new ProcessState(
                maps.stream().filter(line -> line.contains(name)).count(),
                descriptors.stream().filter(target -> target.contains(name)).count(),
                maps.size(),
                descriptors.size(),
                privateBytesNow());
    }

    /** The file behind a descriptor; some are closed before they are looked at. */
    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static long privateBytesNow() throws IOException {
        for (String line : Files.readAllLines(SELF.resolve("status"))) {
            if (line.startsWith("RssAnon:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D+", ""));
            }
        }
        return 0;
    }

    /**
     * Checks that nothing of the file is left and nothing has grown since {@code before}, but for the virtual
     * machine's own memory.
     *
     * @throws AssertionError if not
     */
    public void assertNothingLeftSince(ProcessState before) {
        boolean isFlat = allDescriptors <= before.allDescriptors
                && allMaps <= before.allMaps + GROWTH_MAPS
                && privateBytes <= before.privateBytes + GROWTH_BYTES;
        if (maps > 0 || descriptors > 0 || !isFlat) {
            throw new AssertionError(before + " became " + this);
        }
    }

    @Override
    public String toString() {
        return maps + " maps and " + descriptors + " descriptors of the file, " + allMaps + " maps, " + allDescriptors + " descriptors, " + (privateBytes >> 10) + " KiB of private memory";
    }
}
