package org.beefs.integration.program;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests that do not run each time: with {@code ./beefs test --all} in their short forms, and with {@code --long}. */
@Inherited
@EnabledIfSystemProperty(named = "beefs.all", matches = "true", disabledReason = "runs with ./beefs test --all")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Seldom {}
