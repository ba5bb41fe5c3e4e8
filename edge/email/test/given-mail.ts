// Provides a mail, and what providers of mail are created with, for tests that call servers on this machine.

import type { OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { systemClock } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { createGuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { createGuardedConnect } from '../../lib/outbound/guarded-socket.ts'
import type { ProviderDeps } from '../providers/provider-deps.ts'

export const MESSAGE_ID = formatId('message', 123_456_789)

export function givenMail(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    messageId: MESSAGE_ID,
    idempotencyKey: `${MESSAGE_ID}-1`,
    from: { name: 'Shop "Ä"', address: 'orders@shop.example' },
    to: { name: 'Zoë 🎉', address: 'zoe@customer.example' },
    replyTo: 'help@shop.example',
    subject: 'Größe ✓ "ready"',
    html: '<p>Hello <b>Zoë</b></p>',
    text: 'Hello Zoë',
    headers: { 'List-Unsubscribe': '<https://n.example/u/1>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    tracking: { opens: true, clicks: false },
    ...changes,
  }
}

export interface GivenDeps extends ProviderDeps {
  close(): Promise<void>
}

/** `allow`: ranges of OUTBOUND_ALLOW; default: this machine. */
export function givenDeps(changes: Partial<ProviderDeps> = {}, allow: string[] = ['127.0.0.0/8']): GivenDeps {
  const guarded = createGuardedFetch({ allow })
  return {
    fetch: guarded.fetch,
    connect: createGuardedConnect({ allow }),
    clock: systemClock,
    close: guarded.close,
    ...changes,
  }
}
