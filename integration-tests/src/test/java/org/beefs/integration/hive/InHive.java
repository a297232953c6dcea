package org.beefs.integration.hive;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class whose methods may ask for {@link Mounts}, {@link Hive} or {@link Hives}; skipped loudly where nothing
 * can be mounted.
 */
@Inherited
@Requires
@ExtendWith(HiveExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InHive {}
