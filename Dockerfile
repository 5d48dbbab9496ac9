# docker build -t fairlead .
# docker run --rm -p 127.0.0.1:8080:8080 fairlead
# docker run --rm -p 127.0.0.1:8080:8080 -v "$PWD/gateway.conf:/etc/fairlead/gateway.conf:ro" fairlead \
#   --host 0.0.0.0 --config /etc/fairlead/gateway.conf
FROM maven:3-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -B -q -DskipTests -Darchive.skip package

FROM eclipse-temurin:17-jre
RUN useradd --system --no-create-home --uid 10001 fairlead
COPY --from=build /src/gateway/target/fairlead.jar /opt/fairlead/fairlead.jar
# The archive for a faster start (docs/running.md) fits one jar at one place and one JVM, so it is made here.
RUN ["java", "-cp", "/opt/fairlead/fairlead.jar", "io.fairlead.gateway.ClassArchive"]
USER 10001
EXPOSE 8080
# Says whether the process serves. With another port, or with TLS: docker run --health-cmd.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["java", "-XX:SharedArchiveFile=/opt/fairlead/fairlead.jsa", "-Xshare:auto", "-Xlog:disable", "-Xlog:all=warning:stderr", \
  "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "/opt/fairlead/fairlead.jar"]
# Inside a container the gateway cannot be bound to loopback. Nobody is authenticated here, so publish the port to
# loopback alone, or configure auth.
CMD ["--host", "0.0.0.0", "-D", "auth.allow-anonymous=true", "-D", "listen.allowed-hosts=[localhost, 127.0.0.1]"]
