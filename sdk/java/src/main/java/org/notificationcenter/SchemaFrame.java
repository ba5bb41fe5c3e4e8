package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Holds one schema while its keywords become checks. */
record SchemaFrame(
    JsonNode schema,
    String place,
    Map<String, SchemaCheck> parts,
    List<SchemaCheck> checks,
    boolean isFormerDraft) {
  Map<String, SchemaCheck> partsOf(String keyword) {
    Map<String, SchemaCheck> found = new LinkedHashMap<>();
    parts.forEach(
        (key, check) -> {
          if (key.startsWith(keyword + "/")) found.put(key.substring(keyword.length() + 1), check);
        });
    return found;
  }

  List<String> texts(JsonNode list, String keyword) {
    if (!list.isArray()) throw fault(keyword, "must be a list of texts");
    Set<String> texts = new LinkedHashSet<>();
    for (JsonNode one : list) {
      if (!one.isTextual()) throw fault(keyword, "must be a list of texts");
      texts.add(one.textValue());
    }
    return List.copyOf(texts);
  }

  Pattern pattern(String text, String keyword) {
    try {
      return SchemaPattern.compile(text);
    } catch (PatternSyntaxException error) {
      throw fault(keyword, "\"" + text + "\" is no regular expression");
    }
  }

  void add(String keyword, String message, Predicate<JsonNode> isFit) {
    checks.add(
        (value, at, outcome) -> {
          if (!isFit.test(value)) outcome.issues.add(issue(keyword, at, message));
        });
  }

  ParamsIssue issue(String keyword, String at, String message) {
    return new ParamsIssue(keyword, place + "/" + keyword, at, message);
  }

  SchemaCompiler.Fault fault(String keyword, String message) {
    return new SchemaCompiler.Fault(place + "/" + keyword + ": " + message);
  }
}
