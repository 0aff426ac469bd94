/**
 * Programs of the jar, and the check of the class path that they begin with. Compiled for Java 11, so that
 * users of a Java that is too old get an error that says so.
 */
package varvite.joern.start;
