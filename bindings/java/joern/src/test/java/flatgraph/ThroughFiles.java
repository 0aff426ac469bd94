package flatgraph;

import varvite.joern.RoundTrips;

/** Runs a program with graphs that are written to a file and mapped again after each change. */
public final class ThroughFiles {
    private ThroughFiles() {}

    /** The entry point. Its arguments are the main class of the program and the program's arguments. */
    public static void main(String[] words) throws ReflectiveOperationException {
        Graph.makeStorages(RoundTrips::new);
        String[] arguments = java.util.Arrays.copyOfRange(words, 1, words.length);
        Class.forName(words[0]).getMethod("main", String[].class).invoke(null, (Object) arguments);
    }
}
