package varvite.bench.protocol;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of this process in bytes, as the kernel reports it; null if the system is not Linux. A method
 * returns the used heap as the JVM reports it.
 */
record Memory(Long rss, Long rssAnon, Long rssFile, Long rssPeak) {
    private static final Path STATUS = Path.of("/proc/self/status");

    static Memory now() throws IOException {
        if (!Files.exists(STATUS)) {
            return new Memory(null, null, null, null);
        }
        String status = Files.readString(STATUS);
        return new Memory(bytes(status, "VmRSS"), bytes(status, "RssAnon"), bytes(status, "RssFile"), bytes(status, "VmHWM"));
    }

    /**
     * Runs a full garbage collection, which takes seconds for a large graph, and returns the live bytes on
     * the heap.
     */
    static long heapUsedAfterCollection() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static Long bytes(String status, String field) {
        return status.lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElse(null);
    }
}
