package varvite.joern.start;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;

/**
 * Checks whether mapped files can be opened with the class path of this program, and, if
 * {@code varvite.joern.persist} requests that changes are kept, whether they can be changed. Then runs the
 * class that the first argument names, with the other arguments. Without arguments, only checks.
 */
public final class Start {
    /** The exit code if the check fails. */
    static final int WRONG = 3;

    private static final String PERSIST = "varvite.joern.persist";
    /** The class is used by name, because it needs a newer Java than this class does. */
    private static final String PERSISTENCE = "varvite.joern.Persistence";

    private Start() {}

    /** The entry point. */
    public static void main(String[] words) throws Throwable {
        Optional<String> problem = new ClassPath().problem().or(Start::persistProblem);
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
            Method main = Class.forName(words[0]).getMethod("main", String[].class);
            // Like Java's launcher, allow a main class that is not public.
            main.setAccessible(true);
            main.invoke(null, rest);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** If the user wants to keep changes but they can't be kept, the reason. */
    private static Optional<String> persistProblem() {
        if (!Boolean.getBoolean(PERSIST)) {
            return Optional.empty();
        }
        try {
            Class.forName(PERSISTENCE).getMethod("checkLibrary").invoke(null);
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of("no changes can be kept: " + e.getCause().getMessage());
        } catch (ReflectiveOperationException e) {
            return Optional.of("no changes can be kept: " + e);
        }
    }
}
