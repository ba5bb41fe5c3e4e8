// Issues and verifies the tokens of device cookies: proofs that a person has signed in by own means in this browser before.

import { randomBytes } from 'node:crypto'
import { normaliseEmail } from '../../../contract/resources/person.ts'
import type { Core } from '../../domain/core.ts'
import type { Account } from '../../domain/people/person.ts'
import { hmacBase64, isEqualInConstantTime, sha256Hex } from '../../lib/hmac.ts'

/** Half a year; each sign-in begins it anew. */
export const DEVICE_MS = 180 * 24 * 60 * 60 * 1000
/** The log removes tokens by this form. */
const FORM = /^nc_device_([A-Za-z0-9_-]{40,400})$/

type Owner = Pick<Account, 'id' | 'passwordHash'>

export type DeviceTokens = ReturnType<typeof createDeviceTokens>

/** A token contains a signature over the hash of the password, so that a new password revokes it and the store has none. */
export function createDeviceTokens({
  people,
  keys,
  clock,
}: Pick<Core, 'people' | 'clock'> & {
  /** Derived from the master keys, the present one first; the others only verify. */
  keys: readonly [Uint8Array, ...Uint8Array[]]
}) {
  const sign = (key: Uint8Array, payload: string, { passwordHash }: Owner) =>
    hmacBase64(key, `${payload}.${passwordHash}`)

  /** @returns The name of the device; undefined for a token that is not of this person, is expired or was revoked. */
  function findDevice(token: string | undefined, owner: Owner): string | undefined {
    const [, encoded] = FORM.exec(token ?? '') ?? []
    if (encoded === undefined) return undefined
    const [id = '', issuedAt = '', random = '', signature = ''] = Buffer.from(encoded, 'base64url')
      .toString('utf8')
      .split('.')
    const payload = [id, issuedAt, random].join('.')
    if (!keys.some((key) => isEqualInConstantTime(sign(key, payload, owner), signature))) return undefined
    const isLive = id === String(owner.id) && Number(issuedAt) + DEVICE_MS > clock.now()
    return isLive ? sha256Hex(random) : undefined
  }

  return {
    findDevice,

    /** Does the same for the account of an address; reads it only where the token has the form of one. */
    async findDeviceOf(token: string | undefined, email: string): Promise<string | undefined> {
      if (!FORM.test(token ?? '')) return undefined
      const account = await people.findAccount(normaliseEmail(email))
      return account && findDevice(token, account)
    },

    /** @returns A token for the browser in which the person has just signed in; undefined for an unknown address. */
    async issue(email: string): Promise<string | undefined> {
      const account = await people.findAccount(email)
      if (account === undefined) return undefined
      const payload = [account.id, clock.now(), randomBytes(16).toString('base64url')].join('.')
      const token = `${payload}.${sign(keys[0], payload, account)}`
      return `nc_device_${Buffer.from(token, 'utf8').toString('base64url')}`
    },
  }
}
