package org.beefs.integration.hive;

import java.util.Objects;
import java.util.function.Supplier;
import org.beefs.integration.program.Plain;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives tests their hives: {@link Mounts} and {@link Hive} of one hive that all tests of a class share, or
 * {@link Hives} for hives that a test has for itself. All end with the class or the test. A test after which there is a
 * stack trace of BeeFS's own code in logs has failed; the logs of failed tests stay in target/hives.
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
        String driver = driver(context);
        if (type == Hives.class) {
            return made(context.getStore(NAMESPACE), Hives.class, () -> new Hives(driver));
        }
        Store ofClass = classContext(context).getStore(NAMESPACE);
        return type == Hive.class ? sharedHive(ofClass, driver) : sharedMounts(ofClass, driver);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Hives own = context.getStore(NAMESPACE).get(Hives.class, Hives.class);
        Hive shared = classContext(context).getStore(NAMESPACE).get(Hive.class, Hive.class);
        boolean failed = context.getExecutionException().isPresent();
        try {
            assertNoTraces(own, shared);
        } catch (AssertionError | RuntimeException e) {
            failed = true;
            throw e;
        } finally {
            if (failed) {
                String name = context.getRequiredTestClass().getSimpleName() + "."
                        + context.getRequiredTestMethod().getName();
                keepLogs(name, own, shared);
            }
        }
    }

    private static void assertNoTraces(@Nullable Hives own, @Nullable Hive shared) {
        if (own != null) {
            own.assertNoTraces();
        }
        if (shared != null) {
            shared.assertNoTraces();
        }
    }

    private static void keepLogs(String name, @Nullable Hives own, @Nullable Hive shared) {
        if (own != null) {
            own.keepLogs(name);
        }
        if (shared != null) {
            shared.keepLogs(name);
        }
    }

    /** The native one keeps tests from passing by the other one's help. */
    private static String driver(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), OnDriver.class)
                .map(OnDriver::value)
                .orElse("native");
    }

    private static Hive sharedHive(Store store, String driver) {
        return made(store, Hive.class, () -> Hive.create(SHARED_DESKTOPS, driver));
    }

    private static Mounts sharedMounts(Store store, String driver) {
        if (Plain.isChosen()) {
            return made(store, PlainMounts.class, PlainMounts::new);
        }
        Hive hive = sharedHive(store, driver);
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
