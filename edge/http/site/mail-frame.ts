// Serves the empty document in which the dashboard shows mails: they need styles that its own policy forbids.

import type { AnswerHeaders } from '../kernel/answer.ts'
import type { Http } from '../kernel/http.ts'
import { addFileRoute, fileAnswer, toServedFile } from './file-route.ts'

const PATH = '/dashboard/mail-frame'

/** The mail is a frame in this document, without scripts and with an origin of its own, and inherits the policy. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const HEADERS: AnswerHeaders = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

const STYLES = 'html, body { height: 100%; margin: 0 } iframe { display: block; width: 100%; height: 100%; border: 0 }'
const DOCUMENT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Mail</title><style>${STYLES}</style></head><body></body></html>`

export function addMailFrame(http: Http): void {
  const file = toServedFile(new TextEncoder().encode(DOCUMENT), 'text/html; charset=utf-8')
  addFileRoute(http, PATH, (c) => fileAnswer(c, file, HEADERS))
}
