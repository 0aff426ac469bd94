package varvite;

import varvite.format.Log;

/**
 * The log behind the newest large commit of a file when it was opened.
 *
 * @param records the number of small commits; the graph includes all of them
 * @param bytes the bytes of these records in the file
 * @param leftoverBytes the bytes after the records: of a commit or record that was not finished or is being
 * written. They are ignored
 */
public record LogInfo(int records, long bytes, long leftoverBytes) {
    static LogInfo of(Log log) {
        return new LogInfo(log.payloads().size(), log.bytes(), log.leftoverBytes());
    }
}
