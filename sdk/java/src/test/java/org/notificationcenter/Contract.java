package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads the vectors and the live suite, which all SDKs share. */
final class Contract {
  /** The root of the repository; Surefire runs in the folder of the module. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  /** One case, shown by its title. */
  record Case(JsonNode data) {
    @Override
    public String toString() {
      return data.path("title").asText();
    }
  }

  private Contract() {}

  /** Reads a file by its path from the root of the repository. */
  static JsonNode read(String path) {
    try {
      return Json.MAPPER.readTree(Files.readString(ROOT.resolve(path)));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  static JsonNode vectors(String name) {
    return read("contract/vectors/" + name + ".json");
  }

  static Stream<Case> cases(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(Case::new);
  }
}
