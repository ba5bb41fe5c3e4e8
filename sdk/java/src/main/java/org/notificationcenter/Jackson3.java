package org.notificationcenter;

import java.util.Objects;
import tools.jackson.databind.ObjectMapper;

/**
 * Holds a mapper of Jackson 3 for the caller's own classes. What the SDK itself gives, such as
 * {@link EnricherContext#user}, stays a tree of Jackson 2.
 */
public final class Jackson3 {
  final Binder binder;

  private Jackson3(Binder binder) {
    this.binder = binder;
  }

  /**
   * Takes a mapper of Jackson 3 for {@link NotificationClientBuilder#jackson3}.
   *
   * @param mapper the mapper of the program, such as that of Spring Boot 4
   * @return the mapper for a client
   */
  public static Jackson3 of(ObjectMapper mapper) {
    return new Jackson3(Jackson3Binder.of(Objects.requireNonNull(mapper, "mapper")));
  }
}
