// Describes an integration of an environment with a provider of mail, and the providers.

import { z } from 'zod'
import { pageOf } from '../schemas.ts'
import { MAIL_PROVIDERS, MAIL_WAYS } from '../tenant.ts'
import { numberOrNull, oneLine, wholeNumber } from './fields.ts'

const MAX_NAME_CHARS = 100
/** Keys in PEM have several thousand characters. */
const MAX_CREDENTIAL_CHARS = 8192

const provider = z.enum(MAIL_PROVIDERS)
const instant = z.iso.datetime().nullable()

const settings = {
  name: oneLine(MAX_NAME_CHARS),
  provider,
  from: z
    .object({
      name: oneLine(MAX_NAME_CHARS)
        .nullable()
        .optional()
        .transform((name) => name ?? null),
      address: z
        .string()
        .min(1, 'This must not be empty.')
        .max(320, 'At most 320 characters.')
        .meta({ format: 'email', minLength: 3 }),
    })
    .nullable()
    .optional()
    .transform((from) => from ?? null)
    .meta({ description: 'The sender where the notification config names none.' }),
  priority: wholeNumber(0, 1000).default(1),
  maxPerSecond: numberOrNull(0.01, 1000)
    .optional()
    // Thousandths are stored.
    .transform((rate) => (typeof rate === 'number' ? Math.round(rate * 1000) / 1000 : null))
    .meta({
      description:
        'Mails that are handed over in a second at most, over all nodes; null: as many as the provider takes.',
    }),
}
/** An empty text stands for a field that is left out. */
const credentials = z
  .record(z.string(), z.string().max(MAX_CREDENTIAL_CHARS, `At most ${MAX_CREDENTIAL_CHARS} characters.`))
  .transform((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')))
  .meta({ description: 'By field of the provider; never answered.' })

export const newEmailIntegration = z.object({ ...settings, credentials }).meta({ id: 'NewEmailIntegration' })

export const emailIntegrationChange = z
  .object({
    ...settings,
    credentials: credentials.optional().meta({ description: 'Replaced as a whole; absent: the stored ones stay.' }),
    rotateWebhookPassword: z.boolean().optional(),
  })
  .meta({ id: 'EmailIntegrationChange' })

const fields = {
  id: z.string(),
  name: z.string(),
  provider,
  from: z.object({ name: z.string().nullable(), address: z.string() }).nullable(),
  priority: z.number().int(),
  maxPerSecond: z.number().nullable(),
  account: z.record(z.string(), z.string()).meta({
    description: 'The fields of the credentials that are no secrets, such as `host`, `port` and `user`.',
  }),
  webhookUrl: z.string().nullable().meta({ description: 'Null: the provider reports nothing.' }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  revision: z.number().int(),
  state: z.object({
    lastSentAt: instant,
    lastErrorAt: instant,
    lastError: z.string().nullable(),
    lastWebhookAt: instant,
  }),
}
export const emailIntegration = z.object(fields).meta({ id: 'EmailIntegration' })

export const changedEmailIntegration = z
  .object({
    ...fields,
    webhookCredentials: z
      .object({ username: z.string(), password: z.string() })
      .optional()
      .meta({ description: 'Only where the password is new: it is not shown again.' }),
  })
  .meta({ id: 'ChangedEmailIntegration' })

const way = z.enum(MAIL_WAYS).meta({
  description: 'How mails of the environment go. `none`: production without a mail server, its mails are skipped.',
})
export const emailIntegrationList = z
  .object({ ...pageOf(emailIntegration).shape, way })
  .meta({ id: 'EmailIntegrationList' })

export const emailIntegrationTest = z
  .object({
    to: z.string().min(3).max(320).optional().meta({
      format: 'email',
      description: 'Default: the address of the person who calls from the dashboard.',
    }),
  })
  .meta({ id: 'EmailIntegrationTest' })

export const emailIntegrationTestAnswer = z
  .object({
    ok: z.boolean(),
    providerMessageId: z.string().nullable().optional(),
    error: z.string().optional().meta({ description: "The provider's answer in words." }),
  })
  .meta({ id: 'EmailIntegrationTestAnswer' })

const credentialField = z.object({
  name: z.string(),
  label: z.string().meta({ description: 'One line for people.' }),
  isSecret: z.boolean(),
  isRequired: z.boolean(),
  values: z.array(z.string()).readonly().optional(),
  byDefault: z.string().optional(),
})
export const emailProvider = z
  .object({ name: provider, title: z.string(), fields: z.array(credentialField).readonly() })
  .meta({ id: 'EmailProvider' })
export const emailProviderPage = pageOf(emailProvider).meta({ id: 'EmailProviderPage' })

export type NewEmailIntegration = z.output<typeof newEmailIntegration>
export type EmailIntegrationChange = z.output<typeof emailIntegrationChange>
/** As a client writes it. */
export type EmailIntegrationInput = z.input<typeof emailIntegrationChange>
export type EmailIntegrationAnswer = z.output<typeof emailIntegration>
export type ChangedEmailIntegrationAnswer = z.output<typeof changedEmailIntegration>
export type EmailIntegrationTestAnswer = z.output<typeof emailIntegrationTestAnswer>
export type CredentialField = z.output<typeof credentialField>
export type EmailProviderAnswer = z.output<typeof emailProvider>
