package org.beefs.integration.hive;

import java.util.Objects;
import java.util.function.Supplier;
import org.beefs.integration.program.Plain;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests their hives: {@link Mounts} and {@link Hive} of one hive that all tests of a class share, or {@link Hives} for hives
 * that a test has for itself. All end with the class or the test; the logs of failed tests stay in target/hives.
 */
public final class HiveExtension implements ParameterResolver, AfterTestExecutionCallback {
    private static final Namespace NAMESPACE = Namespace.create(HiveExtension.class);
    private static final int SHARED_DESKTOPS = 2;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Mounts.class || type == Hive.class || type == Hives.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == Hives.class) {
            return made(context.getStore(NAMESPACE), Hives.class, Hives::new);
        }
        Store ofClass = classContext(context).getStore(NAMESPACE);
        return type == Hive.class ? sharedHive(ofClass) : sharedMounts(ofClass);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isEmpty()) {
            return;
        }
        String name = context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
        Hives own = context.getStore(NAMESPACE).get(Hives.class, Hives.class);
        if (own != null) {
            own.keepLogs(name);
        }
        Hive shared = classContext(context).getStore(NAMESPACE).get(Hive.class, Hive.class);
        if (shared != null) {
            shared.keepLogs(name);
        }
    }

    private static Hive sharedHive(Store store) {
        return made(store, Hive.class, () -> Hive.create(SHARED_DESKTOPS));
    }

    private static Mounts sharedMounts(Store store) {
        if (Plain.isChosen()) {
            return made(store, PlainMounts.class, PlainMounts::new);
        }
        Hive hive = sharedHive(store);
        return made(store, HiveMounts.class, () -> new HiveMounts(hive));
    }

    private static <T> T made(Store store, Class<T> type, Supplier<T> maker) {
        return Objects.requireNonNull(store.getOrComputeIfAbsent(type, _ -> maker.get(), type));
    }

    /** The context of the outermost class, where what all its tests share is kept. */
    private static ExtensionContext classContext(ExtensionContext context) {
        ExtensionContext found = context;
        while (found.getTestMethod().isPresent()
                || found.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
            found = found.getParent().orElseThrow();
        }
        return found;
    }
}
