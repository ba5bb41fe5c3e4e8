// Describes the audit log of an organisation: who changed which secret or setting, and when.

import { z } from 'zod'
import { pageOf } from '../schemas.ts'
import { instantParam } from './fields.ts'
import { pageQuery } from './page.ts'

export const AUDIT_ACTORS = ['cli', 'seed', 'api', 'dashboard', 'server'] as const

export const auditEntry = z
  .object({
    at: z.iso.datetime(),
    actor: z.enum(AUDIT_ACTORS),
    who: z.string(),
    action: z.string().meta({ example: 'secret.rotate' }),
    subject: z.string(),
    subjectName: z
      .string()
      .nullable()
      .meta({ description: 'Of a user, campaign, source, e-mail integration or notification config, as it is now.' }),
    environment: z.string().nullable(),
    correlationId: z.string().nullable(),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'Facts; `difference` has a line for each value before and after.' }),
  })
  .meta({ id: 'AuditEntry' })

export const auditPage = pageOf(auditEntry).meta({ id: 'AuditPage' })

export const auditQuery = z.object({
  /** One of another organisation finds nothing. */
  environment: z.string().max(64).optional(),
  actor: z.string().max(320).optional().meta({ description: 'An interface, an e-mail address, or the id of a key.' }),
  action: z.string().max(100).optional().meta({ description: 'Such as `secret.rotate`, or the noun `secret`.' }),
  from: instantParam.optional(),
  to: instantParam.optional(),
  ...pageQuery.shape,
})

export type AuditActor = (typeof AUDIT_ACTORS)[number]
export type AuditAnswer = z.output<typeof auditEntry>
export type AuditPage = z.output<typeof auditPage>
export type AuditQuery = z.output<typeof auditQuery>
