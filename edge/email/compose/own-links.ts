// Puts the recipient's own links in place of the marks that a step has printed for them.

import type { MailParts } from '../../../contract/resources/mail.ts'
import { type OwnLinks, ownLinkMarks } from '../../domain/mail/mail-links.ts'

const NAMES = ['unsubscribeUrl', 'preferencesUrl'] as const

/** @param links null: nobody can turn these mails off, so the words of the links stay alone */
export function putOwnLinks(email: MailParts, links: OwnLinks | null): MailParts {
  const { html, markdown = null, text, linkMark } = email
  if (linkMark === undefined) return email
  const marks = ownLinkMarks(linkMark)
  return {
    ...email,
    html: html === null ? null : put(links === null ? withoutLinks(html, marks) : html, marks, links),
    markdown: markdown === null ? null : put(markdown, marks, links),
    text: text === null ? null : put(text, marks, links),
  }
}

/** Signed addresses have no character with a meaning in HTML or Markdown. `url_encode` puts one into the query of another. */
const put = (part: string, marks: OwnLinks, links: OwnLinks | null) =>
  NAMES.reduce((filled, name) => {
    const [mark, link] = [marks[name], links?.[name] ?? '']
    return filled.replaceAll(mark, () => link).replaceAll(encodeURIComponent(mark), () => encodeURIComponent(link))
  }, part)

const withoutLinks = (html: string, marks: OwnLinks) =>
  Object.values(marks).reduce(
    (left: string, mark: string) => left.replaceAll(`href="${mark}"`, '').replaceAll(`href='${mark}'`, ''),
    html,
  )
