// Keeps the queries of untracked links, such as one that resets a password, out of what the history shows of a mail.

import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import { createHideQueries } from '../../lib/untracked-links.ts'

/** @returns the content without the queries of links with `data-nc-track="off"`, in all its texts */
export function hideQueries<T extends MessageContent>(content: T): T {
  const { email } = content as T & { email?: MailParts }
  const hide = createHideQueries(email?.html)
  return hide === undefined ? content : inTexts(content, hide)
}

/** Changes each text of plain data. */
function inTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((item) => inTexts(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inTexts(one, change)])) as T
}
