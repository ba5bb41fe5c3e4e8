// Defines what surrounds the content of a mail: the look of its notification config, and where its links may lead.

import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { LinkRules } from '../tenant/link-rules.ts'
import type { NotificationConfig } from '../tenant/notification-config.ts'

export interface MailFrame {
  /** Undefined: the standard look. */
  look: EmailLook | undefined
  links: LinkRules
}

type ConfigLook = Pick<NotificationConfig, 'email' | 'siteUrl'> & Partial<Pick<NotificationConfig, 'widget'>>

/** One object for each look of a config: its layout is long, and is hashed once. */
const withAccents = new WeakMap<EmailLook, EmailLook>()

/** @returns the frame of mails with this config; `links` are those of the environment, whose site a config may replace */
export function frameOf(config: ConfigLook | undefined, links: LinkRules): MailFrame {
  if (config === undefined) return { look: undefined, links }
  const { email, siteUrl, widget } = config
  const accentColor = email.accentColor ?? widget?.accentColor ?? null
  const look = accentColor === email.accentColor ? email : (withAccents.get(email) ?? { ...email, accentColor })
  withAccents.set(email, look)
  return { look, links: { ...links, siteUrl: siteUrl ?? links.siteUrl } }
}
