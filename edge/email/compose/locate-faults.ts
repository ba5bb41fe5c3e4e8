// Says in which source of a mail, and in which line, a fault of its HTML lies.

import type { MailWarning } from '../../../contract/resources/mail.ts'
import type { StyleFault } from './inline-styles.ts'

export interface MailSources {
  /** The HTML of the whole mail, in which the faults are. */
  html: string
  content: string
  /** The layout as its author wrote it; null for ours. */
  layout: string | null
}

/** @returns a warning for each fault, with the line (from 1) where it is known */
export function locateFaults(faults: StyleFault[], { html, content, layout }: MailSources): MailWarning[] {
  const begin = html.indexOf(content)
  return faults.map(({ message, at }) => {
    if (at === null) return { path: 'html', line: null, message }
    if (begin >= 0 && at >= begin && at < begin + content.length) {
      return { path: 'html', line: lineOf(content, at - begin), message }
    }
    // A layout prints values, so it is searched for the tag.
    const place = layout?.indexOf(html.slice(at, html.indexOf('>', at) + 1)) ?? -1
    return { path: 'layout', line: layout === null || place < 0 ? null : lineOf(layout, place), message }
  })
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length
