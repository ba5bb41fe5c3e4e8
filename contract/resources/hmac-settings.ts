// Describes how the deliveries of a source of the provider `hmac` are signed.

import { z } from 'zod'
import { HMAC_ALGORITHMS, HMAC_ENCODINGS } from '../tenant.ts'
import { closed, textOf, wholeNumber } from './fields.ts'
import { isPath } from './source-mapping.ts'

const SIGNED_STRING = /^(?=.*body)(?:timestamp|body|url|method|[.:|/\n_-]|v\d{1,2})+$/
const HEADER_NAME = /^[A-Za-z0-9-]{1,128}$/
const PREFIX = /^[\x21-\x7e][\x20-\x7e]{0,63}$/
const MAX_CHARS = 256

const matching = (pattern: RegExp, rule: string) => textOf(MAX_CHARS, (text) => (pattern.test(text) ? undefined : rule))
const headerName = matching(HEADER_NAME, 'The name of a header.').meta({ pattern: HEADER_NAME.source })
const prefix = matching(PREFIX, '1 to 64 visible characters.').meta({ pattern: PREFIX.source })

/** A path into the item; `header:<name>` is a header. */
const place = textOf(MAX_CHARS, (text) => {
  const name = text.startsWith('header:') ? text.slice('header:'.length) : undefined
  const isFit = name === undefined ? isPath(text) : HEADER_NAME.test(name)
  return isFit ? undefined : 'A path into the body, or header: and a name.'
}).meta({ description: 'A path, or `header:` and a name.' })

export const hmacSettings = closed(
  {
    /** The header with the signature. */
    header: headerName,
    algorithm: z.enum(HMAC_ALGORITHMS),
    encoding: z.enum(HMAC_ENCODINGS),
    prefix: prefix
      .optional()
      .meta({ description: 'Before the signature, such as `sha256=`, or `v1=` in a header of several parts.' }),
    signedString: matching(SIGNED_STRING, 'The words body, timestamp, url and method, such as timestamp.body.').meta({
      example: 'timestamp.body',
      description: 'Of body, timestamp, url and method.',
    }),
    timestampHeader: headerName.optional().meta({ description: 'Default: the header of the signature.' }),
    timestampPrefix: prefix.optional().meta({ description: 'Before the time, such as `t=`.' }),
    toleranceSeconds: wholeNumber(1, 3600).optional().meta({ description: 'Default: 300.' }),
    idPath: place,
    typePath: place,
  },
  'The settings have no such field.',
)
  .superRefine(({ algorithm, signedString, timestampHeader, timestampPrefix }, context) => {
    const isTimed = algorithm !== 'basic' && signedString.includes('timestamp')
    if (!isTimed || timestampHeader !== undefined || timestampPrefix !== undefined) return
    const message = 'The time is signed: name its header, or what is before it in the header of the signature.'
    context.addIssue({ code: 'custom', path: ['timestampHeader'], message })
  })
  .meta({ id: 'HmacSettings', description: 'Of the provider hmac: how its deliveries are signed.' })

export type HmacSettings = z.output<typeof hmacSettings>
