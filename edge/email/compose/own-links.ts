// Puts the recipient's own links in place of the marks that a step has printed for them.

import type { MailParts } from '../../../contract/schemas.ts'
import { OWN_LINK_MARKS, type OwnLinks } from '../../domain/mail/mail-links.ts'

const NAMES = ['unsubscribeUrl', 'preferencesUrl'] as const
const MARKS = Object.values(OWN_LINK_MARKS)

/** @param links null: nobody can turn these mails off, so the words of the links stay alone */
export function putOwnLinks(email: MailParts, links: OwnLinks | null): MailParts {
  const { html, markdown = null, text } = email
  if (![html, markdown, text].some((part) => part !== null && MARKS.some((mark) => part.includes(mark)))) return email
  return {
    ...email,
    html: html === null ? null : put(links === null ? withoutLinks(html) : html, links),
    markdown: markdown === null ? null : put(markdown, links),
    text: text === null ? null : put(text, links),
  }
}

/** Signed addresses have no character with a meaning in HTML or Markdown. */
const put = (part: string, links: OwnLinks | null) =>
  NAMES.reduce((filled, name) => filled.replaceAll(OWN_LINK_MARKS[name], () => links?.[name] ?? ''), part)

const withoutLinks = (html: string) =>
  MARKS.reduce((left, mark) => left.replaceAll(`href="${mark}"`, '').replaceAll(`href='${mark}'`, ''), html)
