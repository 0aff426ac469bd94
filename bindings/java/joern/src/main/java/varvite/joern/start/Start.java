package varvite.joern.start;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Looks whether mapped files can be opened with the class path that this program was given, and runs the
 * class that the first word names, with the other words. Without words it only looks.
 */
public final class Start {
    /** The exit code where they can't. */
    static final int WRONG = 3;

    private Start() {}

    /** The program. */
    public static void main(String[] words) throws Throwable {
        Optional<String> problem = new ClassPath().problem();
        if (problem.isPresent()) {
            System.err.println("varvite: " + problem.get());
            System.exit(WRONG);
        }
        if (words.length == 0) {
            System.out.println("mapped files can be opened with this class path");
            return;
        }
        try {
            Object rest = Arrays.copyOfRange(words, 1, words.length);
            Class.forName(words[0]).getMethod("main", String[].class).invoke(null, rest);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
