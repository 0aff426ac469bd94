package varvite.joern.start;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Checks whether a program with this class path can open mapped files. Reads only the names and manifests of
 * jars, and does not load classes.
 */
public final class ClassPath {
    /** The oldest Java version with the interface through which Varvite maps files. */
    public static final int OLDEST_JAVA = 22;

    /** A system property: true if the user accepts an untested version of flatgraph. */
    public static final String UNTESTED = "varvite.joern.untested";

    private static final String OURS = "varvite/joern/MappedStorage.class";
    private static final String REPLACED = "flatgraph/Graph.class";
    private static final String THEIRS = "flatgraph/GNode.class";
    private static final String LIBRARY = "varvite/Graph.class";
    private static final String CHECKED = "varvite/joern/checked";
    private static final String TESTED = "/varvite/joern/tested.properties";

    private final ClassLoader loader;
    private final int java;

    /** The class path of this program. */
    public ClassPath() {
        this(ClassPath.class.getClassLoader(), Runtime.version().feature());
    }

    ClassPath(ClassLoader loader, int java) {
        this.loader = loader;
        this.java = java;
    }

    /**
     * The fault of the class path and its remedy, in one line; empty if a program with this class path can
     * open mapped files.
     */
    public Optional<String> problem() {
        if (java < OLDEST_JAVA) {
            return Optional.of("this is Java " + java + ", but mapped files need " + OLDEST_JAVA
                    + " or later: set JAVA_HOME to one, or start Joern by `varvite joern`");
        }
        if (find(THEIRS).isEmpty()) {
            return Optional.of("flatgraph-core is not on the class path: add the jars of Joern, JOERN/lib/*");
        }
        if (find(LIBRARY).isEmpty()) {
            return Optional.of("varvite.jar is not on the class path: add it, or take the varvite-joern.jar of `make joern-jar`,"
                    + " which contains it");
        }
        return order().or(this::version);
    }

    /**
     * The fault in the order of the class path, on which Varvite's classes must come before flatgraph's;
     * empty if the order is right.
     */
    private Optional<String> order() {
        String first = place(REPLACED);
        if (first.equals(place(OURS))) {
            return Optional.empty();
        }
        return Optional.of(first + " comes before varvite-joern.jar on the class path, so mapped files cannot be opened:"
                + " put varvite-joern.jar first, or start Joern by `varvite joern`");
    }

    /**
     * The fault of the version of flatgraph-core; empty for a tested or unknown version, and for a jar of the
     * command {@code varvite joern}, which has compared the members. Code of another version may call members
     * that Varvite's classes do not have.
     */
    public Optional<String> version() {
        if (find(CHECKED).isPresent() && place(CHECKED).equals(place(THEIRS))) {
            return Optional.empty();
        }
        Optional<String> found = find(THEIRS).flatMap(ClassPath::versionOfJar);
        List<String> tested = tested();
        if (found.isEmpty() || tested.contains(found.get()) || Boolean.getBoolean(UNTESTED)) {
            return Optional.empty();
        }
        return Optional.of("flatgraph-core " + found.get() + " was not tested with this Varvite, but "
                + String.join(", ", tested) + "; `varvite joern --write-jar` compares the members of yours, and -D"
                + UNTESTED + "=true accepts it");
    }

    private Optional<URL> find(String resource) {
        return Optional.ofNullable(loader.getResource(resource));
    }

    /** The jar or folder that contains a resource. */
    private String place(String resource) {
        String url = find(resource).map(URL::toString).orElse("");
        String place = url.substring(0, Math.max(0, url.length() - resource.length() - 1));
        return place.endsWith("!") ? place.substring("jar:".length(), place.length() - 1) : place;
    }

    private static Optional<String> versionOfJar(URL inJar) {
        String url = inJar.toString();
        int end = url.indexOf("!/");
        if (end < 0) {
            return Optional.empty();
        }
        try (InputStream in = new URL(url.substring(0, end + 2) + JarFile.MANIFEST_NAME).openStream()) {
            Attributes attributes = new Manifest(in).getMainAttributes();
            return Optional.ofNullable(attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<String> tested() {
        Properties properties = new Properties();
        try (InputStream in = ClassPath.class.getResourceAsStream(TESTED)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(properties.getProperty("flatgraph").split(" "));
    }
}
