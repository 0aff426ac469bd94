// The program that the explorer copies for Java.
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import varvite.ffi.NativeGraph;
import varvite.ffi.NativeRun;

public final class Ask {
    public static void main(String[] args) {
        try (NativeGraph graph = NativeGraph.open(Path.of("zlib.varvite"), false);
                NativeRun run = graph.run("{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHOD\"]},{\"step\":\"has\",\"property\":\"NAME\",\"is\":{\"regex\":\"inflate(Init|Reset).*\"}},{\"step\":\"map\",\"by\":{\"as\":\"NAME\",\"first_of\":[{\"property\":\"NAME\"},{\"constant\":\"<empty>\"}]}}]}")) {
            while (run.next()) {
                for (int row = 0; row < run.rows(); row++) {
                    System.out.println(shown(run, row));
                }
            }
        }
    }

    private static String shown(NativeRun run, int row) {
        return switch (run.kind()) {
            case NODES -> String.valueOf(run.nodeId(row));
            case EDGES -> run.source(row) + " -> " + run.target(row);
            default -> IntStream.range(0, run.columns())
                    .mapToObj(column -> String.valueOf(run.text(column, row)))
                    .collect(Collectors.joining("\t"));
        };
    }
}
