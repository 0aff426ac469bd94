/**
 * Programs in the jar, and the check of the class path with which they begin. Compiled for Java 11, so that
 * users of an older Java than {@link ClassPath#OLDEST_JAVA} get an error message that says so.
 */
package varvite.joern.start;
