package varvite.ffi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import varvite.error.NativeLibraryException;

/**
 * Finds the native library, loads it once for the life of the process, and checks that this module supports
 * its interface version.
 *
 * <p>The search skips a library that cannot be used; if it finds no other, the exception names the skipped
 * library. Loading does not use class loaders, so that several class loaders can use the same library.
 */
final class NativeLibrary {
    /** The major version of the interface that this module was written for. */
    static final int ABI_MAJOR = 1;
    static final int ABI_MINOR = 0;

    static final String LIBRARY = "varvite.library";
    static final String CACHE = "varvite.cache";

    private static NativeLibrary loaded;

    private final Path path;
    private final SymbolLookup symbols;

    private NativeLibrary(Path path, SymbolLookup symbols) {
        this.path = path;
        this.symbols = symbols;
    }

    /**
     * The library of this process.
     *
     * @throws NativeLibraryException if no usable library is found; the next call searches again
     */
    static synchronized NativeLibrary get() {
        if (loaded == null) {
            loaded = new Search(Platform.current(), System.getProperties()).find();
        }
        return loaded;
    }

    /** The path of the library. */
    Path path() {
        return path;
    }

    SymbolLookup symbols() {
        return symbols;
    }

    /** A search for the library in all locations. */
    static final class Search {
        private final Platform platform;
        private final Map<?, ?> properties;
        private final String name;
        private final List<String> tried = new ArrayList<>();

        Search(Platform platform, Map<?, ?> properties) {
            this.platform = platform;
            this.properties = properties;
            name = System.mapLibraryName("varvite");
        }

        NativeLibrary find() {
            return given().or(this::onLibraryPath).or(this::inJar).orElseThrow(() ->
                    new NativeLibraryException(platform.classifier(), name + ", interface " + ABI_MAJOR + "." + ABI_MINOR, tried));
        }

        /**
         * The library that the user names in a system property. If this library cannot be used, the search
         * ends.
         */
        private Optional<NativeLibrary> given() {
            String given = property(LIBRARY);
            if (given == null) {
                tried.add("the system property " + LIBRARY + " (not set)");
                return Optional.empty();
            }
            Path path = Path.of(given);
            Optional<NativeLibrary> library = load(Files.isDirectory(path) ? path.resolve(name) : path);
            if (library.isEmpty()) {
                throw new NativeLibraryException(platform.classifier(), "the library that " + LIBRARY + " names", tried);
            }
            return library;
        }

        private Optional<NativeLibrary> onLibraryPath() {
            String folders = property("java.library.path");
            for (String folder : folders == null ? new String[0] : folders.split(System.getProperty("path.separator"))) {
                Path path = Path.of(folder).resolve(name);
                if (!folder.isEmpty() && Files.exists(path)) {
                    Optional<NativeLibrary> library = load(path);
                    if (library.isPresent()) {
                        return library;
                    }
                }
            }
            tried.add("java.library.path (" + folders + ")");
            return Optional.empty();
        }

        private Optional<NativeLibrary> inJar() {
            String resource = "varvite/natives/" + platform.classifier() + "/" + name;
            ClassLoader loader = NativeLibrary.class.getClassLoader();
            try (InputStream hash = loader.getResourceAsStream(resource + ".sha256")) {
                if (hash == null) {
                    tried.add("the jars (no " + resource + ")");
                    return Optional.empty();
                }
                String sum = new String(hash.readAllBytes(), StandardCharsets.US_ASCII).strip();
                return load(extracted(loader, resource, sum));
            } catch (IOException | UncheckedIOException e) {
                tried.add("the jar of varvite-native (" + e + ")");
                return Optional.empty();
            }
        }

        /**
         * The path of the library's copy in the user's cache folder. Libraries with different content have
         * different copies, which are never changed or removed.
         */
        private Path extracted(ClassLoader loader, String resource, String sum) throws IOException {
            Path folder = cache().resolve(sum);
            Path copy = folder.resolve(name);
            if (Files.exists(copy)) {
                return copy;
            }
            Files.createDirectories(folder);
            Path beside = Files.createTempFile(folder, name, ".new");
            try (InputStream library = loader.getResourceAsStream(resource)) {
                if (library == null) {
                    throw new IOException("there is no " + resource);
                }
                Files.copy(library, beside, StandardCopyOption.REPLACE_EXISTING);
                move(beside, copy);
            } finally {
                Files.deleteIfExists(beside);
            }
            return copy;
        }

        private static void move(Path from, Path to) throws IOException {
            try {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }

        private Path cache() {
            String given = property(CACHE);
            if (given != null) {
                return Path.of(given);
            }
            String xdg = System.getenv("XDG_CACHE_HOME");
            Path base = xdg != null && !xdg.isEmpty() ? Path.of(xdg) : Path.of(property("user.home"), ".cache");
            return base.resolve("varvite");
        }

        private Optional<NativeLibrary> load(Path path) {
            try {
                String objection = Files.isRegularFile(path) ? platform.objectionTo(path) : "there is no such file";
                if (objection != null) {
                    tried.add(path + " (" + objection + ")");
                    return Optional.empty();
                }
                SymbolLookup symbols = SymbolLookup.libraryLookup(path.toAbsolutePath(), Arena.global());
                int version = abiVersion(symbols);
                if (version >>> 16 == ABI_MAJOR && (version & 0xffff) >= ABI_MINOR) {
                    return Optional.of(new NativeLibrary(path, symbols));
                }
                tried.add(path + " (it has interface " + (version >>> 16) + "." + (version & 0xffff) + ")");
            } catch (IOException | IllegalArgumentException e) {
                tried.add(path + " (" + e.getMessage() + ")");
            }
            return Optional.empty();
        }

        private static int abiVersion(SymbolLookup symbols) {
            var symbol = symbols.find("varvite_abi_version");
            if (symbol.isEmpty()) {
                throw new IllegalArgumentException("it has no varvite_abi_version");
            }
            try {
                FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_INT);
                return (int) Linker.nativeLinker().downcallHandle(symbol.get(), descriptor).invokeExact();
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        private String property(String key) {
            return (String) properties.get(key);
        }
    }
}
