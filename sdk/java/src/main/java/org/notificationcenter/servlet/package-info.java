/**
 * Answers enricher calls in a servlet container, such as that of Spring Boot. Needs {@code
 * jakarta.servlet}.
 */
package org.notificationcenter.servlet;
