package varvite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The golden files and cases of the repository. Tests find these files no matter in which folder the tests
 * are started.
 */
final class Golden {
    static final Path FOLDER = folder();

    private Golden() {}

    private static Path folder() {
        Path start = Path.of("").toAbsolutePath();
        for (Path at = start; at != null; at = at.getParent()) {
            Path folder = at.resolve("conformance");
            if (Files.isRegularFile(folder.resolve("files/catalogue.json"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no folder conformance at or above " + start);
    }

    /** The text of a file in the repository. */
    static String page(String path) {
        try {
            return Files.readString(FOLDER.resolveSibling(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path file(String name) {
        return FOLDER.resolve("files").resolve(name);
    }

    static Json json(String name) {
        try {
            return Json.parse(Files.readString(FOLDER.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a golden file. */
    static Graph open(String name) {
        try {
            return Graph.open(file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
