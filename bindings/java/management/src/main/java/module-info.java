/**
 * Shows the memory of open graphs to JMX and to Flight Recorder. It is a separate module, because graphs need
 * neither of these.
 */
module varvite.management {
    requires transitive varvite;
    requires transitive java.management;
    requires jdk.jfr;

    exports varvite.management;
}
