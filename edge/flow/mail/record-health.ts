// Records what the last attempts of an integration showed, at most once in a few seconds.

import type { Core } from '../../domain/core.ts'
import { OWN_SENDER } from '../../domain/mail/mail.ts'
import type { IntegrationHealth } from '../../domain/mail/mail-integration.ts'
import type { MailRoute, SendOutcome } from '../../domain/mail/mail-provider.ts'

const EVERY_MS = 5000

/** A refusal for the reasons of one mail says nothing about the integration. */
export function createRecordHealth({ mailIntegrations, clock, log }: Pick<Core, 'mailIntegrations' | 'clock' | 'log'>) {
  const recordedAt = new Map<string, number>()
  return function recordHealth(
    environmentId: number,
    { integrationId }: Pick<MailRoute, 'integrationId'>,
    outcome: SendOutcome,
  ): void {
    if (integrationId === OWN_SENDER) return
    const now = clock.now()
    const isFault = outcome.outcome === 'unavailable' || outcome.outcome === 'unknown'
    const key = `${integrationId} ${isFault}`
    if (now - (recordedAt.get(key) ?? 0) < EVERY_MS) return
    recordedAt.set(key, now)
    const health: Partial<IntegrationHealth> = isFault
      ? { lastErrorAt: now, lastError: outcome.error }
      : { lastSentAt: now }
    mailIntegrations.recordHealth(environmentId, integrationId, health).catch((error: unknown) => {
      log.warn('state of an integration not recorded', { error })
    })
  }
}
