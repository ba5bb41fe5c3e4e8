package org.notificationcenter.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.notificationcenter.EnricherEndpoint;
import org.notificationcenter.NotificationClient;

/**
 * Answers the enricher calls of one path in a servlet container. In Spring Boot it is a bean:
 *
 * <pre>{@code
 * new ServletRegistrationBean<>(new EnricherServlet(client), "/enrichers")
 * }</pre>
 */
public final class EnricherServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient EnricherEndpoint endpoint;

  /**
   * Creates the servlet.
   *
   * @param client the client with its enrichers
   */
  public EnricherServlet(NotificationClient client) {
    this.endpoint = new EnricherEndpoint(client);
  }

  /**
   * Answers one request. The name of the enricher is read from the query alone, because a parameter
   * may be of the body.
   */
  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    EnricherEndpoint.Answer answer =
        endpoint.answer(
            request.getMethod(),
            request.getQueryString(),
            request::getHeaders,
            request.getInputStream());
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    response.setContentLength(answer.body().length);
    response.getOutputStream().write(answer.body());
  }
}
