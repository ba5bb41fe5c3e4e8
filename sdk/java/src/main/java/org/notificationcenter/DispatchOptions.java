package org.notificationcenter;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Holds what a dispatch takes from the HTTP request beside the body. Immutable: each method returns
 * new options.
 */
public final class DispatchOptions {
  private static final DispatchOptions NONE = new DispatchOptions(name -> null, null);

  private final Function<String, ?> headers;
  private final String name;

  private DispatchOptions(Function<String, ?> headers, String name) {
    this.headers = headers;
    this.name = name;
  }

  /**
   * Returns options without headers and name: the copies in the body count.
   *
   * @return the options
   */
  public static DispatchOptions none() {
    return NONE;
  }

  /**
   * Sets the headers of the request. They go before the copies in the body.
   *
   * @param headers names in any case; values are texts, collections of texts, or arrays of texts
   * @return new options
   */
  public DispatchOptions headers(Map<String, ?> headers) {
    Map<String, Object> byName = new TreeMap<>();
    if (headers != null) {
      headers.forEach(
          (key, value) -> {
            if (key != null) byName.put(key.toLowerCase(Locale.ROOT), value);
          });
    }
    return new DispatchOptions(byName::get, name);
  }

  /**
   * Sets a function that reads a header of the request, such as {@code request::getHeader}. Its
   * headers go before the copies in the body.
   *
   * @param reader gets a name in lower case; returns a text, a collection, an array or an
   *     enumeration of texts, or null
   * @return new options
   */
  public DispatchOptions headers(Function<String, ?> reader) {
    return new DispatchOptions(reader, name);
  }

  /**
   * Sets the {@code name} of the query, which must equal the signed name.
   *
   * @param name the name; null is none
   * @return new options
   */
  public DispatchOptions name(String name) {
    return new DispatchOptions(headers, name);
  }

  String name() {
    return name;
  }

  /**
   * Returns the text of a header, a repeated one joined by spaces; an empty text when there is
   * none.
   */
  String header(String header) {
    return toText(headers.apply(header));
  }

  private static String toText(Object value) {
    if (value instanceof CharSequence text) return text.toString().strip();
    if (value instanceof Number number) return number.toString();
    if (value instanceof Object[] array) return toText(Arrays.asList(array));
    if (value instanceof Enumeration<?> values) return toText(Collections.list(values));
    if (!(value instanceof Collection<?> values)) return "";
    return values.stream().map(DispatchOptions::toText).collect(Collectors.joining(" "));
  }
}
