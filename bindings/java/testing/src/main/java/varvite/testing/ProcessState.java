package varvite.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The system resources that this process uses; zeros if the system does not report them. Run the tests with a
 * heap of a fixed size that is touched at the start ({@code -XX:+AlwaysPreTouch}), so that resident memory
 * grows only by leaks outside the heap.
 *
 * @param maps the number of maps of one file
 * @param descriptors the number of descriptors of that file
 * @param allMaps the number of all maps
 * @param allDescriptors the number of all descriptors
 * @param privateBytes the bytes of resident memory that do not belong to files
 */
public record ProcessState(long maps, long descriptors, long allMaps, long allDescriptors, long privateBytes) {
    private static final Path SELF = Path.of("/proc/self");
    /**
     * The limit for the growth of the virtual machine's own memory, such as compiled code, threads and its
     * bookkeeping.
     */
    private static final long GROWTH_BYTES = 48L << 20;
    private static final long GROWTH_MAPS = 64;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The current state; {@code maps} and {@code descriptors} are those of {@code file}. */
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

    /** The file that a descriptor refers to; empty if the descriptor was closed meanwhile. */
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
     * Waits until the process has no map or descriptor of the file any more, and uses no more resources than
     * {@code before}, except for the virtual machine's own memory. The compilers of the virtual machine may
     * take more memory for some seconds, and on a busy machine for longer; a leak never ends.
     *
     * @return the state in which nothing is left
     * @throws AssertionError if these conditions do not hold within a minute
     */
    public static ProcessState awaitNothingLeft(Path file, ProcessState before) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        ProcessState now = of(file);
        while (!now.hasNothingLeftSince(before)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(before + " became " + now);
            }
            Thread.sleep(100);
            now = of(file);
        }
        return now;
    }

    private boolean hasNothingLeftSince(ProcessState before) {
        return maps == 0
                && descriptors == 0
                && allDescriptors <= before.allDescriptors
                && allMaps <= before.allMaps + GROWTH_MAPS
                && privateBytes <= before.privateBytes + GROWTH_BYTES;
    }

    @Override
    public String toString() {
        return maps + " maps and " + descriptors + " descriptors of the file, " + allMaps + " maps, " + allDescriptors + " descriptors, " + (privateBytes >> 10) + " KiB of private memory";
    }
}
