// Renders the pages behind links of mails: unsubscribing, and an address that is not ours. No script, one style.

import { createHash } from 'node:crypto'
import type { MailSubscription } from '../../flow/mail/follow-links.ts'

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; font: 16px/1.55 -apple-system, 'Segoe UI', Roboto, sans-serif }
main { box-sizing: border-box; width: min(440px, 100vw - 32px); padding: 32px; border: 1px solid color-mix(in srgb, CanvasText 14%, transparent); border-radius: 16px }
h1 { margin: 0 0 8px; font-size: 21px; line-height: 1.3 }
p { margin: 0 0 20px; color: color-mix(in srgb, CanvasText 72%, transparent); overflow-wrap: anywhere }
p:last-child { margin: 0 }
button { font: inherit; font-weight: 600; padding: 10px 18px; border: 0; border-radius: 10px; background: #2f5fe0; color: #fff; cursor: pointer }
button:hover { background: #2550c4 }
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
export function linkPage(): string {
  return page(
    'This link does not work',
    '<p>It may have been cut or changed on its way. Open it from the mail again.</p>',
  )
}

/** @param state `asks`: nothing has changed yet */
export function subscriptionPage(found: MailSubscription, state: 'asks' | 'done'): string {
  if (found === 'gone') return page('This mail is no longer known', '<p>There is nothing left to unsubscribe from.</p>')
  if (found === 'critical') {
    return page(
      'These mails cannot be turned off',
      '<p>They tell you what you need to know, such as about your account.</p>',
    )
  }
  const of = found.category === null ? 'mails of this kind' : `mails about “${escapeText(found.category)}”`
  if (state === 'done') {
    return page(
      'You are unsubscribed',
      `<p>You will get no more ${of}. You can turn them on again in your settings.</p>`,
    )
  }
  const form = '<form method="post"><button type="submit">Unsubscribe</button></form>'
  return page('Unsubscribe?', `<p>You will get no more ${of}.</p>${form}`)
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>`
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
