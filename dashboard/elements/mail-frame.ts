// Writes the HTML of a mail into a frame without scripts, as a mail program with a light or a dark look shows it.

import { ownPath } from '../routing/prefix.ts'

export type Scheme = 'light' | 'dark'

/** What the frame does not show as a mail program does. */
export interface FrameNotes {
  /** Pictures that the policy of the frame does not load. */
  missingPictures: number
  /** The mail asks for styles or fonts from elsewhere. */
  asksForStyles: boolean
  /** The mail has styles for dark mail programs. */
  hasDarkStyles: boolean
}

/** The empty document of the server, whose policy the mail inherits (edge/http/site/mail-frame.ts). */
export const FRAME_PATH = ownPath('/dashboard/mail-frame')
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'
const LONGEST_SWAP_MS = 500
const LOADED = /^\s*(?:https|data):/i

/** Shows the mail in place of the former one, once it is loaded. @param frame Has loaded `FRAME_PATH` */
export function showMail(frame: HTMLIFrameElement, html: string, scheme: Scheme, title: string): FrameNotes {
  const page = frame.contentDocument
  const view = frame.contentWindow as (Window & typeof globalThis) | null
  if (page === null || view === null) throw new Error('mail not shown: its frame is not loaded')
  const mail = new view.DOMParser().parseFromString(html, 'text/html')
  const notes = notesOf(mail, html)
  prepare(mail, scheme)
  const inner = page.createElement('iframe')
  inner.setAttribute('sandbox', SANDBOX)
  inner.title = title
  // Where the mail has no colour of its own, that of the scheme is behind it.
  Object.assign(inner.style, { colorScheme: scheme, background: 'Canvas' })
  const former = [...page.body.children]
  if (former.length > 0) Object.assign(inner.style, { position: 'absolute', inset: '0', visibility: 'hidden' })
  const swap = () => {
    for (const one of former) one.remove()
    Object.assign(inner.style, { position: '', visibility: '' })
  }
  inner.addEventListener('load', swap)
  // A slow picture does not keep the former mail.
  setTimeout(swap, LONGEST_SWAP_MS)
  const { doctype, documentElement } = mail
  const start = doctype === null ? '' : new view.XMLSerializer().serializeToString(doctype)
  inner.srcdoc = start + documentElement.outerHTML
  page.body.append(inner)
  return notes
}

function notesOf(mail: Document, html: string): FrameNotes {
  const sources = [...mail.querySelectorAll('img[src]')].map((image) => image.getAttribute('src') ?? '')
  return {
    missingPictures: sources.filter((source) => source !== '' && !LOADED.test(source)).length,
    asksForStyles: mail.querySelector('link[rel~="stylesheet" i]') !== null || /@import\b|@font-face\b/i.test(html),
    hasDarkStyles: /prefers-color-scheme\s*:\s*dark/i.test(html),
  }
}

/** Links open a tab, and styles for one look hold or not: the frame cannot choose what `prefers-color-scheme` says. */
function prepare(mail: Document, scheme: Scheme): void {
  const base = mail.createElement('base')
  base.target = '_blank'
  mail.head.prepend(base)
  for (const link of mail.querySelectorAll<HTMLElement>('a, area')) {
    link.removeAttribute('target')
    // A link to nowhere would open the page around the mail.
    if (/^\s*(?:#|$)/.test(link.getAttribute('href') ?? '')) link.inert = true
  }
  const resolved = (media: string) =>
    media.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, wanted: string) =>
      wanted.toLowerCase() === scheme ? '(min-width: 0)' : '(max-width: 0)',
    )
  for (const style of mail.querySelectorAll('style')) style.textContent = resolved(style.textContent ?? '')
  for (const element of mail.querySelectorAll('[media]')) {
    element.setAttribute('media', resolved(element.getAttribute('media') ?? ''))
  }
  const declared = mail.querySelector('meta[name="color-scheme" i]')?.getAttribute('content') ?? ''
  const root = mail.createElement('style')
  root.textContent = `:root { color-scheme: ${/\bdark\b/i.test(declared) ? scheme : 'light'} }`
  mail.head.append(root)
}
