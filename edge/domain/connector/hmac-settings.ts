// Parses how the deliveries of a source of the provider `hmac` are signed.

import { HMAC_ALGORITHMS, HMAC_ENCODINGS, type HmacSettings } from '../../../contract/tenant.ts'
import type { Reader } from '../field-reader.ts'

export const SIGNED_STRING = /^(?=.*body)(?:timestamp|body|url|method|[.:|/\n_-]|v\d{1,2})+$/
export const HEADER_NAME = /^[A-Za-z0-9-]{1,128}$/
const PREFIX = /^[\x21-\x7e][\x20-\x7e]{0,63}$/
const MAX_TOLERANCE_SECONDS = 3600
const FIELDS = [
  'header',
  'algorithm',
  'encoding',
  'prefix',
  'signedString',
  'timestampHeader',
  'timestampPrefix',
  'toleranceSeconds',
  'idPath',
  'typePath',
]

/** @param isPath Whether a text is a path into an item */
export function readHmacSettings(reader: Reader, isPath: (text: string) => boolean): HmacSettings {
  for (const key of reader.keys()) if (!FIELDS.includes(key)) reader.fault(key, 'The settings have no such field.')
  const matching = (key: string, pattern: RegExp, rule: string): string | undefined => {
    const value = reader.optionalText(key, 256)
    if (value !== undefined && !pattern.test(value)) reader.fault(key, rule)
    return value
  }
  const path = (key: string): string => {
    const value = reader.text(key, 256) ?? ''
    const name = value.startsWith('header:') ? value.slice('header:'.length) : undefined
    const isFit = name === undefined ? isPath(value) : HEADER_NAME.test(name)
    if (value !== '' && !isFit) reader.fault(key, 'A path into the body, or header: and a name.')
    return value
  }
  for (const key of ['header', 'algorithm', 'encoding', 'signedString']) {
    if (!reader.has(key)) reader.fault(key, 'This is missing.')
  }
  const [prefix, timestampPrefix] = ['prefix', 'timestampPrefix'].map((key) =>
    matching(key, PREFIX, '1 to 64 visible characters.'),
  )
  const timestampHeader = matching('timestampHeader', HEADER_NAME, 'The name of a header.')
  const toleranceSeconds = readTolerance(reader)
  return {
    header: matching('header', HEADER_NAME, 'The name of a header.') ?? '',
    algorithm: reader.oneOf('algorithm', HMAC_ALGORITHMS) ?? 'sha256',
    encoding: reader.oneOf('encoding', HMAC_ENCODINGS) ?? 'hex',
    ...(prefix !== undefined && { prefix }),
    signedString:
      matching('signedString', SIGNED_STRING, 'The words body, timestamp, url and method, such as timestamp.body.') ??
      '',
    ...(timestampHeader !== undefined && { timestampHeader }),
    ...(timestampPrefix !== undefined && { timestampPrefix }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    idPath: path('idPath'),
    typePath: path('typePath'),
  }
}

function readTolerance(reader: Reader): number | undefined {
  const value = reader.raw('toleranceSeconds')
  if (value === undefined) return undefined
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TOLERANCE_SECONDS) return Number(value)
  reader.fault('toleranceSeconds', `A whole number from 1 to ${MAX_TOLERANCE_SECONDS}.`)
  return undefined
}
