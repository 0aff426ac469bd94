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
 * Runs a script as {@code joern --script} does, but in a single virtual machine, so that Java 25 or later can
 * store the classes that it loads and links meanwhile ({@code -XX:AOTCacheOutput}).
 *
 * <p>For a script, Joern starts a second Java by the name {@code java}. The caller of this program puts the
 * program's folder first on {@code PATH}. A shell script {@code java} in this folder only writes its
 * arguments to a file; this program then runs the class that the arguments name.
 */
public final class Training {
    private static final String SCRIPT = "/varvite/joern/training.sc";
    /** A shell script that writes its arguments to a file, each followed by a zero byte. */
    private static final String NOTE = "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > \"$0.words\"\n";

    private Training() {}

    /** The entry point. Its arguments are its folder, which need not be empty, and the graph to query. */
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
