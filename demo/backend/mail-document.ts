// Serves the HTML of a kept mail as a document of its own, in which no script runs.

/** A mail is foreign text: it gets an origin of its own, and only styles of its own and pictures. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src http: https: data:',
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** All that stands before the first element of the head. */
const START = /^\s*(?:<!doctype[^>]*>)?\s*(?:<html[^>]*>)?\s*(?:<head[^>]*>)?/i

/** Answers with the mail; its links open a new tab. */
export function mailDocument(html: string): Response {
  const [start] = START.exec(html) ?? ['']
  return new Response(`${start}<base target="_blank">${html.slice(start.length)}`, { headers: HEADERS })
}
