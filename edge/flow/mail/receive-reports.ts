// Takes the calls of providers' webhooks: verifies them, and records what happened to the mails.

import type { MailProviderName } from '../../../contract/tenant.ts'
import type { Core } from '../../domain/core.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { MailReport, WebhookCall, WebhookReader } from '../../domain/mail/mail-provider.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createCache } from '../../lib/cache.ts'
import { isEqualInConstantTime, sha256Hex } from '../../lib/hmac.ts'
import { WEBHOOK_USER } from '../tenant/manage-integrations.ts'
import { openCredentials } from './open-credentials.ts'
import type { RecordReports } from './record-reports.ts'

/** What became of the events of one call. */
export interface ReceivedReports {
  received: number
  /** Events of mails of the environment. */
  matched: number
  /** Events that were taken before. */
  duplicates: number
  /** Events that mean nothing here. */
  ignored: number
}

export type WebhookTarget = Revised<MailIntegration>

export interface ReceiveReports {
  /** @throws ApiError `email-integration/not-found`, also for the address of another provider. */
  find(provider: string, webhookId: string): Promise<WebhookTarget>
  /** @throws ApiError `webhook/invalid-signature`; `request/invalid-body` for a verified call that cannot be read. */
  receive(target: WebhookTarget, call: WebhookCall): Promise<ReceivedReports>
}

type Taken = Pick<Core, 'mailIntegrations' | 'mailProviders' | 'open'> & {
  record: RecordReports
  /** @throws ApiError `environment/closed` */
  requireOpen(environmentId: number): Promise<void>
  /** Calls the address that confirms a subscription. Rejects when it cannot be reached. */
  confirm(url: string): Promise<{ status: number }>
}

const WEBHOOK_ID = /^whi_[0-9a-f]{32}$/
const MAX_READERS = 1000
/** The time of the last call is written at most this often. */
const HEALTH_EVERY_MS = 10_000

export function createReceiveReports(deps: Taken): ReceiveReports {
  const { mailIntegrations, mailProviders } = deps
  // Kept, because a reader may hold certificates of its provider.
  const readers = createCache<number, { revision: number; reader: WebhookReader }>({ maxSize: MAX_READERS })
  const recordedAt = createCache<number, number>({ maxSize: MAX_READERS })

  async function readerOf(target: WebhookTarget): Promise<WebhookReader> {
    const kept = readers.get(target.id)
    if (kept?.revision === target.revision) return kept.reader
    const opened = await openCredentials(deps, target)
    if (opened?.provider.createWebhookReader == null) throw new ApiError('email-integration/not-found')
    const reader = opened.provider.createWebhookReader(opened.credentials)
    readers.set(target.id, { revision: target.revision, reader })
    return reader
  }

  async function recordCall({ environmentId, id }: WebhookTarget, now: number): Promise<void> {
    if (now - (recordedAt.get(id) ?? Number.NEGATIVE_INFINITY) < HEALTH_EVERY_MS) return
    recordedAt.set(id, now)
    await mailIntegrations.recordHealth(environmentId, id, { lastWebhookAt: now })
  }

  /** Remembers events after they are recorded: a call that fails in between is sent again, and nothing counts twice. */
  async function take(target: WebhookTarget, reports: MailReport[], onceOnly: readonly string[], now: number) {
    const keys = [...onceOnly.map((token) => `once ${token}`), ...reports.map(keyOf)]
    const known = await mailIntegrations.findEvents(target.environmentId, target.id, keys)
    const fresh = new Map<string, MailReport>()
    for (const report of reports) {
      if (!known.has(keyOf(report)) && !known.has(`once ${report.eventId}`)) fresh.set(keyOf(report), report)
    }
    const matched = await deps.record(target, [...fresh.values()], now)
    await mailIntegrations.rememberEvents(target.environmentId, target.id, [...new Set(keys)], now)
    return { matched, duplicates: reports.length - fresh.size }
  }

  return {
    async find(provider, webhookId) {
      const found = WEBHOOK_ID.test(webhookId) ? await mailIntegrations.findByWebhookId(webhookId) : undefined
      const hasWebhook = mailProviders.get(provider as MailProviderName)?.createWebhookReader != null
      if (found?.provider !== provider || !hasWebhook) throw new ApiError('email-integration/not-found')
      await deps.requireOpen(found.environmentId)
      return found
    },

    async receive(target, call) {
      requirePassword(target, call.headers.authorization)
      const verdict = await (await readerOf(target)).read(call)
      if (!verdict.ok) throw new ApiError('webhook/invalid-signature', { message: verdict.reason })
      await recordCall(target, call.now)
      if ('confirmUrl' in verdict) {
        await confirmSubscription(deps, verdict.confirmUrl)
        return { received: 1, matched: 0, duplicates: 0, ignored: 1 }
      }
      const { reports, ignored, onceOnly = [] } = verdict
      const taken = await take(target, reports, onceOnly, call.now)
      return { received: reports.length + ignored, ...taken, ignored }
    },
  }
}

const keyOf = ({ eventId }: MailReport) => `event ${eventId}`

/** Providers that sign nothing send the user name and password of the address. @throws ApiError `webhook/invalid-signature`. */
function requirePassword({ webhookPasswordHash }: MailIntegration, authorization = ''): void {
  if (webhookPasswordHash === null) return
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? []
  const [user, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const isEqual = isEqualInConstantTime(sha256Hex(rest.join(':')), webhookPasswordHash)
  if (isEqual && user === WEBHOOK_USER) return
  throw new ApiError('webhook/invalid-signature', {
    message: 'The user name or the password of the webhook address is missing or wrong.',
  })
}

/** @throws ApiError `service/unavailable`, so that the provider asks again. */
async function confirmSubscription({ confirm }: Taken, url: string): Promise<void> {
  const message = 'The subscription could not be confirmed.'
  const { status } = await confirm(url).catch((cause: unknown) => {
    throw new ApiError('service/unavailable', { message }, { cause })
  })
  if (status >= 300) throw new ApiError('service/unavailable', { message })
}
