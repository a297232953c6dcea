package org.beefs.integration.program;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests that run in the long form only. */
@Inherited
@EnabledIfSystemProperty(named = "beefs.long", matches = "true", disabledReason = "runs with ./beefs test --long")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LongOnly {}
