package org.notificationcenter;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Checks texts by their {@code format}. An unknown format fits, as JSON Schema wants it. */
final class SchemaFormat {
  private static final String TIME =
      "(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[zZ]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
  private static final Pattern DATE_TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\d[tT ]" + TIME);
  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final String HOSTNAME = "(?=.{1,253}\\z)" + LABEL + "(?:\\." + LABEL + ")*";
  private static final String WORD = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  private static final Pattern IPV4 = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");
  private static final Pattern IPV6_GROUP = Pattern.compile("[0-9A-Fa-f]{1,4}");

  private static final Map<String, Predicate<String>> FORMATS =
      Map.ofEntries(
          Map.entry("date", SchemaFormat::isDate),
          Map.entry("time", matches(TIME)),
          Map.entry("date-time", SchemaFormat::isDateTime),
          Map.entry("email", matches("(?=.{1,64}@)" + WORD + "(?:\\." + WORD + ")*@" + HOSTNAME)),
          Map.entry("uuid", matches("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")),
          Map.entry("ipv4", text -> IPV4.matcher(text).matches()),
          Map.entry("ipv6", SchemaFormat::isIpv6),
          Map.entry("hostname", matches(HOSTNAME)),
          Map.entry(
              "uri",
              matches("[A-Za-z][A-Za-z0-9+.-]*:(?:[!#$&-;=?-Z_a-z~\\[\\]]|%[0-9A-Fa-f]{2})*")),
          Map.entry("regex", SchemaFormat::isPattern),
          Map.entry("json-pointer", matches("(?:/(?:[^/~]|~[01])*)*")));

  private SchemaFormat() {}

  static boolean fits(String format, String text) {
    return FORMATS.getOrDefault(format, any -> true).test(text);
  }

  private static Predicate<String> matches(String pattern) {
    Pattern compiled = Pattern.compile(pattern, Pattern.DOTALL);
    return text -> compiled.matcher(text).matches();
  }

  private static boolean isDate(String text) {
    if (!DATE.matcher(text).matches()) return false;
    try {
      return LocalDate.parse(text) != null;
    } catch (DateTimeException error) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    return DATE_TIME.matcher(text).matches() && isDate(text.substring(0, 10));
  }

  private static boolean isPattern(String text) {
    try {
      return SchemaPattern.compile(text) != null;
    } catch (PatternSyntaxException error) {
      return false;
    }
  }

  private static boolean isIpv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) return countGroups(text, true) == 8;
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    int first = before.isEmpty() ? 0 : countGroups(before, false);
    int second = after.isEmpty() ? 0 : countGroups(after, true);
    return first >= 0 && second >= 0 && first + second <= 7;
  }

  /** Returns the number of 16-bit groups, -1 for a text that is none; an IPv4 at the end is two. */
  private static int countGroups(String text, boolean mayEndInIpv4) {
    String[] groups = text.split(":", -1);
    int count = 0;
    for (int i = 0; i < groups.length; i++) {
      boolean isIpv4 = mayEndInIpv4 && i == groups.length - 1 && IPV4.matcher(groups[i]).matches();
      if (!isIpv4 && !IPV6_GROUP.matcher(groups[i]).matches()) return -1;
      count += isIpv4 ? 2 : 1;
    }
    return count;
  }
}
