// Signs and reads the tokens in addresses of mails: which mail, for what, and for a click its target.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../lib/seal.ts'

export type LinkKind = 'open' | 'click' | 'unsubscribe' | 'preferences'

export interface LinkToken {
  kind: LinkKind
  environmentId: number
  messageId: number
  /** Of a click: where it leads. */
  target: string | null
}

export interface LinkTokens {
  sign(token: LinkToken): string
  /** @returns undefined for a text that no key of ours has signed, or that is for another purpose */
  read(text: string, kind: LinkKind): LinkToken | undefined
}

const PURPOSE = 'notification-center/mail-link'
const LETTERS: Record<LinkKind, string> = { open: 'o', click: 'c', unsubscribe: 'u', preferences: 'p' }
/** 128 bits, as nobody can try more than a few thousand a second. */
const SIGNATURE_BYTES = 16
/** A link of 2,048 characters, in base64 and with its signature. */
const MAX_CHARS = 12_000
const NUMBER = /^[0-9a-z]{1,11}$/
/** A region has no underscore. */
const TOKEN = /^([a-z][a-z0-9-]{0,15})_([\w-]+)$/

/**
 * @param masterKeys The first signs, all verify: a rotated key leaves the links of earlier mails alive.
 * @param region Stands before each token, for whoever routes requests to regions.
 */
export function createLinkTokens(masterKeys: readonly Uint8Array[], region: string): LinkTokens {
  const keys = masterKeys.map((key) => deriveKey(key, PURPOSE))
  const [first] = keys
  if (first === undefined) throw new Error('link tokens not created: no master key')
  const signatureOf = (signed: string, key: Uint8Array) =>
    createHmac('sha256', key).update(signed, 'utf8').digest().subarray(0, SIGNATURE_BYTES)

  return {
    sign({ kind, environmentId, messageId, target }) {
      const fields = [LETTERS[kind], environmentId.toString(36), messageId.toString(36), target ?? '']
      const payload = fields.join('.')
      const signature = signatureOf(`${region}_${payload}`, first)
      return `${region}_${Buffer.concat([signature, Buffer.from(payload, 'utf8')]).toString('base64url')}`
    },
    read(text, kind) {
      const [, named, token] = text.length > MAX_CHARS ? [] : (TOKEN.exec(text) ?? [])
      if (named === undefined || token === undefined) return undefined
      const bytes = Buffer.from(token, 'base64url')
      // Another spelling of the same bytes is not what was signed.
      if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== token) return undefined
      const signature = bytes.subarray(0, SIGNATURE_BYTES)
      const payload = bytes.subarray(SIGNATURE_BYTES).toString('utf8')
      // The region of an earlier REGION is as good: the keys prove who signed.
      const isOurs = keys.some((key) => timingSafeEqual(signatureOf(`${named}_${payload}`, key), signature))
      return isOurs ? parse(payload, kind) : undefined
    },
  }
}

function parse(payload: string, kind: LinkKind): LinkToken | undefined {
  const [letter, environment = '', message = '', ...rest] = payload.split('.')
  if (letter !== LETTERS[kind] || !NUMBER.test(environment) || !NUMBER.test(message)) return undefined
  const target = rest.join('.')
  const ids = { environmentId: Number.parseInt(environment, 36), messageId: Number.parseInt(message, 36) }
  return { kind, ...ids, target: target === '' ? null : target }
}
