package varvite.joern;

/**
 * A cache of the nodes of a kind that have a text, for recently searched texts. A text is stored in the slot
 * of its hash, and replaces the text there.
 */
final class FoundTexts extends Kept<FoundTexts.Found> {
    private static final int COUNT = 1 << 10;
    /** The maximum number of cached nodes for a text; longer lists are searched again. */
    private static final int NODES_MAX = 1 << 10;
    /** The bytes of an entry without its text and nodes, and the bytes of each node. */
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

    /** The ids of the nodes that have a text, or null if they are not cached. Must not be changed. */
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
