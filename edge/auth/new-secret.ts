// Generates values of secrets, and parses the region in a key.

import { randomBytes } from 'node:crypto'
import { isSourceKind, type StoredSecretKind } from '../domain/secret.ts'

// 192 bits as hex: no character that a double click, a shell or an address would break at.
const KEY_BYTES = 24
// Standard Webhooks recommends this size for HMAC-SHA256; its SDKs decode the base64.
const WEBHOOK_BYTES = 32

const PREFIXES = { sdkSecretKey: 'nc_sdk', authSecretKey: 'nc_auth', frontApiKey: 'nc_front' } as const
const SHAPE = /^nc_(?:sdk|auth|front)_([a-z][a-z0-9-]{0,15})_/

/** @returns A random value in its documented form. */
export function newSecretValue(kind: StoredSecretKind, region: string): string {
  if (kind === 'webhookSigningSecret' || isSourceKind(kind))
    return `whsec_${randomBytes(WEBHOOK_BYTES).toString('base64')}`
  return `${PREFIXES[kind]}_${region}_${randomBytes(KEY_BYTES).toString('hex')}`
}

/** @returns The region in a key, which need not exist; undefined when the value has not the form of a key. */
export function keyRegion(value: string): string | undefined {
  return SHAPE.exec(value)?.[1]
}
