package org.notificationcenter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Describes changes of a user's profile. A field that is not set stays as it is; {@code null}
 * removes it. Immutable: each method returns a new profile.
 */
public final class UserProfile {
  private final Map<String, Object> fields;

  private UserProfile(Map<String, Object> fields) {
    this.fields = fields;
  }

  /**
   * Creates a profile that changes nothing.
   *
   * @return the profile
   */
  public static UserProfile create() {
    return new UserProfile(Map.of());
  }

  /**
   * Sets the e-mail address.
   *
   * @param email the address, or null to remove it
   * @return a new profile
   */
  public UserProfile email(String email) {
    return with("email", email);
  }

  /**
   * Sets the name.
   *
   * @param name the name, or null to remove it
   * @return a new profile
   */
  public UserProfile name(String name) {
    return with("name", name);
  }

  /**
   * Sets the language.
   *
   * @param locale a language tag such as {@code en} or {@code pt-BR}, or null to remove it
   * @return a new profile
   */
  public UserProfile locale(String locale) {
    return with("locale", locale);
  }

  /**
   * Sets the time zone.
   *
   * @param timeZone an IANA name such as {@code Europe/Paris}, or null to remove it
   * @return a new profile
   */
  public UserProfile timeZone(String timeZone) {
    return with("timeZone", timeZone);
  }

  /**
   * Sets attributes of your own.
   *
   * @param attributes a map, a {@code JsonNode}, or an object that Jackson writes as a JSON object;
   *     a null within removes that attribute
   * @return a new profile
   */
  public UserProfile attributes(Object attributes) {
    return with("attributes", attributes);
  }

  /**
   * Sets the user's ids in other systems, such as {@code Map.of("stripe", "cus_1")}.
   *
   * @param externalIds the ids by the names of the systems; a null within removes that id
   * @return a new profile
   */
  public UserProfile externalIds(Map<String, String> externalIds) {
    return with("externalIds", externalIds);
  }

  Map<String, Object> fields() {
    return fields;
  }

  private UserProfile with(String field, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    changed.put(field, value);
    return new UserProfile(Collections.unmodifiableMap(changed));
  }
}
