// Wires the composing of mails: layouts of configs, and the signed addresses in them.

import type { LinkTokens } from '../auth/link-token.ts'
import type { MailComposer } from '../domain/mail/compose-mail.ts'
import type { MailLinks } from '../domain/mail/mail-links.ts'
import { createMailComposer } from '../email/compose/compose-mail.ts'
import { createRenderLayout } from '../flow/mail/render-layout.ts'

/** Longer links stay as they are, because a request has no room for their tokens. */
const MAX_TARGET_CHARS = 2048

export function wireComposer(publicUrl: () => string, tokens: LinkTokens): MailComposer {
  return createMailComposer({
    publicUrl,
    links: createMailLinks(publicUrl, tokens),
    renderLayout: createRenderLayout(),
  })
}

function createMailLinks(publicUrl: () => string, tokens: LinkTokens): MailLinks {
  const at = (path: string) => `${publicUrl().replace(/\/$/, '')}/v1/t/${path}`
  return {
    open: (mail) => at(`o/${tokens.sign({ ...mail, kind: 'open', target: null })}.gif`),
    click: (mail, target) =>
      target.length > MAX_TARGET_CHARS ? target : at(`c/${tokens.sign({ ...mail, kind: 'click', target })}`),
    unsubscribe: (mail) => at(`u/${tokens.sign({ ...mail, kind: 'unsubscribe', target: null })}`),
  }
}
