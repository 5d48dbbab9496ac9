package io.fairlead.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Who depends on the published jars chooses a logging backend: they bring none. */
class PublishedArtefactTest {
  private static final List<String> MODULES = List.of("store", "bridge-client", "gateway");
  private static final List<String> BACKENDS =
      List.of("logback", "slf4j-simple", "slf4j-jdk14", "log4j-core", "log4j-slf4j", "reload4j");

  @Test
  void noPublishedDependencyIsALoggingBackend() throws Exception {
    List<String> brought = new ArrayList<>();
    for (String module : MODULES) {
      NodeList dependencies =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(Path.of("..", module, "pom.xml").toFile())
              .getElementsByTagName("dependency");
      for (int i = 0; i < dependencies.getLength(); i++) {
        Element dependency = (Element) dependencies.item(i);
        String artefact = text(dependency, "artifactId");
        if (BACKENDS.stream().anyMatch(artefact::startsWith)
            && !text(dependency, "optional").equals("true")
            && !text(dependency, "scope").equals("test")) {
          brought.add(module + ": " + artefact);
        }
      }
    }
    assertEquals(List.of(), brought);
  }

  private static String text(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent();
  }

  @Test
  void noClassKnowsALoggingBackend() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ch.qos.logback..", "org.apache.logging..", "java.util.logging..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.fairlead"));
  }

  @Test
  void configurationOfABackendIsInTheFatJarsAlone() {
    for (String module : MODULES) {
      Path classes = Path.of("..", module, "target", "classes");
      assertFalse(Files.exists(classes.resolve("logback.xml")), module);
    }
  }
}
