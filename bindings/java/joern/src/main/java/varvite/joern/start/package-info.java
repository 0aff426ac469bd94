/**
 * Programs of the jar, and the check of the class path that they begin with. Compiled for Java 11, so that
 * users of too old a Java get an error about that.
 */
package varvite.joern.start;
