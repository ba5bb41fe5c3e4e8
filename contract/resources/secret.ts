// Describes the secrets of an environment: the state of their rotation, and its steps.

import { z } from 'zod'
import { findDurationMs } from '../duration.ts'
import { pageOf } from '../schemas.ts'
import { byKind, SECRET_KINDS } from '../tenant.ts'

const HOUR_MS = 60 * 60 * 1000
const SHORTEST_OVERLAP_MS = HOUR_MS
const LONGEST_OVERLAP_MS = 7 * 24 * HOUR_MS
/** Where nothing else is asked for. */
export const DEFAULT_OVERLAP_MS = 24 * HOUR_MS

/** How long an old value lives from now on. Output: milliseconds. */
export const overlap = z
  .string()
  .transform((text, context) => {
    const overlapMs = findDurationMs(text)
    if (overlapMs !== undefined && overlapMs >= SHORTEST_OVERLAP_MS && overlapMs <= LONGEST_OVERLAP_MS) return overlapMs
    context.addIssue('An ISO 8601 duration from PT1H to P7D.')
    return z.NEVER
  })
  .meta({ format: 'duration', description: 'From PT1H to P7D.' })

export const secretOverlap = z.object({ overlap: overlap.prefault('PT24H') }).meta({ id: 'SecretOverlap' })
export const secretConfirmation = z
  .object({ confirm: z.literal(true, 'This must be true: values end now, and whoever uses them is refused.') })
  .meta({ id: 'SecretConfirmation' })

const instant = z.iso.datetime().nullable()
/** The facts about a value that may be shown: never the value itself. */
export const secretValue = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: instant,
  retiresAt: instant,
})
const rotation = z.object({
  kind: z.enum(SECRET_KINDS),
  state: z.enum(['single', 'overlap']),
  until: instant.meta({ description: 'The end of the overlap; null outside of one.' }),
  current: secretValue,
  previous: secretValue
    .nullable()
    .meta({ description: 'The old value of an overlap; after it, the one that was retired last.' }),
})
/** A value under the name of its kind, as a new environment has it. */
const named = byKind(() => z.string().optional())

export const secretRotation = rotation.meta({ id: 'SecretRotation' })
export const secretRotationPage = pageOf(secretRotation).meta({ id: 'SecretRotationPage' })
export const rotatedSecret = rotation
  .extend({ ...named, value: z.string().meta({ description: 'The new value, shown this once.' }) })
  .meta({ id: 'RotatedSecret' })
/** The live values, the newest first. */
export const secretValues = z
  .object({ kind: z.enum(SECRET_KINDS), ...named, values: z.array(z.string()) })
  .meta({ id: 'SecretValues' })

export type SecretValueAnswer = z.output<typeof secretValue>
export type SecretRotation = z.output<typeof secretRotation>
export type RotatedSecret = z.output<typeof rotatedSecret>
export type SecretValues = z.output<typeof secretValues>
