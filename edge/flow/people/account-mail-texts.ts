// Writes the texts of account mails. Names may come from hostile people: they are escaped in Markdown, and have no line breaks.

import type { Role } from '../../../contract/role.ts'
import { escapeMarkdown } from '../../campaign/expression/markdown.ts'
import type { AccountMail } from '../../domain/mail/account-mail.ts'
import type { ApprovalMail } from '../../domain/mail/approval-mail.ts'
import type { AccountChange } from '../../domain/people/account-change.ts'
import type { EndingMail } from '../../domain/tenant/ending-secret.ts'
import { accountWordsOf } from '../../locales/languages.ts'

const wordsOf = (locale = 'en') => accountWordsOf(locale.toLowerCase().split(/[-_]/)[0] ?? 'en')

export interface InvitationText {
  to: string
  link: string
  organisation: string
  role: Role
  /** The address of the person who invites; null on the command line. */
  by: string | null
}

export function invitationMail({ to, link, by, organisation, role }: InvitationText, locale?: string): AccountMail {
  const { lang, words } = wordsOf(locale)
  const { subject, title, text, textOfOperator, button, until, ignore } = words.invitation
  const values = { organisation, role, by: by ?? '' }
  return mailOf({ to, locale: lang, subject: fill(subject, values) }, [
    title,
    fill(by === null ? textOfOperator : text, values),
    { button, link },
    until,
    ignore,
  ])
}

export function resetMail({ to, link }: { to: string; link: string }, locale?: string): AccountMail {
  const { lang, words } = wordsOf(locale)
  const { title, text, until, ignore } = words.reset
  return mailOf({ to, locale: lang, subject: title }, [
    title,
    fill(text, { email: to }),
    { button: title, link },
    until,
    ignore,
  ])
}

/** @param link The address of the page that asks for a new password. */
export function changeMail(
  { to, change, link }: { to: string; change: AccountChange; link: string },
  locale?: string,
): AccountMail {
  const { lang, words } = wordsOf(locale)
  const { text, otherwise } = words.changed
  const title = words.changes[change]
  return mailOf({ to, locale: lang, subject: title }, [
    title,
    fill(text, { email: to }),
    otherwise,
    { button: words.reset.title, link },
  ])
}

export function endingMail({ to, locale, link, ...values }: EndingMail): AccountMail {
  const { lang, words } = wordsOf(locale)
  const { subject, title, text, used, unused, next, button } = words.ending
  const filled = { ...values, lastUsedAt: values.lastUsedAt ?? '' }
  return mailOf({ to, locale: lang, subject: fill(subject, filled) }, [
    title,
    fill(text, filled),
    fill(values.lastUsedAt === null ? unused : used, filled),
    next,
    { button, link },
  ])
}

export function approvalMail({ to, locale, link, note, ...values }: ApprovalMail): AccountMail {
  const { lang, words } = wordsOf(locale)
  const { subject, title, text, until, button } = words.approval
  return mailOf({ to, locale: lang, subject: fill(subject, values) }, [
    title,
    fill(text, values),
    ...(note === null ? [] : [fill(words.approval.note, { note })]),
    until,
    { button, link },
  ])
}

type Part = string | { button: string; link: string }

function mailOf(
  head: Pick<AccountMail, 'to' | 'locale' | 'subject'>,
  [title, lead, ...rest]: [string, string, ...Part[]],
) {
  const parts = [lead, ...rest]
  const markdown = parts.map((part) =>
    typeof part === 'string' ? escapeMarkdown(part) : `**[${escapeMarkdown(part.button)}](<${part.link}>)**`,
  )
  const text = parts.map((part) => (typeof part === 'string' ? part : `${part.button}:\n${part.link}`))
  return {
    ...head,
    preheader: lead,
    markdown: [`# ${escapeMarkdown(title)}`, ...markdown].join('\n\n'),
    text: `${[title, ...text].join('\n\n')}\n`,
  }
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => toLine(values[name] ?? ''))
}

/** One line, without the characters that reorder the text around them. */
function toLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}
