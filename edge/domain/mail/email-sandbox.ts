// Decides which mails leave an environment: none by accident from one that is not in production.

import type { EmailSandbox } from '../../../contract/resources/environment.ts'
import { asciiDomain, spellingsOf } from '../../lib/mail-address.ts'

/** @returns the sandbox that is set; else none in production, and elsewhere one that lets nothing out */
export function sandboxOf(environment: { isProduction: boolean; emailSandbox?: EmailSandbox | null }): EmailSandbox {
  const byDefault = environment.isProduction ? 'off' : 'allow'
  return environment.emailSandbox ?? { mode: byDefault, addresses: [] }
}

/** @returns where a mail to this address goes; null: nowhere */
export function findWayOut({ mode, addresses }: EmailSandbox, address: string): string | null {
  if (mode === 'off') return address
  if (mode === 'redirect') return addresses[0] ?? null
  const wanted = canonical(address)
  const domain = wanted.slice(wanted.lastIndexOf('@') + 1)
  const isListed = addresses.some((listed) => [wanted, domain].includes(canonical(listed)))
  return isListed ? address : null
}

/** An address, a domain, or a domain after `@`, in the one spelling that is compared. */
function canonical(text: string): string {
  const plain = text.trim().replace(/\.$/, '')
  return plain.lastIndexOf('@') > 0 ? spellingsOf(plain)[0] : asciiDomain(plain.replace(/^@/, ''))
}
