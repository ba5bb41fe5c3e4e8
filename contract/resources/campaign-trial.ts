// Describes trials of a campaign's draft: preview, dry run, test, and the texts that change with it.

import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { jsonObject, messageContent } from '../schemas.ts'
import { instant } from './fields.ts'
import { mailAddress, mailFacts, mailParts } from './mail.ts'
import { triedDoubts } from './tried-doubt.ts'
import { userId } from './user.ts'

const textOrNull = z.string().nullable()
const anyObject = jsonObject<JsonObject>()

/** The event of a trial, for templates and conditions. */
export const sampleEvent = z
  .object({
    name: z.string().optional(),
    properties: anyObject.optional(),
    occurredAt: instant.optional(),
    userId: userId.optional(),
  })
  .meta({ id: 'SampleEvent' })
export type SampleEvent = z.output<typeof sampleEvent>

const sampleUser = z
  .object({
    id: z.string().optional(),
    email: textOrNull.optional(),
    name: textOrNull.optional(),
    locale: textOrNull.optional(),
    timeZone: textOrNull.optional(),
    attributes: jsonObject<Record<string, unknown>>().optional(),
  })
  .meta({ id: 'SampleUser' })
export type SampleUser = z.output<typeof sampleUser>

/** Checked as saving it would. */
export const definition = jsonObject<Record<string, unknown>>()
  .optional()
  .meta({ description: 'A definition in place of the stored draft, not saved: with the same faults as by saving it.' })

export const previewRequest = z
  .object({
    stepId: z.string(),
    event: sampleEvent.optional(),
    user: sampleUser.optional(),
    enriched: anyObject.optional(),
    definition,
  })
  .meta({ id: 'PreviewRequest' })
export type PreviewRequest = z.input<typeof previewRequest>

export const previewAnswer = z
  .object({
    ...messageContent.shape,
    email: mailParts.optional().meta({ description: 'The parts of the email; only of an email step.' }),
    subject: z
      .string()
      .optional()
      .meta({ description: 'Of an email step, as it would be sent; so are the next four.' }),
    preheader: textOrNull.optional(),
    html: z.string().optional().meta({ description: 'With its layout and inlined styles; links are not tracked.' }),
    text: z.string().optional(),
    from: mailAddress.optional(),
    htmlBytes: mailFacts.htmlBytes.optional(),
    warnings: mailFacts.warnings.optional(),
    doubts: triedDoubts,
  })
  .meta({ id: 'MessageContent' })
export type PreviewAnswer = z.output<typeof previewAnswer>

export const dryRunRequest = z
  .object({ event: sampleEvent.optional(), user: sampleUser.optional(), definition })
  .meta({ id: 'DryRunRequest' })
export type DryRunRequest = z.input<typeof dryRunRequest>

export const dryRun = z
  .object({
    matched: z.boolean(),
    reason: textOrNull,
    steps: z.array(
      z.object({
        stepId: z.string(),
        type: z.string(),
        outcome: z.string(),
        reason: textOrNull,
        inputs: jsonObject<Record<string, unknown>>().meta({ description: 'As in the trace of a run.' }),
      }),
    ),
    doubts: triedDoubts,
  })
  .meta({ id: 'DryRun' })
export type DryRunAnswer = z.output<typeof dryRun>

export const testRequest = z
  .object({
    userId,
    event: sampleEvent.optional(),
    definition,
    toOwnAddress: z
      .boolean()
      .optional()
      .meta({ description: 'Mails go to the address of the person who is signed in to the dashboard.' }),
  })
  .meta({ id: 'TestRequest' })
export type TestRequest = z.input<typeof testRequest>

export const campaignTest = z
  .object({
    messageIds: z.array(z.string()),
    messages: z
      .array(z.object({ messageId: z.string(), stepId: z.string(), status: z.string(), statusReason: textOrNull }))
      .meta({ description: '`delivered` in the inbox, or `queued` for mail; else why it was not sent.' }),
    doubts: triedDoubts,
    mails: z
      .array(z.object({ messageId: z.string(), ...mailFacts }))
      .meta({ description: 'The mails among the messages, as far as they can be composed.' }),
  })
  .meta({ id: 'CampaignTest' })
export type CampaignTestAnswer = z.output<typeof campaignTest>

export const textChangesRequest = z.object({ definition }).meta({ id: 'TextChangesRequest' })

export const textChange = z
  .object({
    kind: z.enum(['snippet', 'translation', 'default-locale']),
    name: z.string().meta({ description: 'Of a snippet its name, of a translation its key, else empty.' }),
    locale: z.string().nullable().meta({ description: 'Of a translation.' }),
    before: z
      .string()
      .nullable()
      .meta({ description: 'As the published version has it; null where it does not use it.' }),
    after: textOrNull.meta({
      description: 'Null of a translation that is gone: that of the default locale stands in for it, if there is one.',
    }),
  })
  .meta({ id: 'TextChange' })
export type TextChange = z.output<typeof textChange>

/** Changes of the translations and snippets that a draft uses, since its campaign was published. */
export const textChanges = z
  .object({
    changes: z.array(textChange),
    total: z.number().int().meta({ description: 'Of all; `changes` has the first 200.' }),
  })
  .meta({ id: 'TextChanges' })
export type TextChangesAnswer = z.output<typeof textChanges>
