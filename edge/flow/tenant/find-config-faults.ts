// Finds the addresses of a notification config's look that are none: their rule needs the names of domains.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { isAddress } from '../../lib/mail-address.ts'

/** @returns the faults that the schema of the body does not find */
export function findConfigFaults({ email }: JsonObject): ErrorDetail[] {
  if (!isObject(email)) return []
  const senders = Array.isArray(email.senders) ? email.senders : []
  const given: [path: string, address: unknown][] = [
    ['senderAddress', email.senderAddress],
    ['replyTo', email.replyTo],
    ...senders.map((one, at): [string, unknown] => [`senders[${at}].address`, isObject(one) ? one.address : undefined]),
  ]
  return given
    .filter(([, address]) => typeof address === 'string' && address.trim() !== '' && !isAddress(address))
    .map(([path]) => ({ path: `email.${path}`, message: 'This is no e-mail address.' }))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
