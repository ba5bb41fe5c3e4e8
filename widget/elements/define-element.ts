// Registers <notification-center> with the parts as a bundler splits them off.

import { BUNDLED_PARTS } from './bundled-parts.ts'
import { NotificationCenter } from './notification-center.ts'

/** Registers the class under a tag, once. Without custom elements (a server) it does nothing. */
export function define(tag = 'notification-center', registry?: CustomElementRegistry): typeof NotificationCenter {
  NotificationCenter.parts ??= BUNDLED_PARTS
  return NotificationCenter.define(tag, registry)
}
