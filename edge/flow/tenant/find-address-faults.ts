// Finds addresses that are none in the bodies of configs, settings and environments: their rule needs the names of domains.

import { domainToASCII } from 'node:url'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { MAX_ADDRESS_CHARS, MAX_SANDBOX_ADDRESSES } from '../../../contract/resources/environment.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isAddress } from '../../lib/mail-address.ts'

/** @returns the faults that the schema of the body does not find */
export function findConfigFaults({ email }: JsonObject): ErrorDetail[] {
  if (!isRecord(email)) return []
  const senders = Array.isArray(email.senders) ? email.senders : []
  const given: [path: string, address: unknown][] = [
    ['senderAddress', email.senderAddress],
    ['replyTo', email.replyTo],
    ...senders.map((one, at): [string, unknown] => [`senders[${at}].address`, isRecord(one) ? one.address : undefined]),
  ]
  return given.flatMap(([path, address]) => findFault(`email.${path}`, address))
}

/** @returns the faults of an organisation's settings that their schema does not find */
export const findContactFaults = ({ contactEmail }: JsonObject): ErrorDetail[] =>
  findFault('contactEmail', contactEmail)

/** @returns the faults of a sandbox's addresses; lists and texts that are too long are refused by their schema */
export function findSandboxFaults({ emailSandbox }: JsonObject): ErrorDetail[] {
  if (!isRecord(emailSandbox) || !Array.isArray(emailSandbox.addresses)) return []
  const redirects = emailSandbox.mode === 'redirect'
  const message = redirects ? 'This is no e-mail address.' : 'This is neither an e-mail address nor a domain.'
  const given: unknown[] = emailSandbox.addresses.slice(0, MAX_SANDBOX_ADDRESSES)
  return given.flatMap((text, at) => {
    if (typeof text !== 'string' || text.length > MAX_ADDRESS_CHARS) return []
    const isFit = isAddress(text) || (!redirects && isDomain(text))
    return isFit ? [] : [{ path: `emailSandbox.addresses[${at}]`, message }]
  })
}

/** `shop.example`, also with an `@` before it. */
function isDomain(text: string): boolean {
  const domain = text.replace(/^@/, '')
  return /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u.test(domain) && domainToASCII(domain) !== ''
}

function findFault(path: string, address: unknown): ErrorDetail[] {
  if (typeof address !== 'string' || address.trim() === '' || isAddress(address)) return []
  return [{ path, message: 'This is no e-mail address.' }]
}
