// Describes the secret of a source, with which its deliveries are verified, and its rotation.

import { z } from 'zod'
import { overlap as overlapField, secretValue } from './secret.ts'

const MAX_CHARS = 512
/** Spaces at an end would be the trace of a bad copy. */
const VISIBLE = /^[\x21-\x7e]+$/
const RULE = `1 to ${MAX_CHARS} visible characters of ASCII, without spaces.`

export const secretOfPlatform = z
  .string(RULE)
  .refine((value) => value.length <= MAX_CHARS && VISIBLE.test(value), RULE)
  .meta({
    minLength: 1,
    maxLength: MAX_CHARS,
    pattern: VISIBLE.source,
    description: 'As the platform dictates it; default: a new one.',
  })

const instant = z.iso.datetime().nullable()
const overlap = overlapField.optional().meta({ description: 'From PT1H to P7D. Default: PT24H.' })
const confirm = z.literal(true, 'This must be true: values end now, and deliveries signed with them are refused.')
const verificationSecret = secretOfPlatform.optional()

export const sourceSecretRotate = z.object({ overlap, verificationSecret }).meta({ id: 'SourceSecretRotate' })
export const sourceSecretExtend = z.object({ overlap }).meta({ id: 'SourceSecretExtend' })
export const sourceSecretRetire = z.object({ confirm }).meta({ id: 'SourceSecretRetire' })
export const sourceSecretEmergency = z.object({ confirm, verificationSecret }).meta({ id: 'SourceSecretEmergency' })

const kind = z.literal('verificationSecret')
const rotationFields = {
  kind,
  state: z.enum(['single', 'overlap']),
  until: instant.meta({ description: 'The end of the overlap; null outside of one.' }),
  current: secretValue,
  previous: secretValue.nullable(),
}
export const sourceSecretRotation = z.object(rotationFields).meta({ id: 'SourceSecretRotation' })
export const rotatedSourceSecret = z
  .object({
    ...rotationFields,
    verificationSecret: z.string().meta({ description: 'The new value, shown this once.' }),
  })
  .meta({ id: 'RotatedSourceSecret' })
export const sourceSecretValues = z
  .object({
    kind,
    verificationSecret: z.string().meta({ description: 'The newest value.' }),
    values: z.array(z.string()).meta({ description: 'All live values, the newest first.' }),
  })
  .meta({ id: 'SourceSecretValues' })

export type SourceSecretRotation = z.output<typeof sourceSecretRotation>
export type RotatedSourceSecret = z.output<typeof rotatedSourceSecret>
export type SourceSecretValues = z.output<typeof sourceSecretValues>
/** The new value where the platform dictates it. */
export type GivenSecret = Pick<SourceSecretRotate, 'verificationSecret'>
export type SourceSecretRotate = z.output<typeof sourceSecretRotate>
