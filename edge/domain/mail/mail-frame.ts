// Defines what surrounds the content of a mail: the look of its notification config, and where its links may lead.

import type { EmailLook } from '../../../contract/tenant.ts'
import type { LinkRules } from '../tenant/link-rules.ts'
import type { NotificationConfig } from '../tenant/notification-config.ts'

export interface MailFrame {
  /** Undefined: the standard look. */
  look: EmailLook | undefined
  links: LinkRules
}

/** @returns the frame of mails with this config; `links` are those of the environment, whose site a config may replace */
export function frameOf(
  config: Pick<NotificationConfig, 'email' | 'siteUrl'> | undefined,
  links: LinkRules,
): MailFrame {
  return { look: config?.email, links: { ...links, siteUrl: config?.siteUrl ?? links.siteUrl } }
}
