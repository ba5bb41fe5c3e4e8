// Composes account mails, and opens the sender of them and of mails without an integration.

import { randomBytes } from 'node:crypto'
import type { MessageContent } from '../../contract/api.ts'
import type { MailParts } from '../../contract/resources/mail.ts'
import type { AccountMailPorts, ComposeAccountMail } from '../domain/mail/account-mail.ts'
import type { MailAddress, MailProviders, MailSender } from '../domain/mail/mail-provider.ts'
import { NO_LINK_RULES } from '../domain/tenant/link-rules.ts'
import { createMailComposer } from './compose/compose-mail.ts'
import { smtpCredentialsOf } from './providers/smtp-credentials.ts'

export interface OwnMailSettings {
  smtpUrl: string | null
  emailFrom: MailAddress | null
}

/** @returns The sender of SMTP_URL with connections of its own; null without it. */
export function createOwnSender(providers: MailProviders, smtpUrl: string | null): MailSender | null {
  if (smtpUrl === null) return null
  return providers.get('smtp')?.createSender(smtpCredentialsOf(smtpUrl)) ?? null
}

/** @returns The sender's address where nothing else names one. */
export function defaultFrom({ emailFrom }: Pick<OwnMailSettings, 'emailFrom'>, publicUrl: string): MailAddress {
  return emailFrom ?? { name: null, address: `no-reply@${new URL(publicUrl).hostname}` }
}

/** @returns Null without SMTP_URL. The connections are not those of campaigns, whose mails would delay account mails. */
export function openAccountMails(
  settings: OwnMailSettings,
  providers: MailProviders,
  publicUrl: () => string,
): AccountMailPorts | null {
  const sender = createOwnSender(providers, settings.smtpUrl)
  return sender && { sender, compose: createComposeAccountMail(publicUrl, () => defaultFrom(settings, publicUrl())) }
}

function createComposeAccountMail(publicUrl: () => string, from: () => MailAddress): ComposeAccountMail {
  const { compose } = createMailComposer({
    publicUrl,
    links: { open: none, click: none, unsubscribe: none, preferences: none },
    renderLayout: none,
  })
  return async function composeAccountMail({ to, locale, subject, preheader, markdown, text }) {
    const address = { name: null, address: to }
    const composed = await compose({
      // That of no message, so nothing in the mail is tracked.
      messageId: 0,
      environmentId: 0,
      userId: '',
      content: contentOf({ subject, preheader, html: null, markdown, text, to: address }),
      to: address,
      look: undefined,
      links: NO_LINK_RULES,
      from: from(),
      locale,
      isCritical: true,
      tracksItself: false,
    })
    const messageId = `account_${randomBytes(16).toString('hex')}`
    return { ...composed, messageId, idempotencyKey: messageId, tracking: { opens: false, clicks: false } }
  }
}

/** A message whose mail alone is composed. */
function contentOf(email: MailParts): MessageContent & { email: MailParts } {
  const rest = { link: null, category: null, entity: null, icon: null, imageUrl: null }
  return {
    title: email.subject,
    body: '',
    bodyFormat: 'text',
    ...rest,
    actions: [],
    priority: 'normal',
    data: {},
    email,
  }
}

const none = (): never => {
  throw new Error('account mail not composed: it has no tracked link and no layout of a config')
}
