/**
 * Graphs in {@code .varvite} files, read in place.
 *
 * <p>{@link varvite.Graph#open} maps a file and reads its directory. Programs then read the graph on one of
 * three levels:
 *
 * <ol>
 *   <li>columns: {@link varvite.Adjacency}, {@link varvite.Labels}, {@link varvite.NodeSet}, {@link varvite.Subtree} and the subclasses
 *       of {@link varvite.Property}, for loops written by hand;
 *   <li>reusable cursors and bulk calls: {@link varvite.NeighborCursor}, {@link varvite.Adjacency#expand},
 *       {@link varvite.IntList};
 *   <li>handles: {@link varvite.Node} and {@link varvite.Edge}, small records for code where convenience
 * matters more than speed.
 * </ol>
 *
 * <p>The first two levels allocate nothing for an edge or a value. Node ids are ints from 0; {@code -1} means
 * that there is no node.
 *
 * <h2>Snapshots</h2>
 *
 * A graph is a snapshot of its file at the time of opening. Writers never change existing bytes of a file. If
 * another file takes over the file's name, open graphs continue to read the old file, even for columns that
 * are decoded later.
 *
 * <p><b>No program may shorten an open file.</b> A read of the missing part throws an {@link InternalError}
 * in this module; for columns that the engine decodes, it throws a {@link varvite.error.VarviteException}
 * with the number -12. A run or property of {@code varvite.ffi.NativeGraph} reads the engine's own map, where
 * such a read ends the process (SIGBUS). If other programs may change a file, open it with
 * {@link varvite.OpenMode#BUFFERED} or {@code NativeGraph.open(path, true)}, which copy the file to private
 * memory and check every block.
 *
 * <h2>Pins</h2>
 *
 * Columns of direct and compact files, except long texts, are read in place, so nothing is decoded and no
 * slice has to be released: a slice is a view of the mapped file, valid until the graph is closed. A
 * compressed column of numbers is decoded as a whole on first use, if the native library is present, and
 * stays in memory until the graph is closed. A compressed block of texts is decoded when one of its texts is
 * read, and the engine may cache it within its memory limit; a block from which a slice was taken stays in
 * memory until the graph is closed. Mapped bytes are clean pages of the page cache, which the operating
 * system can reclaim at any time.
 *
 * <h2>Closing</h2>
 *
 * {@link varvite.Graph#close} invalidates all objects that the graph returned, on all threads at once. A read
 * during or after the call throws {@link varvite.error.GraphClosedException}; a read of a
 * {@link java.lang.foreign.MemorySegment} that the graph returned throws {@link IllegalStateException}. A
 * graph that the program does not close is closed when the graph and all its columns and cursors are
 * unreachable; a segment alone does not keep it open.
 */
package varvite;
