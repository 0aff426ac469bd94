/**
 * Shows what open graphs take of the machine, to JMX and to Flight Recorder. A module of its own, because
 * graphs need neither.
 */
module varvite.management {
    requires transitive varvite;
    requires transitive java.management;
    requires jdk.jfr;

    exports varvite.management;
}
