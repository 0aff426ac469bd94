package org.example;

import java.nio.file.Path;

import varvite.Graph;
import varvite.Profile;
import varvite.ffi.FlatgraphImport;

/** A user's first program: makes a graph file with the native library, and counts its CALLs. */
public final class Calls {
    private Calls() {}

    /** Imports the first argument into the second, in the profile that only the native library reads. */
    public static void main(String[] arguments) throws Exception {
        Path source = Path.of(arguments[0]);
        Path target = Path.of(arguments[1]);
        FlatgraphImport.to(Profile.ARCHIVE).run(source, target);
        try (Graph graph = Graph.open(target)) {
            System.out.println(graph.nodes("CALL").size() + " CALLs");
        }
    }
}
