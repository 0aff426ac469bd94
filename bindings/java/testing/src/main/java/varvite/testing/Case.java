package varvite.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A conformance case, in the format that {@code conformance/README.md} describes: a file, questions and their
 * expected answers. This class ignores a case's description of a graph, because the repository has the file
 * that was made from it.
 */
public record Case(String name, Path file, boolean isBuffered, List<Question> questions) {
    /**
     * A question with its expected result, which is rows, each as JSON, or an error.
     *
     * @param line the line of the case where the question stands, from 1
     * @param words the name of the question with its arguments, or {@code plan}
     * @param plan the plan, if the question is one
     * @param params the values of the plan's parameters, each as {@code NAME=VALUE}
     * @param memoryBytes the memory limit of the run; 0 for none
     * @param side the name of the step {@code side} whose rows are expected; null for the rows of the plan
     * itself
     * @param rows the expected rows, unless an error is expected
     * @param error the number of the expected error; 0 for none
     * @param says texts that the error message must contain
     */
    public record Question(
            int line, String words, String plan, List<String> params, long memoryBytes, String side, List<String> rows, int error, List<String> says) {
        /**
         * The first word of {@code words}. If {@code skipped.txt} lists this word, all such questions are
         * skipped.
         */
        public String kind() {
            return words.split(" ")[0];
        }
    }

    /** All cases in the folder {@code conformance}, sorted by name. */
    public static List<Case> all(Path conformance) {
        Path folder = conformance.resolve("cases");
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(path -> path.toString().endsWith(".case"))
                    .sorted()
                    .map(path -> of(conformance, folder.relativize(path).toString().replace('\\', '/'), path))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether {@code skipped.txt} says that an interface, {@code way}, skips a question of this case. */
    public boolean isSkipped(Path conformance, String way, Question question) {
        return lines(conformance.resolve("skipped.txt")).stream()
                .anyMatch(line -> line.startsWith(way + " " + name + ":") || line.startsWith(way + " " + question.kind() + ":"));
    }

    private static Case of(Path conformance, String file, Path path) {
        String name = file.substring(0, file.length() - ".case".length());
        Reader reader = new Reader();
        List<String> lines = lines(path);
        for (int i = 0; i < lines.size(); i++) {
            reader.take(i + 1, lines.get(i));
        }
        reader.end();
        String[] source = reader.file == null ? new String[] {name + ".varvite"} : reader.file.split(" ");
        return new Case(name, conformance.resolve("files").resolve(source[0]), source.length > 1, reader.questions);
    }

    private static List<String> lines(Path path) {
        try {
            return Files.readAllLines(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a case line by line. A line begins with a keyword; indented lines below it belong to the keyword.
     */
    private static final class Reader {
        private final List<Question> questions = new ArrayList<>();
        private String file;
        private String keyword = "";
        private int line;
        private String words;
        private List<String> plan;
        private List<String> params;
        private long memoryBytes;
        private String side;
        private List<String> rows;
        private int error;
        private List<String> says;

        void take(int number, String text) {
            if (text.startsWith("  ")) {
                takeBody(text.substring(2));
            } else if (!text.isBlank() && !text.startsWith("#")) {
                int blank = text.indexOf(' ');
                keyword = blank < 0 ? text : text.substring(0, blank);
                takeKeyword(number, blank < 0 ? "" : text.substring(blank + 1).strip());
            }
        }

        private void takeBody(String text) {
            switch (keyword) {
                case "ask" -> plan.add(text);
                case "expect" -> rows.add(text);
                default -> {}
            }
        }

        private void takeKeyword(int number, String rest) {
            switch (keyword) {
                case "graph", "column" -> {}
                case "file" -> file = rest;
                case "ask" -> begin(number, rest);
                case "param" -> params.add(rest);
                case "memory" -> memoryBytes = Long.parseLong(rest);
                case "side" -> side = rest;
                case "expect" -> rows.addAll(rest.isEmpty() ? List.of() : List.of(rest));
                case "error" -> error = Integer.parseInt(rest.split(" ")[0]);
                case "says" -> says.add(rest);
                default -> throw new IllegalArgumentException(number + ": " + keyword + " is no keyword of a case");
            }
        }

        private void begin(int number, String rest) {
            end();
            line = number;
            words = rest;
            plan = new ArrayList<>();
            params = new ArrayList<>();
            memoryBytes = 0;
            side = null;
            rows = new ArrayList<>();
            error = 0;
            says = new ArrayList<>();
        }

        /** Adds the current question, if there is one, to the list. */
        void end() {
            if (words != null) {
                String joined = plan.stream().collect(Collectors.joining("\n"));
                questions.add(new Question(line, words, joined, params, memoryBytes, side, rows, error, says));
            }
        }
    }
}
