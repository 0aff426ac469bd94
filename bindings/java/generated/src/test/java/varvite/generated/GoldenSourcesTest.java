package varvite.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.Graph;

/** Tests the generator's golden sources, whose schema has names that have another meaning in Java. */
class GoldenSourcesTest {
    private static final Path GOLDEN = Graphs.ROOT.resolve("crates/varvite-generate/tests/golden/java");

    @Test
    void theyCompileWithoutAWarning(@TempDir Path classes) throws IOException, URISyntaxException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        Path binding = Path.of(Graph.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> options =
                List.of("--release", "22", "-Xlint:all", "-Xdoclint:all,-missing", "-Werror", "-cp", binding.toString(), "-d", classes.toString());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(said, null, null)) {
            Iterable<? extends JavaFileObject> sources = files.getJavaFileObjectsFromPaths(golden());
            boolean isCompiled = compiler.getTask(null, files, said, options, null, sources).call();
            List<String> problems = said.getDiagnostics().stream().map(Diagnostic::toString).toList();
            assertEquals(List.of(), problems);
            assertTrue(isCompiled);
        }
    }

    private static List<Path> golden() throws IOException {
        try (Stream<Path> paths = Files.walk(GOLDEN)) {
            return paths.filter(path -> path.toString().endsWith(".java")).toList();
        }
    }
}
