// Renders the pages behind links of mails: unsubscribing, and an address that is not ours. No script, one style.

import { createHash } from 'node:crypto'
import type { MailSubscription, SubscriptionRow } from '../../flow/mail/follow-links.ts'
import { type LinkWords, linkWords } from './link-words.ts'

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; box-sizing: border-box; background: Canvas; color: CanvasText; font: 16px/1.55 -apple-system, 'Segoe UI', Roboto, sans-serif }
main { box-sizing: border-box; width: 100%; max-width: 440px; padding: 32px; border: 1px solid color-mix(in srgb, CanvasText 14%, transparent); border-radius: 16px }
h1 { margin: 0 0 8px; font-size: 21px; line-height: 1.3 }
p { margin: 0 0 20px; color: color-mix(in srgb, CanvasText 72%, transparent); overflow-wrap: anywhere }
p:last-child { margin: 0 }
ul { margin: 16px 0 0; padding: 0; list-style: none }
li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; padding: 12px 0; border-top: 1px solid color-mix(in srgb, CanvasText 14%, transparent) }
li span { overflow-wrap: anywhere }
li button { font-size: 14px; padding: 8px 14px }
small { color: color-mix(in srgb, CanvasText 72%, transparent) }
button { font: inherit; font-weight: 600; padding: 10px 18px; border: 0; border-radius: 10px; background: #2f5fe0; color: #fff; cursor: pointer }
button:hover { background: #2550c4 }
button.quiet { background: transparent; color: inherit; box-shadow: inset 0 0 0 1px color-mix(in srgb, CanvasText 30%, transparent) }
button.quiet:hover { background: color-mix(in srgb, CanvasText 6%, transparent) }
button:focus-visible { outline: 3px solid color-mix(in srgb, #2f5fe0 45%, transparent); outline-offset: 2px }
@media (max-width: 400px) { main { padding: 24px 20px } }
`
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

export function pageResponse(html: string, status = 200): Response {
  return new Response(html, { status, headers: HEADERS })
}

/** Of an address that nobody here has signed. */
export function brokenLinkPage(acceptLanguage: string | undefined): string {
  const { lang, words } = linkWords(acceptLanguage)
  const [title, text] = words.broken
  return page(lang, words, title, paragraph(text))
}

/** `asks`: nothing has changed yet; `off` and `on`: mail has just been turned off or on. */
export type PageState = 'asks' | 'off' | 'on'

export function subscriptionPage(
  found: MailSubscription,
  state: PageState,
  acceptLanguage: string | undefined,
): string {
  const { lang, words } = linkWords(acceptLanguage)
  if (typeof found === 'string') {
    const [title, text] = words[found]
    return page(lang, words, title, paragraph(text))
  }
  const [one, all] = state === 'on' ? [words.more, words.moreOfAll] : [words.noMore, words.noMoreOfAll]
  const { category } = found
  const text = paragraph(category === null ? all : one.replace('{}', () => category))
  if (state === 'asks') return page(lang, words, words.ask, text + form('?', words.stop, 'main'))
  if (state === 'off') return page(lang, words, words.done, text + form('?again=1', words.again, 'quiet'))
  return page(lang, words, words.back, text)
}

/** Each category with a button; `gone`: the message was removed. */
export function preferencesPage(found: SubscriptionRow[] | 'gone', acceptLanguage: string | undefined): string {
  const { lang, words } = linkWords(acceptLanguage)
  if (found === 'gone') return page(lang, words, words.gone[0], paragraph(words.gone[1]))
  const rows = found.map((row) => {
    const name = row.key === '' ? words.others : row.name
    return `<li><span>${escapeText(name)}</span>${row.critical ? `<small>${escapeText(words.always)}</small>` : switchOf(row, words)}</li>`
  })
  return page(lang, words, words.yours, `<ul>${rows.join('')}</ul>`)
}

function switchOf({ key, isOn }: SubscriptionRow, words: LinkWords): string {
  const action = `?category=${encodeURIComponent(key)}&email=${isOn ? 'off' : 'on'}`
  return form(escapeText(action), isOn ? words.stop : words.again, isOn ? 'quiet' : 'main')
}

const paragraph = (text: string) => `<p>${escapeText(text)}</p>`

function form(action: string, label: string, look: 'main' | 'quiet'): string {
  return `<form method="post" action="${action}"><button type="submit" class="${look}">${escapeText(label)}</button></form>`
}

function page(lang: string, { dir = 'ltr' }: LinkWords, title: string, content: string): string {
  return `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeText(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeText(title)}</h1>${content}</main></body>
</html>`
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
