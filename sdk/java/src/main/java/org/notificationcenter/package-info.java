/**
 * Sends events, computes user tokens, and answers enricher calls. {@link
 * org.notificationcenter.NotificationClient} is the entry.
 */
package org.notificationcenter;
