// Finds addresses that are none in the bodies of configs and settings: their rule needs the names of domains.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
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

function findFault(path: string, address: unknown): ErrorDetail[] {
  if (typeof address !== 'string' || address.trim() === '' || isAddress(address)) return []
  return [{ path, message: 'This is no e-mail address.' }]
}
