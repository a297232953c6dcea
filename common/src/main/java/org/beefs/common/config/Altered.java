package org.beefs.common.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Settings that are others but for some, which are said by their names: records of them have many components. */
public final class Altered {
    private Altered() {}

    /**
     * A copy of a record, but for some of its components.
     *
     * @param changes new values by the names of components; each has to be one
     * @throws IllegalArgumentException if there is no such component, or the record refuses these values
     */
    public static <R extends Record> R copy(R usual, Map<String, ?> changes) {
        Map<String, Object> left = new HashMap<>(changes);
        RecordComponent[] components = usual.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Object change = left.remove(components[i].getName());
            values[i] = change == null ? read(components[i], usual) : change;
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException(usual.getClass() + " has no " + left.keySet());
        }
        return construct(usual, components, values);
    }

    private static Object read(RecordComponent component, Record from) {
        try {
            return component.getAccessor().invoke(from);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    @SuppressWarnings("unchecked") // the canonical constructor of the record's own class
    private static <R extends Record> R construct(R usual, RecordComponent[] components, Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = usual.getClass().getDeclaredConstructor(types);
            return (R) constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException(usual.getClass() + " cannot be made", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(usual.getClass() + " cannot be made", e);
        }
    }
}
