package org.notificationcenter.jsonschema;

import com.networknt.schema.regex.RegularExpression;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates regular expressions of JSON Schema, which are those of JavaScript, to Java's. */
final class SchemaPattern {
  /** The long names of Unicode's general categories, which Java does not know. */
  private static final Map<String, String> CATEGORIES =
      Map.ofEntries(
          Map.entry("Letter", "L"),
          Map.entry("Lowercase_Letter", "Ll"),
          Map.entry("Uppercase_Letter", "Lu"),
          Map.entry("Titlecase_Letter", "Lt"),
          Map.entry("Cased_Letter", "LC"),
          Map.entry("Modifier_Letter", "Lm"),
          Map.entry("Other_Letter", "Lo"),
          Map.entry("Mark", "M"),
          Map.entry("Nonspacing_Mark", "Mn"),
          Map.entry("Spacing_Mark", "Mc"),
          Map.entry("Enclosing_Mark", "Me"),
          Map.entry("Number", "N"),
          Map.entry("Decimal_Number", "Nd"),
          Map.entry("digit", "Nd"),
          Map.entry("Letter_Number", "Nl"),
          Map.entry("Other_Number", "No"),
          Map.entry("Punctuation", "P"),
          Map.entry("punct", "P"),
          Map.entry("Symbol", "S"),
          Map.entry("Math_Symbol", "Sm"),
          Map.entry("Currency_Symbol", "Sc"),
          Map.entry("Separator", "Z"),
          Map.entry("Space_Separator", "Zs"),
          Map.entry("Other", "C"),
          Map.entry("Control", "Cc"),
          Map.entry("Format", "Cf"),
          Map.entry("Unassigned", "Cn"));

  private static final Pattern PROPERTY =
      Pattern.compile("\\\\([pP])\\{(?:General_Category=|gc=)?([A-Za-z_]+)\\}");
  private static final Pattern CODE_POINT = Pattern.compile("\\\\u\\{([0-9A-Fa-f]+)\\}");
  private static final String SPACE =
      "\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";

  private SchemaPattern() {}

  /**
   * Compiles the pattern. Throws {@link java.util.regex.PatternSyntaxException} for an invalid one.
   */
  static RegularExpression compile(String text) {
    Pattern pattern = translate(text);
    return value -> matches(pattern, value);
  }

  private static boolean matches(Pattern pattern, String text) {
    try {
      return pattern.matcher(new CountedText(text, Budget.current())).find();
    } catch (StackOverflowError error) {
      throw new Budget.Exceeded("pattern");
    }
  }

  /** Counts how often a letter is read, which tells how much a pattern backtracks. */
  private record CountedText(CharSequence text, Budget budget) implements CharSequence {
    @Override
    public char charAt(int index) {
      budget.spend(1, "pattern");
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new CountedText(text.subSequence(start, end), budget);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  private static Pattern translate(String text) {
    StringBuilder java = new StringBuilder();
    boolean isInClass = false;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '\\' && i + 1 < text.length()) {
        i += appendEscape(text, i, java) - 1;
      } else if (isInClass) {
        // Java reads `[` and `&&` within a class as a union and an intersection.
        if (letter == '[' || letter == '&') java.append('\\');
        java.append(letter);
        isInClass = letter != ']';
      } else {
        int skipped = appendOutside(text, i, java);
        i += skipped;
        isInClass = letter == '[' && skipped == 0;
      }
    }
    return Pattern.compile(java.toString());
  }

  /**
   * Appends the letter at {@code at}, or the class of nothing or of everything, which Java cannot
   * write so. Returns how many further letters were read.
   */
  private static int appendOutside(String text, int at, StringBuilder java) {
    if (text.startsWith("[]", at)) {
      java.append("(?!)");
      return 1;
    }
    if (text.startsWith("[^]", at)) {
      java.append("(?s:.)");
      return 2;
    }
    // Java's `$` also matches before a line feed at the end.
    java.append(text.charAt(at) == '$' ? "\\z" : text.substring(at, at + 1));
    return 0;
  }

  /** Appends the escape at {@code at}. Returns its length. */
  private static int appendEscape(String text, int at, StringBuilder java) {
    Matcher property = PROPERTY.matcher(text).region(at, text.length());
    if (property.lookingAt()) {
      String name = property.group(2);
      java.append('\\')
          .append(property.group(1))
          .append('{')
          .append(CATEGORIES.getOrDefault(name, name))
          .append('}');
      return property.end() - at;
    }
    Matcher codePoint = CODE_POINT.matcher(text).region(at, text.length());
    if (codePoint.lookingAt()) {
      java.append("\\x{").append(codePoint.group(1)).append('}');
      return codePoint.end() - at;
    }
    char escaped = text.charAt(at + 1);
    if (escaped == 's') java.append('[').append(SPACE).append(']');
    else if (escaped == 'S') java.append("[^").append(SPACE).append(']');
    else java.append('\\').append(escaped);
    return 2;
  }
}
