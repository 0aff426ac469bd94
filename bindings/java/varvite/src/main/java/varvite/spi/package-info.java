/**
 * The interface to the native engine, which decodes blocks of codecs for graphs that Java reads. Provided by
 * the module {@code varvite.ffi}, found by {@link java.util.ServiceLoader}, and of no interest to programs.
 */
package varvite.spi;
