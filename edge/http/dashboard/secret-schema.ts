// Declares the bodies and answers of the secrets of environments.

import { z } from '@hono/zod-openapi'
import { SECRET_KINDS } from '../../../contract/tenant.ts'

const valueSchema = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  retiresAt: z.iso.datetime().nullable(),
})
const rotationFields = {
  kind: z.enum(SECRET_KINDS),
  state: z.enum(['single', 'overlap']),
  until: z.iso.datetime().nullable().openapi({ description: 'The end of the overlap; null outside of one.' }),
  current: valueSchema,
  previous: valueSchema
    .nullable()
    .openapi({ description: 'The old value of an overlap; after it, the one that was retired last.' }),
}
export const rotationSchema = z.object(rotationFields).openapi('SecretRotation')
/** A value under the name of its kind, as a new environment has it. */
const valueByName = Object.fromEntries(SECRET_KINDS.map((kind) => [kind, z.string().optional()]))
export const newValueSchema = z
  .object({
    ...rotationFields,
    ...valueByName,
    value: z.string().openapi({ description: 'The new value, shown this once.' }),
  })
  .openapi('RotatedSecret')
export const overlapBody = z
  .object({ overlap: z.string().default('PT24H').openapi({ format: 'duration', description: 'From PT1H to P7D.' }) })
  .openapi('SecretOverlap')
export const confirmBody = z
  .object({ confirm: z.literal(true, 'This must be true: values end now, and whoever uses them is refused.') })
  .openapi('SecretConfirmation')
export const secretValuesSchema = z
  .object({ kind: z.enum(SECRET_KINDS), ...valueByName, values: z.array(z.string()) })
  .openapi('SecretValues')
