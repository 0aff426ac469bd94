package varvite.ffi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;

/**
 * The platform of a native library.
 *
 * @param os the name of the operating system in the names of the jars
 * @param arch the name of the processor architecture in the names of the jars
 */
record Platform(String os, String arch) {
    private static final Map<String, String> ARCH = Map.of("amd64", "x86_64", "x86-64", "x86_64", "arm64", "aarch64");
    /** Processor architectures by their numbers in the header of an ELF file. */
    private static final Map<Integer, String> ELF_MACHINE = Map.of(62, "x86_64", 183, "aarch64", 3, "x86", 40, "arm", 243, "riscv64");

    private static final int ELF_MAGIC = 0x464c457f;
    private static final int ELF_HEADER = 20;
    private static final int ELF_MACHINE_AT = 18;

    /** The platform of this process. */
    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** The platform for the system properties {@code os.name} and {@code os.arch}. */
    static Platform of(String osName, String osArch) {
        String name = osName.toLowerCase(Locale.ROOT);
        String os = name.startsWith("mac") ? "macos" : name.startsWith("windows") ? "windows" : name;
        String arch = osArch.toLowerCase(Locale.ROOT);
        return new Platform(os, ARCH.getOrDefault(arch, arch));
    }

    /** The classifier of the jar that has the library for this platform. */
    String classifier() {
        return os + "-" + arch;
    }

    /**
     * The reason why a file cannot be a library for this platform, judging by its first bytes; null if there
     * is no such reason.
     */
    String objectionTo(Path library) throws IOException {
        if (!os.equals("linux")) {
            return null;
        }
        ByteBuffer header = ByteBuffer.allocate(ELF_HEADER).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(library, StandardOpenOption.READ)) {
            while (header.hasRemaining() && channel.read(header) >= 0) {
                // A read may return fewer bytes than requested, and -1 at the end of the file.
            }
        }
        if (header.hasRemaining() || header.getInt(0) != ELF_MAGIC) {
            return "it is not a library of Linux";
        }
        int machine = header.getShort(ELF_MACHINE_AT);
        String made = ELF_MACHINE.getOrDefault(machine, "processor number " + machine);
        return made.equals(arch) ? null : "it is made for " + made;
    }
}
