package org.beefs.common.time;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the few places that may touch the real world's clock, randomness or threads, because the simulator replaces
 * them. The build forbids such calls everywhere else (build-tools/forbidden.txt).
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface ProductionOnly {}
