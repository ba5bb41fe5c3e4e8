// Checks the sandbox of an environment's mails.

import { domainToASCII } from 'node:url'
import type { EmailSandbox } from '../../../contract/tenant.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isAddress } from '../../lib/mail-address.ts'

export const MAX_SANDBOX_ADDRESSES = 100

/** @throws `request/invalid-body` for an address that is none, and for a redirection without exactly one address */
export function checkSandbox({ mode, addresses }: EmailSandbox): void {
  const details = addresses.flatMap((text, place) => {
    const isFit = isAddress(text) || (mode !== 'redirect' && isDomain(text))
    const message =
      mode === 'redirect' ? 'This is no e-mail address.' : 'This is neither an e-mail address nor a domain.'
    return isFit ? [] : [{ path: `emailSandbox.addresses[${place}]`, message }]
  })
  if (mode === 'redirect' && addresses.length !== 1) {
    details.push({ path: 'emailSandbox.addresses', message: 'A redirection has exactly one address.' })
  }
  if (addresses.length > MAX_SANDBOX_ADDRESSES) {
    details.push({ path: 'emailSandbox.addresses', message: `At most ${MAX_SANDBOX_ADDRESSES} items.` })
  }
  if (details.length > 0) throw new ApiError('request/invalid-body', { details })
}

/** `shop.example`, also with an `@` before it. */
function isDomain(text: string): boolean {
  const domain = text.replace(/^@/, '')
  return /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u.test(domain) && domainToASCII(domain) !== ''
}
