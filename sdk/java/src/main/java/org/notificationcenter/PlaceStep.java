package org.notificationcenter;

/**
 * Describes one step from a bound value to a part of it.
 *
 * @param isElement whether the step first enters an element of a container
 * @param key the index or key of that element; null where the container has none, such as a set
 * @param property the name of the property in Java that the step then takes; null for none
 */
record PlaceStep(boolean isElement, Object key, String property) {
  /** Appends a name or an index to a place such as {@code #/lines}. */
  static void append(StringBuilder place, Object part) {
    place.append('/').append(String.valueOf(part).replace("~", "~0").replace("/", "~1"));
  }
}
