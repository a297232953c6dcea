/** Typed, validated configuration from TOML files. */
@NullMarked
package org.beefs.common.config;

import org.jspecify.annotations.NullMarked;
