// Keeps the layout of a mail before it is handed over, once a day for all mails that share it.

import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { Core } from '../../domain/core.ts'
import { LAYOUT_RENEWAL_MS, type MailLayout, type MailLayouts } from '../../domain/mail/mail-layout.ts'
import { createCache } from '../../lib/cache.ts'
import { sha256Hex } from '../../lib/hmac.ts'

const MAX_KEPT = 10_000
/** Half of SHA-256, which nobody can aim at: those who write layouts see no others than their own. */
const HASH_CHARS = 32

/** @returns the hash of the layout, which is stored. Rejects when the store refuses it. */
export type KeepLayout = (environmentId: number, layout: MailLayout) => Promise<string>

export function createKeepLayout({
  mailLayouts,
  clock,
}: Pick<Core, 'clock'> & {
  mailLayouts: Pick<MailLayouts, 'keep'>
}): KeepLayout {
  const kept = createCache<string, Promise<void>>({ maxSize: MAX_KEPT, ttlMs: LAYOUT_RENEWAL_MS, clock })
  /** A look is long, and the same object for many mails. */
  const lookHashes = new WeakMap<EmailLook, string>()

  function hashLook(look: EmailLook | null): string {
    if (look === null) return ''
    const known = lookHashes.get(look)
    if (known !== undefined) return known
    const hash = sha256Hex(JSON.stringify(look))
    lookHashes.set(look, hash)
    return hash
  }

  return async function keepLayout(environmentId, layout) {
    const { look, from, isCritical, links } = layout
    const parts = [hashLook(look), from.name, from.address, isCritical, links]
    const hash = sha256Hex(JSON.stringify(parts)).slice(0, HASH_CHARS)
    const key = `${environmentId} ${hash}`
    let keeping = kept.get(key)
    if (keeping === undefined) {
      keeping = mailLayouts.keep(environmentId, hash, layout, clock.now())
      kept.set(key, keeping)
      // The next mail tries again.
      keeping.catch(() => kept.delete(key))
    }
    await keeping
    return hash
  }
}
