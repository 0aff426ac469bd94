/**
 * The file as bytes: header, superblocks, directory, and the three readers of columns over all encodings. It
 * is {@code docs/format.md} in Java, without I/O but for {@link varvite.format.GraphFile}, and does not
 * depend on graphs.
 *
 * <p>Memory safety never depends on the content of a file: the memory segment of each access checks it. The
 * exception of an access that fails is made, in the caller's words, by {@link varvite.format.Column#failure}.
 */
package varvite.format;
