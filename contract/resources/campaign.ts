// Describes campaigns, their versions and their lists. Definitions are described by `edge/campaign/definition.ts`.

import { z } from 'zod'
import { CAMPAIGN_STATUSES } from '../campaign-status.ts'
import { jsonObject } from '../schemas.ts'
import { VISIBLE } from '../visible.ts'
import { textOf } from './fields.ts'
import { mailWarning } from './mail.ts'
import { pageQuery } from './page.ts'

const integer = z.number().int()
const instant = z.iso.datetime()
const definition = jsonObject<Record<string, unknown>>()

/** `changed`: the draft, or texts that it uses, were changed after it was asked for, and nobody can approve it. */
export const PUBLISH_STATES = ['waiting', 'changed', 'declined'] as const
export type PublishState = (typeof PUBLISH_STATES)[number]

const pendingPublish = z
  .object({
    state: z.enum(PUBLISH_STATES),
    askedBy: z.string().meta({ description: 'The e-mail address of the person who asked.' }),
    askedAt: instant,
    note: z.string().nullable(),
    revision: integer.meta({
      description: 'The revision with the draft that it asks for. It names the request, also after later revisions.',
    }),
    endedBy: z.string().nullable().meta({ description: 'Who declined it, or changed the draft or its texts.' }),
    endedAt: instant.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was declined, or which texts have changed.' }),
  })
  .meta({ id: 'PendingPublish' })
export type PendingPublish = z.output<typeof pendingPublish>

/** The routes describe `draft` and `definition` with all types of steps (edge/http/routes/campaign-schema.ts). */
export const campaign = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  status: z.enum(CAMPAIGN_STATUSES),
  currentVersion: integer.nullable(),
  draft: definition,
  pendingPublish: pendingPublish.optional().meta({
    description: 'Asks a second person, where the environment has `requirePublishApproval`. Absent: nothing is asked.',
  }),
  revision: integer.meta({ description: 'Rises with each change. The ETag is this number in quotes, for `If-Match`.' }),
  createdAt: instant,
  updatedAt: instant,
})
export type CampaignAnswer = z.output<typeof campaign>

/** Campaigns of an environment by status. */
export const campaignCounts = z
  .object({
    ...{ total: integer, draft: integer, active: integer, paused: integer, archived: integer },
    awaitingApproval: integer.meta({ description: 'Those whose publishing waits for a second person.' }),
  })
  .meta({ id: 'CampaignCounts' })
export type CampaignCountsAnswer = z.output<typeof campaignCounts>

const MAX_NOTE_CHARS = 500

/** The body of publishing; a request without one has no note. */
export const publishRequest = z
  .object({
    note: z
      .string()
      .max(MAX_NOTE_CHARS)
      .transform((note) => (VISIBLE.test(note) ? note.trim() : undefined))
      .optional()
      .meta({ description: 'Why, for whoever reads the versions.' }),
  })
  .meta({ id: 'PublishRequest' })

const asked = { revision: integer.min(0).meta({ description: 'That of `pendingPublish`, as the caller has read it.' }) }

/** The body of an approval, or of a withdrawal. */
export const publishAnswer = z.object(asked).meta({ id: 'PublishAnswer' })

export const publishRefusal = z
  .object({
    ...asked,
    reason: textOf(MAX_NOTE_CHARS).meta({ pattern: VISIBLE.source, description: 'Why, for whoever asked.' }),
  })
  .meta({ id: 'PublishRefusal' })

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
    'Translations and enrichers that are missing, fields that there are not, properties that no event had; of publishing, also its mails.',
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

export const campaignsQuery = pageQuery.extend({
  status: z.enum(CAMPAIGN_STATUSES).optional(),
  pendingPublish: z.enum(PUBLISH_STATES).optional(),
  q: partParam,
})

export const campaignCountsQuery = campaignsQuery.pick({ q: true })

/** `?drain=true` lets waiting runs finish. */
export const archiveQuery = z.object({ drain: z.enum(['true', 'false']).default('false') })
