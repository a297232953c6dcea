package org.beefs.common.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs this module's JMH benchmarks. {@code -Dtest=Benchmarks -Dbeefs.jmh=REGEX}. */
@EnabledIfSystemProperty(named = "beefs.jmh", matches = ".+")
class Benchmarks {
    @Test
    void shouldRun() throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(System.getProperty("beefs.jmh", "")).shouldFailOnError(true);
        assertThat(new Runner(options).run()).isNotEmpty();
    }
}
