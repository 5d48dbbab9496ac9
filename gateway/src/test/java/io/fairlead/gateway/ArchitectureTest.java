package io.fairlead.gateway;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.core.domain.JavaModifier.VOLATILE;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The house as it is drawn: who may know whom, and where threads are. */
class ArchitectureTest {
  private static final String ROOT = "io.fairlead.gateway";

  /** Each may import only those before it; the root package comes last. */
  private static final List<String> IMPORT_ORDER =
      List.of("config", "observe", "auth", "backend", "route", "session", "http");

  /** What several threads may touch: the pipes of a process, and its start and end. */
  private static final DescribedPredicate<JavaClass> THREADED =
      in(
          ROOT + ".backend.ChildProcess",
          ROOT + ".backend.ProcessTree",
          ROOT + ".Main",
          ROOT + ".ShutdownHook",
          "io.fairlead.bridge.StdinReader",
          "io.fairlead.bridge.StdoutWriter",
          "io.fairlead.bridge.BridgeMain");

  /** Where a person looks at the output. */
  private static final DescribedPredicate<JavaClass> CONSOLE =
      in(ROOT + ".Main", ROOT + ".Cli")
          .or(resideInAnyPackage("io.fairlead.bridge", "io.fairlead.archive"));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.fairlead");

  @TestFactory
  List<DynamicTest> packageImportsOnlyThoseBeforeIt() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int i = 0; i < IMPORT_ORDER.size(); i++) {
      String name = ROOT + "." + IMPORT_ORDER.get(i);
      List<String> later = new ArrayList<>(List.of(ROOT));
      IMPORT_ORDER.subList(i + 1, IMPORT_ORDER.size()).forEach(l -> later.add(ROOT + "." + l));
      tests.add(
          DynamicTest.dynamicTest(
              name,
              () ->
                  noClasses()
                      .that()
                      .resideInAPackage(name)
                      .should()
                      .dependOnClassesThat()
                      .resideInAnyPackage(later.toArray(String[]::new))
                      .check(CLASSES)));
    }
    return tests;
  }

  @Test
  void everyPackageHasItsPlaceInTheOrder() {
    List<String> found =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(ROOT + "."))
            .map(name -> name.substring(ROOT.length() + 1))
            .distinct()
            .filter(name -> !IMPORT_ORDER.contains(name))
            .toList();
    assertEquals(List.of(), found);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.fairlead.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void storeWireAndArchiveKnowTheJdkAlone() {
    for (String name : List.of("io.fairlead.store", "io.fairlead.wire", "io.fairlead.archive")) {
      classes()
          .that()
          .resideInAPackage(name)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", name)
          .check(CLASSES);
    }
  }

  @Test
  void clientKnowsTheWireAndVertxAlone() {
    classes()
        .that()
        .resideInAPackage("io.fairlead.client")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl",
            "io.vertx.core..",
            "io.netty.channel",
            "io.netty.channel.socket.nio",
            "jdk.net",
            "org.slf4j",
            "io.fairlead.wire",
            "io.fairlead.client")
        .check(CLASSES);
  }

  @Test
  void nobodyImportsTheBridge() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.fairlead.bridge")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.fairlead.bridge")
        .check(CLASSES);
  }

  @Test
  void storeAndClientDoNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAnyPackage("io.fairlead.wire", "io.fairlead.client", "io.fairlead.bridge")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fairlead.store", ROOT + "..")
        .check(CLASSES);
  }

  @Test
  void concurrencyStaysAtTheEdges() {
    noClasses()
        .that(DescribedPredicate.not(THREADED))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.util.concurrent..")
                .and(
                    DescribedPredicate.not(
                        type(TimeUnit.class)
                            .or(type(Callable.class))
                            .or(type(TimeoutException.class)))))
        .check(CLASSES);
    noClasses()
        .that(DescribedPredicate.not(THREADED))
        .should()
        .callConstructorWhere(target(owner(assignableTo(Thread.class))))
        .check(CLASSES);
    noMethods().should().haveModifier(SYNCHRONIZED).check(CLASSES);
    noFields()
        .that()
        .areDeclaredInClassesThat(DescribedPredicate.not(THREADED))
        .should()
        .haveModifier(VOLATILE)
        .check(CLASSES);
  }

  @Test
  void nothingIsPrintedBesidesTheLog() {
    noClasses()
        .that(DescribedPredicate.not(CONSOLE))
        .should(ACCESS_STANDARD_STREAMS)
        .check(CLASSES);
  }

  @Test
  void nothingBlocksALoop() {
    noClasses()
        .that(DescribedPredicate.not(THREADED))
        .should()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(Future.class, "await")
        .orShould()
        .callMethod(Future.class, "await", long.class, TimeUnit.class)
        .check(CLASSES);
  }

  /** lifecycle 28: when the wall clock jumps, nothing ends early or lives for ever. */
  @Test
  void timeIsMeasuredByAClockThatDoesNotJump() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".auth.TokenClaims")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callConstructor(Date.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .check(CLASSES);
  }

  @Test
  void namesSayWhatAThingIs() {
    noClasses()
        .should()
        .haveSimpleNameContaining("Manager")
        .orShould()
        .haveNameMatching(".*[.$]([A-Z]\\w*)?(Helper|Util|Utils|Impl|Base|Context|Info|Data)")
        .orShould()
        .haveSimpleNameStartingWith("Abstract")
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> in(String... names) {
    List<String> all = List.of(names);
    return DescribedPredicate.describe(
        "are in " + all, found -> all.contains(found.getName().replaceFirst("\\$.*", "")));
  }
}
