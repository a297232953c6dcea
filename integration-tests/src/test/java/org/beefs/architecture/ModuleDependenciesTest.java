package org.beefs.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.NullMarked;

/** Which module and package may depend on which, as DESIGN.md says. */
@AnalyzeClasses(
        packages = "org.beefs",
        importOptions = {ImportOption.DoNotIncludeTests.class, ModuleDependenciesTest.NoTestJars.class})
class ModuleDependenciesTest {
    /** A module's test jar is test code too; ArchUnit recognises only folders. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String[] ROLES = {"queenbee", "honeycomb", "honeybee"};

    @ArchTest
    static final ArchRule commonKnowsNoRole = noClasses()
            .that()
            .resideInAPackage("org.beefs.common..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.beefs.queenbee..", "org.beefs.honeycomb..", "org.beefs.honeybee..", "org.beefs.cli..");

    @ArchTest
    static void rolesKnowOnlyCommon(com.tngtech.archunit.core.domain.JavaClasses imported) {
        for (String role : ROLES) {
            classes()
                    .that()
                    .resideInAPackage("org.beefs.%s..".formatted(role))
                    .should()
                    .onlyDependOnClassesThat(JavaClass.Predicates.resideOutsideOfPackage("org.beefs..")
                            .or(JavaClass.Predicates.resideInAnyPackage(
                                    "org.beefs.common..", "org.beefs.%s..".formatted(role))))
                    .because("only cli knows every role")
                    .allowEmptyShould(true)
                    .check(imported);
        }
    }

    @ArchTest
    static final ArchRule packagesKnowEachOtherInOneDirection =
            slices().matching("org.beefs.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nettyTransportStaysInRpc = noClasses()
            .that()
            .resideOutsideOfPackage("org.beefs.common.rpc..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.netty.channel..", "io.netty.bootstrap..", "io.netty.handler..", "io.netty.util.concurrent..")
            .because("the simulator replaces the network; only buffers go everywhere");

    @ArchTest
    static final ArchRule rocksDbStaysInJournalAndCatalog = noClasses()
            .that()
            .resideOutsideOfPackages("org.beefs.queenbee.journal..", "org.beefs.honeycomb.catalog..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.rocksdb..");

    @ArchTest
    static final ArchRule jnrStaysInItsDriver = noClasses()
            .that()
            .resideOutsideOfPackage("org.beefs.honeybee.jnr..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jnr..", "ru.serce..");

    @ArchTest
    static final ArchRule driversKnowNoHive = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.beefs.honeybee.fuse..",
                    "org.beefs.honeybee.jnr..",
                    "org.beefs.honeybee.driver..",
                    "org.beefs.honeybee.mount..",
                    "org.beefs.honeybee.stats..",
                    "org.beefs.honeybee.filesystem")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.beefs.honeybee.filesystem.*..",
                    "org.beefs.honeybee.cache..",
                    "org.beefs.honeybee.queen..",
                    "org.beefs.honeybee.data..");

    @ArchTest
    static final ArchRule driversKnowNotEachOther = noClasses()
            .that()
            .resideOutsideOfPackages("org.beefs.honeybee.fuse..", "org.beefs.honeybee.driver..")
            .and()
            .resideInAPackage("org.beefs.honeybee..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.beefs.honeybee.fuse..")
            .because("what both drivers need is in mount");

    @ArchTest
    static final ArchRule nobodyKnowsTheSecondDriver = noClasses()
            .that()
            .resideOutsideOfPackages("org.beefs.honeybee.jnr..", "org.beefs.honeybee.driver..")
            .and()
            .resideInAPackage("org.beefs.honeybee..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.beefs.honeybee.jnr..")
            .because("what both drivers need is in mount");

    @ArchTest
    static final ArchRule theNamespaceKnowsNoTransport = noClasses()
            .that()
            .resideInAnyPackage("org.beefs.queenbee.namespace..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.beefs.common.rpc..", "org.beefs.queenbee.server..", "io.netty..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule rolesMakeNoThreads = noClasses()
            .that()
            .resideInAnyPackage("org.beefs.queenbee..", "org.beefs.honeycomb..", "org.beefs.honeybee..")
            .and()
            .resideOutsideOfPackages(
                    "org.beefs.honeybee.fuse..", "org.beefs.honeybee.jnr..", "org.beefs.honeybee.mount..")
            .and()
            .areNotAnnotatedWith(ProductionOnly.class)
            .should()
            .callConstructor(Thread.class, Runnable.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class, String.class)
            .orShould()
            .callMethod(Thread.class, "ofVirtual")
            .orShould()
            .callMethod(Thread.class, "ofPlatform")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.Executors")
            .because("the simulator runs these in one thread: inject an Executor")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noStaticState = ArchRuleDefinition.fields()
            .that()
            .areStatic()
            .and()
            .areDeclaredInClassesThat(JavaClass.Predicates.resideOutsideOfPackages(
                    "org.beefs.common.wire..", "org.beefs.queenbee.state..", "org.beefs.honeycomb.state.."))
            .should()
            .beFinal();

    @ArchTest
    static final ArchRule packagesAreNullMarked = classes()
            .that()
            .resideInAPackage("org.beefs..")
            .and()
            .resideOutsideOfPackages("org.beefs.common.wire..", "org.beefs.queenbee.state..")
            .and()
            .doNotHaveModifier(JavaModifier.SYNTHETIC)
            .should(liveInANullMarkedPackage());

    private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
        return new ArchCondition<>("live in a package whose package-info has @NullMarked") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                JavaPackage itsPackage = item.getPackage();
                boolean marked = itsPackage.isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(item, marked, item.getName() + " in " + itsPackage.getName()));
            }
        };
    }
}
