package varvite.joern;

import java.util.Optional;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.NeighborCursor;
import varvite.Places;
import varvite.PropertyInfo;

/** The values of the edges of one label, for reads in either direction. */
final class EdgeValues {
    /** The values for a label whose edges have no values. */
    static final EdgeValues NONE = new EdgeValues(null, null);

    private final Values values;
    private final Places places;

    private EdgeValues(Values values, Places places) {
        this.values = values;
        this.places = places;
    }

    /** The values of an edge label's property. flatgraph allows at most one property per label. */
    static EdgeValues of(MappedStorage storage, EdgeLabel label) {
        Optional<PropertyInfo> property = storage.file().properties().stream()
                .filter(info -> info.edgeLabel().equals(Optional.of(label.name())))
                .findFirst();
        if (property.isEmpty()) {
            return NONE;
        }
        Places places = storage.file().places(label).orElseThrow(() -> new ForeignGraphException(storage.path()
                + " has values of " + label.name() + " edges, but not which edge each entry of an in-list is: import it again"));
        return new EdgeValues(Values.of(storage, storage.file().property(property.get())), places);
    }

    /** The name of the property; null if the edges have no property. */
    String name() {
        return values == null ? null : values.property().info().name();
    }

    /** The value of the edge with the given rank; null if the edge has no value. */
    Object ofRank(int rank) {
        return values == null ? null : values.first(rank, null);
    }

    /** The value of a cursor's current edge; {@code absent} if it has none. */
    Object at(NeighborCursor cursor, Direction direction, Object absent) {
        if (values == null) {
            return absent;
        }
        long rank = direction == Direction.OUT ? cursor.rank() : places.rank(cursor.node(), cursor.rank());
        return values.first(Math.toIntExact(rank), absent);
    }
}
