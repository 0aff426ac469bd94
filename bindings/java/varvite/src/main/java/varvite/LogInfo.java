package varvite;

import varvite.format.Log;

/**
 * The log that followed the newest full commit of a file when the file was opened.
 *
 * @param records the number of small commits; the graph includes all of them
 * @param bytes the size of these records in the file, in bytes
 * @param leftoverBytes the number of bytes after the records, which belong to a commit or record that was not
 * finished or is being written. These bytes are ignored
 */
public record LogInfo(int records, long bytes, long leftoverBytes) {
    static LogInfo of(Log log) {
        return new LogInfo(log.payloads().size(), log.bytes(), log.leftoverBytes());
    }
}
