/**
 * The interface to the native engine, which decodes blocks of codecs for graphs that Java reads. The module
 * {@code varvite.ffi} implements it, and {@link java.util.ServiceLoader} finds the implementation. Programs
 * do not use this package.
 */
package varvite.spi;
