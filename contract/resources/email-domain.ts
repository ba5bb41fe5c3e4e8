// Describes what a check of a sender's domain finds in DNS.

import { z } from 'zod'
import { pageOf } from '../schemas.ts'

const record = z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() })

const domainFinding = z
  .object({
    domain: z.string(),
    integration: z.string().nullable().meta({ description: 'Null: the server itself, or all of them.' }),
    kind: z.enum(['spf', 'dkim', 'dmarc']),
    verdict: z.enum(['ok', 'missing', 'wrong', 'unknown']).meta({
      description: '`unknown`: the name servers do not answer, or only the provider knows.',
    }),
    words: z.string(),
    found: z.array(z.string()).meta({ description: 'The records of the kind that exist.' }),
    record: record.nullable().meta({ description: 'To copy to the name servers of the domain.' }),
  })
  .meta({ id: 'EmailDomainFinding' })

export const domainFindingPage = pageOf(domainFinding).meta({ id: 'EmailDomainFindingPage' })

export type DomainFinding = z.output<typeof domainFinding>
export type DomainRecord = z.output<typeof record>
