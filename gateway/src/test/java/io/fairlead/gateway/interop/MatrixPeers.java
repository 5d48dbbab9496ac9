package io.fairlead.gateway.interop;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The SDKs of the compatibility matrix; what a build does not use anyway is installed at its first
 * use, by its own package manager.
 *
 * <p>Thread: the test's.
 */
final class MatrixPeers {
  private static final String FOLDER = "matrix";
  private static final String TYPESCRIPT = "TypeScript SDK";
  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
  private static final Path JAVA = Path.of("src/test/interop/matrix/java").toAbsolutePath();
  private static final Path OLDEST = NodeModules.path(FOLDER + "/node_modules/sdk-oldest");
  private static final Path NEWEST = NodeModules.path("node_modules/@modelcontextprotocol/sdk");

  /** What lives for seconds is done before it would be compiled well. */
  private static final String C1_ONLY = "-XX:TieredStopAtLevel=1";

  private static final String SERIAL = "-XX:+UseSerialGC";

  private MatrixPeers() {}

  /** Those that every build has. */
  static List<MatrixPeer> present() throws IOException {
    return List.of(newest(), typeScript2(), java("2.1.0", System.getProperty("java.class.path")));
  }

  /** The one that is the other side of what is measured. */
  static MatrixPeer newest() {
    return typeScript(NEWEST, "1.32.2");
  }

  /** All of them, in the order of the page. */
  static List<MatrixPeer> all() throws IOException {
    NodeModules.install(FOLDER);
    List<MatrixPeer> peers = new ArrayList<>();
    peers.add(typeScript(OLDEST, "1.24.0"));
    peers.add(newest());
    peers.add(typeScript2());
    peers.add(java("0.17.0"));
    peers.add(java("1.0.0"));
    peers.add(java("1.1.5"));
    peers.add(java("2.1.0"));
    peers.add(python("Python SDK", "mcp1", "mcp", "1.30.0"));
    peers.add(python("Python SDK", "mcp2", "mcp", "2.3.0"));
    peers.add(python("FastMCP", "fastmcp", "fastmcp", "3.4.11"));
    peers.add(python("FastMCP", "fastmcp", "fastmcp", "4.2.3"));
    peers.add(inspector("2.12.0"));
    return peers;
  }

  private static MatrixPeer typeScript(Path home, String version) {
    return new MatrixPeer(
        TYPESCRIPT,
        version,
        script("matrix-client.mjs", "v1", home),
        script("matrix-server.mjs", "v1", home),
        home == NEWEST);
  }

  private static MatrixPeer typeScript2() {
    return new MatrixPeer(
        TYPESCRIPT,
        "2.4.0",
        script("matrix-client.mjs", "v2"),
        script("matrix-server.mjs", "v2"),
        false);
  }

  private static List<String> script(String name, Object... arguments) {
    List<String> command = new ArrayList<>(NodeProcess.command(name));
    List.of(arguments).forEach(argument -> command.add(argument.toString()));
    return command;
  }

  /** One whose jars are fetched: several versions cannot share a class path with each other. */
  private static MatrixPeer java(String version) throws IOException {
    Path jars = NodeModules.path(FOLDER + "/java-" + version);
    if (!Files.exists(jars.resolve("installed"))) {
      NodeModules.run(
          List.of(
              "mvn",
              "-q",
              "-B",
              "-f",
              JAVA.resolve("pom.xml").toString(),
              "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
              "-Dsdk.version=" + version,
              "-DoutputDirectory=" + jars));
      Files.createFile(jars.resolve("installed"));
    }
    return java(version, jars + "/*");
  }

  private static MatrixPeer java(String version, String classPath) throws IOException {
    Path classes = NodeModules.path("matrix-java-" + version);
    List<String> compile =
        List.of(
            JAVA_HOME.resolve("bin/javac").toString(),
            "-J" + C1_ONLY,
            "-J" + SERIAL,
            "-nowarn",
            "-proc:none",
            "-d",
            classes.toString(),
            "-cp",
            classPath,
            JAVA.resolve("Client.java").toString(),
            JAVA.resolve("Server.java").toString());
    NodeModules.run(compile);
    String java = JAVA_HOME.resolve("bin/java").toString();
    String path = classes + File.pathSeparator + classPath;
    return new MatrixPeer(
        "Java SDK",
        version,
        List.of(java, C1_ONLY, SERIAL, "-cp", path, "Client"),
        List.of(java, C1_ONLY, SERIAL, "-cp", path, "Server"),
        false);
  }

  /** A client only. */
  private static MatrixPeer inspector(String version) throws IOException {
    Path home = NodeModules.path(FOLDER + "/inspector-" + version);
    if (!Files.exists(home.resolve("installed"))) {
      String name = "@modelcontextprotocol/inspector@" + version;
      Files.createDirectories(home);
      NodeModules.run(
          List.of("npm", "install", "--ignore-scripts", "--prefix", home.toString(), name));
      Files.createFile(home.resolve("installed"));
    }
    Path launcher =
        home.resolve(
            "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    return new MatrixPeer(
        "Inspector CLI", version, script("matrix-inspector.mjs", launcher), List.of(), false);
  }

  private static MatrixPeer python(String name, String kind, String library, String version)
      throws IOException {
    Path home = NodeModules.path(FOLDER + "/" + library + "-" + version);
    String python = home.resolve("bin/python").toString();
    if (!Files.exists(home.resolve("installed"))) {
      NodeModules.run(List.of("python3", "-m", "venv", home.toString()));
      NodeModules.run(List.of(python, "-m", "pip", "install", "--quiet", library + "==" + version));
      Files.createFile(home.resolve("installed"));
    }
    return new MatrixPeer(
        name,
        version,
        List.of(python, NodeModules.path(FOLDER + "/client.py").toString(), kind),
        List.of(python, NodeModules.path(FOLDER + "/server.py").toString(), kind),
        true);
  }
}
