package varvite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parsed JSON as plain Java objects: maps, lists, strings, booleans, null, and numbers as text. The parser
 * supports what the conformance cases need.
 */
record Json(Object value) {
    static Json parse(String text) {
        Parser parser = new Parser(text);
        Json json = new Json(parser.value());
        parser.skipBlanks();
        if (parser.at < text.length()) {
            throw parser.error("the end");
        }
        return json;
    }

    Json get(String key) {
        return new Json(((Map<?, ?>) value).get(key));
    }

    boolean has(String key) {
        return ((Map<?, ?>) value).containsKey(key);
    }

    List<String> keys() {
        return ((Map<?, ?>) value).keySet().stream().map(String.class::cast).toList();
    }

    List<Json> list() {
        return ((List<?>) value).stream().map(Json::new).toList();
    }

    String text() {
        return (String) value;
    }

    boolean isNull() {
        return value == null;
    }

    int number() {
        return Integer.parseInt(((Digits) value).text);
    }

    int[] ints() {
        return list().stream().mapToInt(Json::number).toArray();
    }

    /** A number as its digits in the text. */
    record Digits(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        Object value() {
            skipBlanks();
            char next = peek();
            return switch (next) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> string();
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> digits();
            };
        }

        private Map<String, Object> object() {
            Map<String, Object> map = new LinkedHashMap<>();
            at++;
            while (!ends('}', map.isEmpty())) {
                skipBlanks();
                String key = string();
                skipBlanks();
                expect(':');
                map.put(key, value());
            }
            return map;
        }

        private List<Object> array() {
            List<Object> list = new ArrayList<>();
            at++;
            while (!ends(']', list.isEmpty())) {
                list.add(value());
            }
            return list;
        }

        /** Consumes the end of a container and returns true, or consumes the comma before the next item. */
        private boolean ends(char end, boolean empty) {
            skipBlanks();
            if (peek() == end) {
                at++;
                return true;
            }
            if (!empty) {
                expect(',');
            }
            return false;
        }

        private String string() {
            expect('"');
            StringBuilder out = new StringBuilder();
            while (peek() != '"') {
                char c = text.charAt(at++);
                out.append(c == '\\' ? escape() : c);
            }
            at++;
            return out.toString();
        }

        private char escape() {
            char c = text.charAt(at++);
            return switch (c) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case 'r' -> '\r';
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'u' -> {
                    at += 4;
                    yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
                }
                default -> c;
            };
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) {
                throw error(word);
            }
            at += word.length();
            return value;
        }

        private Digits digits() {
            int start = at;
            while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            if (at == start) {
                throw error("a value");
            }
            return new Digits(text.substring(start, at));
        }

        private void expect(char c) {
            if (peek() != c) {
                throw error("'" + c + "'");
            }
            at++;
        }

        private char peek() {
            if (at >= text.length()) {
                throw error("more");
            }
            return text.charAt(at);
        }

        private void skipBlanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private IllegalArgumentException error(String expected) {
            return new IllegalArgumentException("JSON at " + at + ": expected " + expected);
        }
    }
}
