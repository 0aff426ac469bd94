/**
 * The file as bytes: header, superblocks, directory, and the readers of integers, sets and texts in all
 * encodings. The package implements {@code docs/format.md}; only {@link varvite.format.GraphFile} does I/O,
 * and the package does not depend on the graph classes.
 *
 * <p>Memory safety never depends on the content of a file, because a memory segment checks each access.
 * {@link varvite.format.Column#failure} converts the exception of a failed access to one that names the
 * column.
 */
package varvite.format;
