package org.beefs.integration.program;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a test needs; where it is missing the test is skipped with a line that begins with SKIPPED. */
@Inherited
@ExtendWith(Requirements.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Requires {
    /** Root and /dev/fuse. */
    boolean mount() default true;

    /** A Docker engine. */
    boolean engine() default false;

    /** Programs on the path or among the crates that ./beefs test installs. */
    String[] programs() default {};
}
