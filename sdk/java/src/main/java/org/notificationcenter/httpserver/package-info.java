/**
 * Answers enricher calls on the HTTP server of the JDK. Needs the module {@code jdk.httpserver}.
 */
package org.notificationcenter.httpserver;
