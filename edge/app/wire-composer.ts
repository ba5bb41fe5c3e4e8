// Wires the composing of mails: layouts of configs, and the signed addresses in them.

import type { LinkTokens } from '../auth/link-token.ts'
import type { MailComposer } from '../domain/mail/compose-mail.ts'
import type { MailLinks } from '../domain/mail/mail-links.ts'
import { createSandboxedComposer } from '../sandbox/composer.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

export function wireComposer(publicUrl: () => string, tokens: LinkTokens, sandbox: Sandbox): MailComposer {
  return createSandboxedComposer(sandbox, publicUrl, createMailLinks(publicUrl, tokens))
}

function createMailLinks(publicUrl: () => string, tokens: LinkTokens): MailLinks {
  const at = (path: string) => `${publicUrl().replace(/\/$/, '')}/v1/t/${path}`
  return {
    open: (mail) => at(`o/${tokens.sign({ ...mail, kind: 'open', target: null })}.gif`),
    click: (mail, target) => at(`c/${tokens.sign({ ...mail, kind: 'click', target })}`),
    preferences: (mail) => at(`p/${tokens.sign({ ...mail, kind: 'preferences', target: null })}`),
    unsubscribe: (mail) => at(`u/${tokens.sign({ ...mail, kind: 'unsubscribe', target: null })}`),
  }
}
