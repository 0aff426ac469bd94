package varvite;

import java.util.List;
import java.util.Locale;

/** Finds the most similar name, for error messages. */
final class NearestName {
    private static final int DISTANCE_MAX = 4;

    private NearestName() {}

    /**
     * The name that is most similar to {@code wanted}; of equally similar names, the first in alphabetical
     * order. Null if every name differs in too many letters: more than a fourth of the length of
     * {@code wanted}, where the limit is at least one letter and at most four.
     */
    static String of(String wanted, List<String> names) {
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String name : names) {
            int distance = distance(wanted.toUpperCase(Locale.ROOT), name.toUpperCase(Locale.ROOT));
            if (distance < least || distance == least && name.compareTo(best) < 0) {
                best = name;
                least = distance;
            }
        }
        return least <= Math.clamp(wanted.length() / 4, 1, DISTANCE_MAX) ? best : null;
    }

    /**
     * The least number of insertions, deletions and replacements between two words (Wagner and Fischer,
     * 1974).
     */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int column = 0; column <= b.length(); column++) {
            row[column] = column;
        }
        for (int index = 1; index <= a.length(); index++) {
            int diagonal = row[0];
            row[0] = index;
            for (int column = 1; column <= b.length(); column++) {
                int replaced = diagonal + (a.charAt(index - 1) == b.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, Math.min(row[column - 1], row[column]) + 1);
            }
        }
        return row[b.length()];
    }
}
