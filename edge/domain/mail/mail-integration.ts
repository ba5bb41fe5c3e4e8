// Defines an integration: an environment's account with a provider of mail, and the port of their store.

import type { MailProviderName } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../audit.ts'
import type { Revised } from '../tenant/revised.ts'

export interface MailIntegration {
  id: number
  environmentId: number
  /** Unique in the environment. */
  name: string
  provider: MailProviderName
  /** JSON text of the credentials, sealed under the master key; never on the wire. */
  sealed: string
  /** The sender when the notification config names none. */
  from: { name: string | null; address: string } | null
  /** The lowest sends. */
  priority: number
  /** Mails that are handed over in a second at most, over all nodes; null: as many as the provider takes. */
  maxPerSecond: number | null
  /** Random text in the address of its webhook (`whi_…`), and the SHA-256 of the password, where the provider signs nothing. */
  webhookId: string
  webhookPasswordHash: string | null
  createdAt: number
  updatedAt: number
}

/** What the last attempts of an integration showed; written at most once in a few seconds. */
export interface IntegrationHealth {
  lastSentAt: number | null
  lastErrorAt: number | null
  lastError: string | null
  lastWebhookAt: number | null
}

export interface MailIntegrations {
  /** False when the environment has one of that name. */
  insertOnce(integration: MailIntegration, audit: AuditEntry): Promise<boolean>
  /** `taken`: another has the name; `changed`: it was changed since it was read. */
  save(integration: Revised<MailIntegration>, audit: AuditEntry): Promise<'saved' | 'taken' | 'changed'>
  /** False when there is none of the revision; then nothing is written. */
  remove(environmentId: number, id: number, revision: number, audit: AuditEntry): Promise<boolean>
  find(environmentId: number, id: number): Promise<(Revised<MailIntegration> & IntegrationHealth) | undefined>
  /** All of an environment, by priority, then by id: there are few. */
  listOf(environmentId: number): Promise<(Revised<MailIntegration> & IntegrationHealth)[]>
  findByWebhookId(webhookId: string): Promise<Revised<MailIntegration> | undefined>
  recordHealth(environmentId: number, id: number, health: Partial<IntegrationHealth>): Promise<void>
  /** Of these events of a provider, those that are remembered. */
  findEvents(environmentId: number, integrationId: number, eventIds: string[]): Promise<Set<string>>
  /**
   * Remembers events of a provider for seven days. @returns the ids that were not known
   */
  rememberEvents(environmentId: number, integrationId: number, eventIds: string[], now: number): Promise<Set<string>>
  /** Forgets events older than `before` (epoch ms). */
  purgeEvents(before: number): Promise<void>
}

/** How an environment sends: the integrations by priority, opened, with their senders. */
export const MAX_INTEGRATIONS = 20
