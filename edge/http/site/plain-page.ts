// Renders small pages without script: those behind links of mails, and that of an unknown address.

import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'

/** Escaped, except for what `raw` marks. */
export type Markup = ReturnType<typeof html>

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
button, a { display: inline-block; font: inherit; font-weight: 600; padding: 10px 18px; border: 0; border-radius: 10px; background: #2f5fe0; color: #fff; text-decoration: none; cursor: pointer }
button:hover, a:hover { background: #2550c4 }
button.quiet { background: transparent; color: inherit; box-shadow: inset 0 0 0 1px color-mix(in srgb, CanvasText 30%, transparent) }
button.quiet:hover { background: color-mix(in srgb, CanvasText 6%, transparent) }
button:focus-visible, a:focus-visible { outline: 3px solid color-mix(in srgb, #2f5fe0 45%, transparent); outline-offset: 2px }
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
    // Of its empty icon, for which no browser asks the server.
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/** @returns The answer with a page of `plainPage`, under a policy that allows its style and its icon alone. */
export async function pageResponse(page: Markup, status = 200): Promise<Response> {
  return new Response(await page, { status, headers: HEADERS })
}

export function plainPage(page: { lang: string; dir: 'ltr' | 'rtl'; title: string; content: Markup }): Markup {
  const { lang, dir, title, content } = page
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${title}</title><style>${raw(STYLE)}</style></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>`
}
