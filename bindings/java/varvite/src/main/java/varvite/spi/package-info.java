/**
 * What the native engine does for a graph that Java reads: the bytes that only it can decode. Provided by the
 * module {@code varvite.ffi}, found by {@link java.util.ServiceLoader}, and of no interest to programs.
 */
package varvite.spi;
