// Renders a mail as the list of a mailbox shows it: sender, subject, and the beginning of the text.

import { html, nothing, type TemplateResult } from 'lit'
import type { ComposedMail } from '../../../../contract/resources/mail.ts'

/** Lists show about so much. */
const MOST_CHARS = 140

type Line = Pick<ComposedMail, 'from' | 'subject' | 'preheader' | 'text'>

/** @returns what stands behind the subject: the preheader, else the first words of the mail, as mail programs do */
export function excerptOf({ preheader, text }: Pick<Line, 'preheader' | 'text'>): string {
  const words = (preheader?.trim() || text).replace(/\s+/g, ' ').trim()
  return words.length <= MOST_CHARS ? words : `${words.slice(0, MOST_CHARS).trimEnd()}…`
}

export function mailLine(mail: Line): TemplateResult {
  const { from, subject, preheader } = mail
  const isOwn = (preheader?.trim() ?? '') !== ''
  return html`<div class="mail-line" role="group" aria-label="In the list of a mailbox">
      <span class="mail-line-from">${from.name ?? from.address}</span>
      <span class="mail-line-time">now</span>
      <span class="mail-line-words"><strong>${subject}</strong> <span class="mail-line-excerpt">${excerptOf(mail)}</span></span>
    </div>
    ${isOwn ? nothing : html`<p class="hint">Without a preheader, mail programs show the beginning of the text.</p>`}`
}
