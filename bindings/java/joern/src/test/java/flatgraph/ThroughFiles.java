package flatgraph;

import varvite.joern.RoundTrips;

/** Runs a program all of whose graphs go through a mapped file after each change. */
public final class ThroughFiles {
    private ThroughFiles() {}

    /** The class of the program, and its arguments. */
    public static void main(String[] words) throws ReflectiveOperationException {
        Graph.makeStorages(RoundTrips::new);
        String[] arguments = java.util.Arrays.copyOfRange(words, 1, words.length);
        Class.forName(words[0]).getMethod("main", String[].class).invoke(null, (Object) arguments);
    }
}
