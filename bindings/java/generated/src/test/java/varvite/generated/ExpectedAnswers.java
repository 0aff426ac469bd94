package varvite.generated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** flatgraph's answers about the graph of zlib, which are numbers in a page of facts about the graph. */
final class ExpectedAnswers {
    private static final Pattern ENTRY = Pattern.compile("\"([^\"]+)\": *([0-9]+)");
    private static final Pattern PAIR = Pattern.compile("\\[\\s*\"([^\"]+)\",\\s*([0-9]+)\\s*\\]");

    private static final String PAGE = page();

    private ExpectedAnswers() {}

    private static String page() {
        try {
            return Files.readString(Graphs.ROOT.resolve("examples/data/zlib.expected.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The number of the entry with this name. */
    static long number(String name) {
        return entries(ENTRY, PAGE).get(name);
    }

    /** The names and numbers of a JSON object. */
    static Map<String, Long> numbers(String object) {
        return entries(ENTRY, between(object, "{", "}"));
    }

    /** The names and numbers of a JSON list of pairs. */
    static Map<String, Long> pairs(String list) {
        return entries(PAIR, between(list, "[", "]]"));
    }

    private static String between(String name, String open, String close) {
        String flat = PAGE.replaceAll("\\s*([\\[\\]{}])\\s*", "$1");
        int start = flat.indexOf(open, flat.indexOf("\"" + name + "\""));
        return flat.substring(start, flat.indexOf(close, start) + close.length());
    }

    private static Map<String, Long> entries(Pattern pattern, String text) {
        Map<String, Long> entries = new TreeMap<>();
        for (MatchResult match : (Iterable<MatchResult>) pattern.matcher(text).results()::iterator) {
            entries.put(match.group(1), Long.parseLong(match.group(2)));
        }
        return entries;
    }
}
