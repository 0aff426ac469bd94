package varvite.joern.start;

import io.joern.joerncli.console.ReplBridge;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a script as {@code joern --script} does, in one virtual machine, so that a Java of 25 or later can
 * store the classes that it loads and links on the way ({@code -XX:AOTCacheOutput}).
 *
 * <p>Joern starts a second Java for a script, by the name {@code java}. The caller of this program puts its
 * folder first on {@code PATH}: the script of that name in the folder only notes its arguments, and the class
 * that they name runs here, next.
 */
public final class Training {
    private static final String SCRIPT = "/varvite/joern/training.sc";
    /** Ends with as many bytes of zero as it has words. */
    private static final String NOTE = "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > \"$0.words\"\n";

    private Training() {}

    /** The program; its arguments are its folder, which may be filled, and the graph to query. */
    public static void main(String[] words) throws IOException, ReflectiveOperationException {
        Path folder = Path.of(words[0]);
        Path script = folder.resolve("training.sc");
        try (InputStream text = Training.class.getResourceAsStream(SCRIPT)) {
            Files.copy(text, script);
        }
        Path stub = folder.resolve("java");
        Files.writeString(stub, NOTE);
        Files.setPosixFilePermissions(stub, PosixFilePermissions.fromString("rwx------"));
        ReplBridge.main(new String[] {"--script", script.toString(), "--param", "graph=" + words[1]});
        start(Files.readString(folder.resolve("java.words"), StandardCharsets.UTF_8).split("\0", -1));
    }

    /** Does the work of {@code java -classpath PATH CLASS WORDS}. */
    private static void start(String[] words) throws ReflectiveOperationException {
        List<String> all = Arrays.asList(words).subList(0, words.length - 1);
        int at = all.indexOf("-classpath") + 2;
        String[] rest = all.subList(at + 1, all.size()).toArray(String[]::new);
        Class.forName(all.get(at)).getMethod("main", String[].class).invoke(null, (Object) rest);
    }
}
