package varvite.ffi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import varvite.Graph;
import varvite.Profile;

/** The code graph of zlib in each profile, imported once by the engine itself. */
final class Graphs {
    static final Path SOURCE = Path.of(System.getProperty("varvite.root")).resolve("examples/data/zlib.cpg.bin");
    static final int NODES = 44_073;

    private static final Map<Profile, Path> MADE = new EnumMap<>(Profile.class);

    private Graphs() {}

    /** A golden file of the repository. */
    static Path golden(String name) {
        return SOURCE.resolveSibling("../../conformance/files/" + name).normalize();
    }

    static synchronized Path of(Profile profile) {
        return MADE.computeIfAbsent(profile, Graphs::make);
    }

    static Graph open(Profile profile) {
        try {
            return Graph.open(of(profile));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Path make(Profile profile) {
        try {
            Path folder = Files.createTempDirectory("varvite-ffi");
            Path path = folder.resolve(profile.name().toLowerCase(Locale.ROOT) + ".varvite");
            FlatgraphImport.to(profile).run(SOURCE, path);
            path.toFile().deleteOnExit();
            folder.toFile().deleteOnExit();
            return path;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
