// Parses the settings that are secrets of this service's own.

import { Fault } from './setting.ts'

export function parseMasterKeys(value: string | undefined): Uint8Array[] | null {
  if (value === undefined) return null
  return value.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64')
    if (key.length !== 32) throw new Fault('32 bytes as base64, or a list of such with commas.')
    return new Uint8Array(key)
  })
}

export function parseMetricsToken(value: string | undefined): string | null {
  if (value === undefined) return null
  if (!/^[\x21-\x7e]{16,256}$/.test(value)) throw new Fault('16 to 256 visible ASCII characters.')
  return value
}
