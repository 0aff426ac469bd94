package varvite.joern;

/**
 * A cache for recently searched texts: for each text, the nodes of a kind that have it. A text is stored in
 * the slot for its hash and replaces the previous text there.
 */
final class FoundTexts extends Kept<FoundTexts.Found> {
    private static final int COUNT = 1 << 10;
    /** The maximum number of cached nodes for a text; longer lists are searched again. */
    private static final int NODES_MAX = 1 << 10;
    /** The number of bytes that an entry takes without its text and nodes, and the number for each node. */
    private static final int FOUND_BYTES = 64;
    private static final int NODE_BYTES = 4;

    record Found(String text, int[] ids) {
        int bytes() {
            return FOUND_BYTES + text.length() + NODE_BYTES * ids.length;
        }
    }

    FoundTexts(Room room) {
        super(room, COUNT);
    }

    /** The ids of the nodes that have a text; null if they are not cached. The array must not be changed. */
    int[] ids(String text) {
        Found found = kept(slot(text));
        return found != null && found.text.equals(text) ? found.ids : null;
    }

    /** Caches the ids of the nodes that have a text. */
    void keep(String text, int[] ids) {
        if (ids.length > NODES_MAX) {
            return;
        }
        Found before = kept(slot(text));
        Found found = new Found(text, ids);
        keep(slot(text), found, found.bytes() - (before == null ? 0 : before.bytes()));
    }

    private static int slot(String text) {
        int hash = text.hashCode();
        return (hash ^ hash >>> 16) & (COUNT - 1);
    }
}
