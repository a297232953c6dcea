package org.beefs.common.config;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies of settings in which some, given by their names, are different: such records have many components. */
public final class Altered {
    private Altered() {}

    /**
     * A copy of a record, but for some of its components.
     *
     * @param changes new values by the names of components; each has to be one
     * @throws IllegalArgumentException if there is no such component, or the record refuses these values
     */
    @SuppressWarnings("unchecked") // of the record's own class
    public static <R extends Record> R copy(R usual, Map<String, ?> changes) {
        Map<String, Object> left = new HashMap<>(changes);
        @Nullable
        Object[] values = Arrays.stream(usual.getClass().getRecordComponents())
                .map(component -> {
                    Object change = left.remove(component.getName());
                    return change == null ? Records.read(component, usual) : change;
                })
                .toArray();
        if (!left.isEmpty()) {
            throw new IllegalArgumentException(usual.getClass() + " has no " + left.keySet());
        }
        return (R) Records.construct(usual.getClass(), values);
    }
}
