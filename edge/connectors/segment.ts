// Verifies and reads the calls of Segment (destination “Webhooks”): track, identify, group, page, screen, alias.

import type { ConnectorPlatform } from '../../contract/tenant.ts'
import { plainMappings, USUAL_TYPES } from '../../contract/usual-types.ts'
import type { Connector, ConnectorCall, DeliveredItem, SignatureVerdict } from '../domain/connector/connector.ts'
import { type Fields, fieldsOf, textOf, timeOf } from '../lib/webhook-body.ts'
import { deliveryIdOf, headerOf, hmacOf, judge, MISSING, notAfter, readItems, WRONG } from './delivery.ts'

export const segment: Connector = {
  defaultMappings: plainMappings(USUAL_TYPES.segment),
  verify,
  read({ body, now }, { allowUnsignedBatchTail }) {
    const items = readItems(body)
    const taken = allowUnsignedBatchTail ? items : items.slice(0, 1)
    return { items: taken.map((item) => toItem(item, now)), unsigned: items.length - taken.length }
  },
}

/** Segment signs the body; of an array, only its first item, as it is written or as JavaScript writes it again. */
function verify(call: ConnectorCall, secret: string): SignatureVerdict {
  const signature = headerOf(call, 'x-signature')
  if (signature === null) return MISSING
  const texts = firstOfArray(call.body) ?? [call.body]
  const verdicts = texts.map((signed) =>
    judge(signature, hmacOf({ algorithm: 'sha1', key: secret, encoding: 'hex' }, signed), call.now),
  )
  return verdicts.find(({ ok }) => ok) ?? WRONG
}

/** @returns the first item, in both forms; undefined for a body that is no array with an item */
function firstOfArray(body: Buffer): string[] | undefined {
  const text = body.toString('utf8')
  try {
    const parsed: unknown = JSON.parse(text)
    if (!Array.isArray(parsed) || parsed.length === 0) return undefined
    return [JSON.stringify(parsed[0]), text.slice(text.indexOf('[') + 1, endOfFirst(text)).trim()]
  } catch {
    return undefined
  }
}

/** @param text an array with an item. @returns where its first item ends */
function endOfFirst(text: string): number {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g)) {
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth === 0 || (depth === 1 && sign === ',')) return index
  }
  return text.length
}

const toItem = (item: unknown, now: number): DeliveredItem => readCall(item, now, 'segment')

/** The kinds of calls, which other platforms send in the same form. */
export const KINDS = ['track', 'identify', 'group', 'page', 'screen', 'alias']

/** @param platform Names the events of calls that name none themselves */
export function readCall(item: unknown, now: number, platform: ConnectorPlatform): DeliveredItem {
  const call = fieldsOf(item)
  const kind = textOf(call.type) ?? ''
  const isTrack = kind === 'track'
  const type = isTrack ? (textOf(call.event) ?? '') : kind
  return {
    deliveryId: deliveryIdOf(call.messageId, item),
    type,
    name: isTrack ? type : `${platform}.${kind}`,
    payload: item,
    userIdPaths: ['userId', `external:${platform}:anonymousId`],
    propertiesPath: kind === 'identify' || kind === 'group' ? 'traits' : 'properties',
    occurredAt: notAfter(now, timeOf(call.timestamp)),
    traits: traitsOf(kind, call),
  }
}

/** A `group` has traits of the group: it creates the user, and changes nothing of their profile. */
function traitsOf(kind: string, call: Fields): Record<string, unknown> | null {
  if (kind === 'group') return {}
  if (kind !== 'identify') return null
  const [traits, context] = [fieldsOf(call.traits), fieldsOf(call.context)]
  const names = [traits.firstName ?? traits.first_name, traits.lastName ?? traits.last_name]
    .map(textOf)
    .filter((name) => name !== null)
  return {
    ...traits,
    name: textOf(traits.name) ?? (names.length > 0 ? names.join(' ') : undefined),
    locale: traits.locale ?? context.locale,
    timeZone: traits.timeZone ?? traits.timezone ?? context.timezone,
  }
}
