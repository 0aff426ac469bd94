package varvite.joern;

import java.util.Optional;
import varvite.BytesProperty;
import varvite.DoubleProperty;
import varvite.IntProperty;
import varvite.LongProperty;
import varvite.Property;
import varvite.RefProperty;
import varvite.TextIndex;
import varvite.TextProperty;
import varvite.ValueType;

/** The values of one property, as the objects that flatgraph uses. */
abstract sealed class Values permits Values.OfInts, Values.OfLongs, Values.OfDoubles, Values.OfRefs, TextValues {
    private static final int INT_BYTES = 16;
    private static final int LONG_BYTES = 24;

    private final Property ofAny;
    private final int objectBytes;

    /** Values of a property, as objects of {@code objectBytes} bytes. */
    Values(Property property, int objectBytes) {
        ofAny = property;
        this.objectBytes = objectBytes;
    }

    /** The values of a property, in the subclass for its type. */
    static Values of(MappedStorage storage, Property property) {
        ValueType type = property.info().type();
        return switch (property) {
            case IntProperty ints -> new OfInts(ints, type);
            case LongProperty longs -> new OfLongs(longs);
            case DoubleProperty doubles -> new OfDoubles(doubles, type == ValueType.F32);
            case RefProperty refs -> new OfRefs(refs, storage);
            case TextProperty texts -> new TextValues(texts, indexOf(storage, texts), storage.room());
            case BytesProperty bytes ->
                throw new ForeignGraphException("property " + bytes.info().name() + " holds bytes, which Joern does not support");
        };
    }

    /** The index of a property of nodes, if the file has one. */
    private static Optional<TextIndex> indexOf(MappedStorage storage, TextProperty property) {
        boolean isOfEdges = property.info().edgeLabel().isPresent();
        return isOfEdges ? Optional.empty() : storage.file().textIndex(property.info().name());
    }

    /** The property that has these values. */
    final Property property() {
        return ofAny;
    }

    /** The size in bytes of an object that is made for a single value; 0 if objects are shared. */
    final int objectBytes() {
        return objectBytes;
    }

    /** The first value of an owner, which may be null; {@code absent} if the owner has no value. */
    abstract Object first(int owner, Object absent);

    /** Value number {@code index} of an owner, from 0. */
    abstract Object at(int owner, int index);

    /** Truth values, and integers of up to 32 bits. */
    static final class OfInts extends Values {
        /**
         * The number that stands for an absent value. A stored value seldom equals this number, so it is
         * seldom necessary to check whether there is a value.
         */
        private static final int ABSENT = Integer.MIN_VALUE;

        private final IntProperty property;
        private final ValueType type;

        OfInts(IntProperty property, ValueType type) {
            super(property, INT_BYTES);
            this.property = property;
            this.type = type;
        }

        @Override
        Object first(int owner, Object absent) {
            int value = property.get(owner, ABSENT);
            return value == ABSENT && !property.isPresent(owner) ? absent : object(value);
        }

        @Override
        Object at(int owner, int index) {
            return object(property.at(owner, index));
        }

        private Object object(int value) {
            return switch (type) {
                case I32, U16 -> value;
                case BOOL -> value != 0;
                case I8 -> (byte) value;
                default -> (short) value;
            };
        }
    }

    /** Integers of more than 32 bits, and unsigned ones that need them. */
    static final class OfLongs extends Values {
        private static final long ABSENT = Long.MIN_VALUE;

        private final LongProperty property;

        OfLongs(LongProperty property) {
            super(property, LONG_BYTES);
            this.property = property;
        }

        @Override
        Object first(int owner, Object absent) {
            long value = property.get(owner, ABSENT);
            return value == ABSENT && !property.isPresent(owner) ? absent : (Object) value;
        }

        @Override
        Object at(int owner, int index) {
            return property.at(owner, index);
        }
    }

    /** Floating-point numbers. */
    static final class OfDoubles extends Values {
        private final DoubleProperty property;
        private final boolean areSingle;

        OfDoubles(DoubleProperty property, boolean areSingle) {
            super(property, LONG_BYTES);
            this.property = property;
            this.areSingle = areSingle;
        }

        @Override
        Object first(int owner, Object absent) {
            return property.isPresent(owner) ? at(owner, 0) : absent;
        }

        @Override
        Object at(int owner, int index) {
            double value = property.at(owner, index);
            return areSingle ? (Object) (float) value : (Object) value;
        }
    }

    /** Nodes. */
    static final class OfRefs extends Values {
        private final RefProperty property;
        private final MappedStorage storage;

        OfRefs(RefProperty property, MappedStorage storage) {
            super(property, 0);
            this.property = property;
            this.storage = storage;
        }

        @Override
        Object first(int owner, Object absent) {
            int node = property.get(owner);
            return node == -1 ? absent : object(node);
        }

        @Override
        Object at(int owner, int index) {
            return object(property.at(owner, index));
        }

        private Object object(int node) {
            return node == RefProperty.NULL ? null : storage.referred(node);
        }
    }
}
