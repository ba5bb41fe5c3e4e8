package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the first program of the guide compiles as it stands. */
class ReadmeTest {
  @TempDir Path folder;

  @Test
  void theFirstProgramCompiles() throws Exception {
    Matcher block =
        Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("README.md")));
    assertTrue(block.find());
    String program = block.group(1);
    assertTrue(program.contains("public class First"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///First.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return program;
          }
        };
    StringWriter output = new StringWriter();
    List<String> options =
        List.of("-d", folder.toString(), "-classpath", System.getProperty("java.class.path"));
    boolean isCompiled =
        compiler.getTask(output, null, null, options, null, List.of(source)).call();
    assertEquals("", output.toString());
    assertTrue(isCompiled && Files.exists(folder.resolve("First.class")));
  }
}
