/**
 * The interface to the native engine, which decodes compressed blocks for graphs that Java reads. The module
 * {@code varvite.ffi} implements it, and {@link java.util.ServiceLoader} finds the implementation.
 * Applications do not use this package.
 */
package varvite.spi;
