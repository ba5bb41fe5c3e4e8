// Describes campaigns, their versions and their lists. Definitions are described by `edge/campaign/definition.ts`.

import { z } from 'zod'
import { CAMPAIGN_STATUSES } from '../campaign-status.ts'
import { jsonObject } from '../schemas.ts'
import { mailWarning } from './mail.ts'
import { pageQuery } from './page.ts'

const integer = z.number().int()
const instant = z.iso.datetime()
const definition = jsonObject<Record<string, unknown>>()

/** The routes describe `draft` and `definition` with all types of steps (edge/http/routes/campaign-schema.ts). */
export const campaign = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  status: z.enum(CAMPAIGN_STATUSES),
  currentVersion: integer.nullable(),
  draft: definition,
  revision: integer.meta({ description: 'Rises with each change. The ETag is this number in quotes, for `If-Match`.' }),
  createdAt: instant,
  updatedAt: instant,
})
export type CampaignAnswer = z.output<typeof campaign>

/** Campaigns of an environment by status. */
export const campaignCounts = z
  .object({ total: integer, draft: integer, active: integer, paused: integer, archived: integer })
  .meta({ id: 'CampaignCounts' })
export type CampaignCountsAnswer = z.output<typeof campaignCounts>

const MAX_NOTE_CHARS = 500

/** The body of publishing; a request without one has no note. */
export const publishRequest = z
  .object({
    note: z
      .string()
      .max(MAX_NOTE_CHARS)
      .transform((note) => note.trim() || undefined)
      .optional()
      .meta({ description: 'Why, for whoever reads the versions.' }),
  })
  .meta({ id: 'PublishRequest' })

export const campaignVersion = z.object({
  version: integer,
  publishedAt: instant,
  publishedBy: z
    .string()
    .nullable()
    .meta({ description: 'A person, a key by its id, or a command, as in the audit log.' }),
  note: z.string().nullable(),
  definition,
})
export type CampaignVersionAnswer = z.output<typeof campaignVersion>

/** Saved all the same. */
export const campaignWarnings = z.array(mailWarning).meta({
  description:
    'Translations and enrichers that are missing, properties that no event had; of publishing, also its mails.',
})

/** A campaign whose draft was saved or published. */
export type SavedCampaignAnswer = CampaignAnswer & { warnings: z.output<typeof campaignWarnings> }

/** A part of a name. */
const partParam = z
  .string()
  .max(256)
  // SQLite ends a pattern there, which would match everything.
  .refine((text) => !text.includes('\0'), 'No name has this character.')
  .optional()

export const campaignsQuery = pageQuery.extend({ status: z.enum(CAMPAIGN_STATUSES).optional(), q: partParam })

export const campaignCountsQuery = campaignsQuery.pick({ q: true })

/** `?drain=true` lets waiting runs finish. */
export const archiveQuery = z.object({ drain: z.enum(['true', 'false']).default('false') })
