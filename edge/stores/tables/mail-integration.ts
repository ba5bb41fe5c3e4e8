// Describes the tables of integrations with providers of mail, and of the events that they reported.

import type { MailProviderName } from '../../../contract/tenant.ts'
import type { IntegrationHealth, MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { type ColumnsOf, integer, namesOf, orNull, table, text, textOf } from './table.ts'

/** Columns of the integration that equal its fields. */
const own = {
  environmentId: integer(),
  id: integer(),
  name: text(),
  provider: textOf<MailProviderName>(),
  sealed: text(),
  priority: integer(),
  webhookId: text(),
  webhookPasswordHash: orNull(text()),
  createdAt: integer(),
  updatedAt: integer(),
  revision: integer(),
} satisfies ColumnsOf<Omit<Revised<MailIntegration>, 'from' | 'maxPerSecond'>>

const health = {
  lastSentAt: orNull(integer()),
  lastErrorAt: orNull(integer()),
  lastError: orNull(text()),
  lastWebhookAt: orNull(integer()),
} satisfies ColumnsOf<IntegrationHealth>

const sender = {
  fromName: orNull(text()),
  fromAddress: orNull(text()),
  /** In 1000 seconds, so that a rate below one a second is a whole number. */
  maxPer1000s: orNull(integer('max_per_1000s')),
}

export const MAIL_INTEGRATION = table('mail_integration', {
  ...own,
  ...sender,
  ...health,
  /** Follows from the rate. */
  nextPermitAt: orNull(integer()),
  /** The provider has named it. */
  closedUntil: orNull(integer()),
})

export const INTEGRATION_FIELDS = [...namesOf(own), ...namesOf(sender)] as const
export const HEALTH_FIELDS = namesOf(health)

/** Events of providers that were taken. Providers choose their ids, so they are stored as hashes of one length. */
export const MAIL_REPORT = table('mail_report', {
  environmentId: integer(),
  integrationId: integer(),
  eventHash: text(),
  at: integer(),
})
