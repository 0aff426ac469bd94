/**
 * Shows the memory of open graphs, to JMX and to Flight Recorder. A module of its own, because graphs need
 * neither.
 */
module varvite.management {
    requires transitive varvite;
    requires transitive java.management;
    requires jdk.jfr;

    exports varvite.management;
}
