package varvite.joern;

/**
 * The nodes of a kind that have a text, for the texts of the newest calls. A text lies at the slot of its
 * hash, and replaces an older one there.
 */
final class FoundTexts extends Kept {
    private static final int COUNT = 1 << 10;
    /** Longer lists are found anew. */
    private static final int NODES_MAX = 1 << 10;
    /** The bytes of an entry for a text without nodes, besides the text, and of each node. */
    private static final int FOUND_BYTES = 64;
    private static final int NODE_BYTES = 4;

    private record Found(String text, int[] ids) {
        int bytes() {
            return FOUND_BYTES + text.length() + NODE_BYTES * ids.length;
        }
    }

    FoundTexts(Room room) {
        super(room, COUNT);
    }

    /** The ids of the nodes that have a text, or null if they are not kept. Not to be changed. */
    int[] ids(String text) {
        Found found = (Found) kept(slot(text));
        return found != null && found.text.equals(text) ? found.ids : null;
    }

    /** Keeps the ids of the nodes that have a text. */
    void keep(String text, int[] ids) {
        if (ids.length > NODES_MAX) {
            return;
        }
        Found before = (Found) kept(slot(text));
        Found found = new Found(text, ids);
        keep(slot(text), found, found.bytes() - (before == null ? 0 : before.bytes()));
    }

    private static int slot(String text) {
        int hash = text.hashCode();
        return (hash ^ hash >>> 16) & (COUNT - 1);
    }
}
