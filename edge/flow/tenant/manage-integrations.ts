// Manages the integrations of an environment with providers of mail: list, read, create, change, remove.

import { randomBytes } from 'node:crypto'
import type {
  ChangedEmailIntegrationAnswer,
  EmailIntegrationAnswer,
  EmailIntegrationChange,
  NewEmailIntegration,
} from '../../../contract/resources/email-integration.ts'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import {
  type IntegrationHealth,
  MAX_INTEGRATIONS,
  type MailIntegration,
  type MailIntegrations,
} from '../../domain/mail/mail-integration.ts'
import type { MailProvider } from '../../domain/mail/mail-provider.ts'
import { nameTaken } from '../../domain/tenant/parse-name.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage, type PageQuery } from '../../lib/cut-page.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { formatId, parseId } from '../../lib/id.ts'
import { readAccount } from '../mail/open-credentials.ts'
import { changeStored } from './change-stored.ts'
import { requireRevision } from './require-revision.ts'

/** The user name of every webhook address that needs a password. */
export const WEBHOOK_USER = 'webhook'

type Taken = Pick<
  Core,
  'mailIntegrations' | 'mailProviders' | 'seal' | 'open' | 'publicUrl' | 'audit' | 'bus' | 'clock' | 'ids'
>

export type ManageIntegrations = ReturnType<typeof createManageIntegrations>

const NO_HEALTH: IntegrationHealth = { lastSentAt: null, lastErrorAt: null, lastError: null, lastWebhookAt: null }

export function createManageIntegrations(deps: Taken) {
  const { mailIntegrations, mailProviders, seal, open, bus, clock, ids } = deps

  function auditOf(environmentId: number, id: number, verb: string, by: ChangedBy, detail: AuditEntry['detail']) {
    const subject = formatId('mailIntegration', id)
    return { at: clock.now(), ...by, action: `email-integration.${verb}`, environmentId, subject, detail }
  }

  /** The faults of the body told before that this server has the provider (`find-integration-faults.ts`). */
  function getProvider(name: MailProviderName): MailProvider {
    const provider = mailProviders.get(name)
    if (provider === undefined) throw new Error(`provider of mail without its program: ${name}`)
    return provider
  }

  /** @throws ApiError As `getIntegration`, and `request/conflict` where `takes` does not take the stored revision. */
  async function getAt(environmentId: number, id: string, takes?: TakesRevision) {
    const integration = await getIntegration(mailIntegrations, environmentId, id)
    const subject = formatId('mailIntegration', integration.id)
    const entries = { environmentId, action: 'email-integration', subject }
    await requireRevision(deps.audit, takes, integration, { noun: 'integration', ...entries })
    return integration
  }

  const toAnswer = createToAnswer(deps)

  return {
    /** Throws `email-integration/not-found`. */
    get: async (environmentId: number, id: string) =>
      toAnswer(await getIntegration(mailIntegrations, environmentId, id)),

    /** Newest first; without a limit all. */
    async list(environmentId: number, query: PageQuery = {}) {
      const all = (await mailIntegrations.listOf(environmentId)).sort((one, other) => other.id - one.id)
      const name = { list: 'email-integrations', of: environmentId }
      const { data, nextCursor } = cutPage(name, all, query, ({ id }) => id)
      return { data: await Promise.all(data.map(toAnswer)), nextCursor }
    },

    /** Throws `request/conflict` for a taken name, and beyond `MAX_INTEGRATIONS`. */
    async create(
      environmentId: number,
      { credentials, ...settings }: NewEmailIntegration,
      by: ChangedBy,
    ): Promise<ChangedEmailIntegrationAnswer> {
      const { name, from, priority, maxPerSecond } = settings
      const provider = getProvider(settings.provider)
      const sealed = await seal(JSON.stringify(credentials))
      const password = newPassword(provider)
      return changeStored('integration', async () => {
        if ((await mailIntegrations.listOf(environmentId)).length >= MAX_INTEGRATIONS) throw tooMany()
        const at = clock.now()
        const integration: MailIntegration = {
          id: ids.mailIntegration.next(),
          environmentId,
          name,
          provider: provider.name,
          sealed,
          from,
          priority,
          maxPerSecond,
          webhookId: `whi_${randomBytes(16).toString('hex')}`,
          webhookPasswordHash: password.hash,
          createdAt: at,
          updatedAt: at,
        }
        const audit = auditOf(environmentId, integration.id, 'create', by, { name, provider: provider.name, priority })
        if (!(await mailIntegrations.insertOnce(integration, audit))) throw nameTaken('integration of this environment')
        bus.publish('mail-integrations-changed', { environmentId })
        return { ...(await toAnswer({ ...integration, ...NO_HEALTH, revision: 1 })), ...password.shown }
      })
    },

    /**
     * Replaces all but absent credentials; writes nothing when nothing differs. Throws as `get` and `create` do,
     * `request/conflict` where `takes` does not take the stored revision, and `request/invalid-body` for another provider
     * without its credentials.
     */
    async put(
      environmentId: number,
      id: string,
      change: EmailIntegrationChange,
      by: ChangedBy,
      takes?: TakesRevision,
    ): Promise<ChangedEmailIntegrationAnswer> {
      return changeStored('integration', async () => {
        const former = await getAt(environmentId, id, takes)
        const { name, from, priority, maxPerSecond, credentials } = change
        const provider = getProvider(change.provider)
        if (credentials === undefined && provider.name !== former.provider) throw noCredentials()
        // Sealed again in any case: the key of the stored text may be about to go.
        const stored = await open(former.sealed)
        const newCredentials = credentials !== undefined && !isSameJson(credentials, JSON.parse(stored))
        const sealed = await seal(newCredentials ? JSON.stringify(credentials) : stored)
        const password = needsPassword(provider, change, former) ? newPassword(provider) : undefined
        const next: Revised<MailIntegration> & IntegrationHealth = {
          ...former,
          name,
          from,
          priority,
          maxPerSecond,
          provider: provider.name,
          sealed,
          webhookPasswordHash: password === undefined ? former.webhookPasswordHash : password.hash,
          updatedAt: clock.now(),
        }
        const difference = differenceOf(toDocument(former), toDocument(next)).join('\n')
        const isSame = !newCredentials && password === undefined && isSameJson(toDocument(former), toDocument(next))
        if (isSame) return toAnswer(former)
        const detail = { difference, newCredentials, newWebhookPassword: password?.shown !== undefined }
        const entry = { ...auditOf(environmentId, former.id, 'change', by, detail), at: next.updatedAt }
        const saved = await mailIntegrations.save(next, entry)
        if (saved === 'taken') throw nameTaken('integration of this environment')
        if (saved === 'changed') return undefined
        bus.publish('mail-integrations-changed', { environmentId })
        return { ...(await toAnswer({ ...next, revision: former.revision + 1 })), ...password?.shown }
      })
    },

    /** Throws `email-integration/not-found`, and as `put` does for `takes`. */
    remove: (environmentId: number, id: string, by: ChangedBy, takes?: TakesRevision): Promise<{ deleted: true }> =>
      changeStored('integration', async () => {
        const { id: number, revision, name, provider } = await getAt(environmentId, id, takes)
        const audit = auditOf(environmentId, number, 'delete', by, { name, provider })
        if (!(await mailIntegrations.remove(environmentId, number, revision, audit))) return undefined
        bus.publish('mail-integrations-changed', { environmentId })
        return { deleted: true as const }
      }),
  }
}

/** @returns a function that gives the answer of an integration, without its credentials */
function createToAnswer({ mailProviders, open, publicUrl }: Taken) {
  return async (integration: Revised<MailIntegration> & IntegrationHealth): Promise<EmailIntegrationAnswer> => {
    const { id, name, provider, from, priority, maxPerSecond, webhookId, createdAt, updatedAt } = integration
    const hasWebhook = mailProviders.get(provider)?.createWebhookReader != null
    const { lastSentAt, lastErrorAt, lastError, lastWebhookAt } = integration
    return {
      id: formatId('mailIntegration', id),
      name,
      provider,
      from,
      priority,
      maxPerSecond,
      account: await readAccount({ mailProviders, open }, integration),
      webhookUrl: hasWebhook ? `${publicUrl().replace(/\/$/, '')}/v1/webhooks/${provider}/${webhookId}` : null,
      createdAt: toIso(createdAt),
      updatedAt: toIso(updatedAt),
      revision: integration.revision,
      state: {
        lastSentAt: isoOrNull(lastSentAt),
        lastErrorAt: isoOrNull(lastErrorAt),
        lastError,
        lastWebhookAt: isoOrNull(lastWebhookAt),
      },
    }
  }
}

/** @throws ApiError `email-integration/not-found`. */
export async function getIntegration(
  integrations: Pick<MailIntegrations, 'find'>,
  environmentId: number,
  text: string,
): Promise<Revised<MailIntegration> & IntegrationHealth> {
  const id = parseId('mailIntegration', text)
  const found = id === undefined ? undefined : await integrations.find(environmentId, id)
  if (found === undefined) throw new ApiError('email-integration/not-found')
  return found
}

function needsPassword(
  provider: MailProvider,
  { rotateWebhookPassword }: EmailIntegrationChange,
  former: MailIntegration,
): boolean {
  return rotateWebhookPassword === true || provider.usesWebhookPassword !== (former.webhookPasswordHash !== null)
}

/** @returns A new password where the provider signs nothing: its hash is stored, and the text shown once. */
function newPassword({ usesWebhookPassword }: MailProvider) {
  if (!usesWebhookPassword) return { hash: null, shown: undefined }
  const password = randomBytes(24).toString('hex')
  return { hash: sha256Hex(password), shown: { webhookCredentials: { username: WEBHOOK_USER, password } } }
}

/** @returns The settings without secrets, for the audit log. */
function toDocument({ name, provider, from, priority, maxPerSecond }: MailIntegration) {
  return { name, provider, from, priority, maxPerSecond }
}

const isoOrNull = (at: number | null) => (at === null ? null : toIso(at))

function noCredentials(): ApiError {
  return new ApiError('request/invalid-body', { details: [{ path: 'credentials', message: 'This is missing.' }] })
}

function tooMany(): ApiError {
  return new ApiError('request/conflict', { message: `An environment has at most ${MAX_INTEGRATIONS} integrations.` })
}
