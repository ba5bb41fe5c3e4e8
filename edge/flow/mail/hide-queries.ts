// Keeps the queries of untracked links, such as one that resets a password, out of what the history shows of a mail.

import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts } from '../../../contract/schemas.ts'
import { createHideQueries } from '../../lib/untracked-links.ts'

/** @returns the content without the queries of links with `data-nc-track="off"`, in its HTML and in its texts */
export function hideQueries<T extends MessageContent>(content: T): T {
  const { email } = content as T & { email?: MailParts }
  const hide = createHideQueries(email?.html)
  if (hide === undefined || email === undefined) return content
  const { html, text } = email
  const shown = { ...email, html: html === null ? null : hide(html), text: text === null ? null : hide(text) }
  return { ...content, body: hide(content.body), email: shown }
}
