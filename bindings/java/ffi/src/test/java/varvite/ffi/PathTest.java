package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.Graph;
import varvite.Profile;
import varvite.probe.ReadsAll;

/**
 * Tests that the binding finds the engine in the places where programs put it. Each test runs a new process
 * that has only the given paths.
 */
class PathTest {
    private static final String CORE = placeOf(Graph.class);
    private static final String FFI = placeOf(NativeGraph.class);
    private static final String PROBE = placeOf(ReadsAll.class);
    private static final String NATIVES = System.getProperty("varvite.natives");

    @TempDir
    Path folder;

    @Test
    void everyProfileIsReadFromAClassPath() throws Exception {
        assertEquals(expected(), run(List.of("--enable-native-access=ALL-UNNAMED", "-cp", path(CORE, FFI, PROBE, NATIVES))));
    }

    @Test
    void everyProfileIsReadFromAModulePath() throws Exception {
        assertEquals(expected(), run(List.of(
                "--enable-native-access=varvite.ffi", "-p", path(CORE, FFI), "--add-modules", "varvite.ffi", "-cp", path(PROBE, NATIVES))));
    }

    @Test
    void withoutTheLibraryPlainColumnsAreReadAndCodedOnesNameWhatWasLookedFor() throws Exception {
        List<String> lines = run(
                List.of("--enable-native-access=ALL-UNNAMED", "-cp", path(CORE, FFI, PROBE)),
                "--codes",
                Graphs.golden("awkward.archive.varvite").toString());
        assertEquals(expected().subList(0, 2), lines.subList(0, 2));
        for (String part : List.of("-22 NativeLibraryException", "libvarvite.so, interface", "varvite.library", "java.library.path", "the jars")) {
            assertTrue(lines.get(2).contains(part), lines.get(2));
        }
        try (Graph graph = Graph.open(Graphs.golden("awkward.direct.varvite"))) {
            assertEquals("codes " + ReadsAll.codes(graph.texts("NAME"), graph), lines.get(3), "codes in plain columns of texts in blocks");
        }
    }

    @Test
    void withoutTheModuleCodedColumnsAreRefusedByName() throws Exception {
        List<String> lines = run(List.of("-cp", path(CORE, PROBE, NATIVES)));
        assertEquals(expected().subList(0, 2), lines.subList(0, 2));
        assertTrue(lines.get(2).contains("-22 NativeRequiredException") && lines.get(2).contains("blocks of codec zstd"), lines.get(2));
    }

    private static List<String> expected() throws IOException {
        try (Graph graph = Graphs.open(Profile.DIRECT)) {
            return Collections.nCopies(3, Arrays.toString(ReadsAll.sums(graph)));
        }
    }

    /** The output of the probe for the graph in the three profiles, and for the paths in {@code more}. */
    private List<String> run(List<String> options, String... more) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-Dvarvite.cache=" + folder));
        command.addAll(options);
        command.add(ReadsAll.class.getName());
        Stream.of(Profile.values()).map(profile -> Graphs.of(profile).toString()).forEach(command::add);
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), told);
        return told.lines().toList();
    }

    private static String path(String... places) {
        return String.join(File.pathSeparator, places);
    }

    private static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
