// Finds how an environment sends mail: its integrations by priority, opened, each with its sender.

import type { Core } from '../../domain/core.ts'
import type { MailIntegration, MailIntegrations } from '../../domain/mail/mail-integration.ts'
import type { MailProvider, MailSender } from '../../domain/mail/mail-provider.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import type { Log } from '../../lib/log.ts'
import { openCredentials } from './open-credentials.ts'

export interface SendingIntegration {
  integration: Revised<MailIntegration>
  provider: MailProvider
  sender: MailSender
}

export interface FindSenders {
  /** @returns The integrations of the environment with their senders, in the order in which they are tried. */
  find(environmentId: number): Promise<readonly SendingIntegration[]>
  /** Whether a mail of the environment has any way to go. */
  canSendMail(environmentId: number): Promise<boolean>
  /** Closes all senders, after their mails. */
  close(): Promise<void>
}

type Taken = Pick<Core, 'mailProviders' | 'open' | 'bus' | 'clock'> & {
  mailIntegrations: Pick<MailIntegrations, 'listOf'>
  /** Whether the server itself sends mails of environments without an integration. */
  hasOwnSender: boolean
  log: Pick<Log, 'error'>
}

/** Limits how long a lost signal of the bus leaves old senders in use. */
const MAX_AGE_MS = 30_000
const MAX_ENVIRONMENTS = 1000
/** A caller may still hold a sender that was replaced: it is closed after this time. */
export const RETIRE_MS = 60_000

interface Loaded {
  /** Epoch ms; minus infinity after a change, so that the next caller loads again. */
  loadedAt: number
  senders: SendingIntegration[]
}

export function createFindSenders(deps: Taken): FindSenders {
  const { bus, clock } = deps
  /** In the order of their last use. */
  const environments = new Map<number, Loaded>()
  const loads = new Map<number, { promise: Promise<readonly SendingIntegration[]> }>()
  const retired = new Map<MailSender, NodeJS.Timeout>()

  const unsubscribe = bus.subscribe('mail-integrations-changed', ({ environmentId }) => {
    const loaded = environments.get(environmentId)
    if (loaded !== undefined) loaded.loadedAt = Number.NEGATIVE_INFINITY
    // A load in progress may have read the former state: its callers get the result, but it is not kept.
    loads.delete(environmentId)
  })

  function retire(senders: readonly SendingIntegration[]): void {
    for (const { sender } of senders) {
      const timer = setTimeout(() => {
        retired.delete(sender)
        closeSender(sender)
      }, RETIRE_MS)
      timer.unref()
      retired.set(sender, timer)
    }
  }

  function closeSender(sender: MailSender): Promise<void> {
    return sender.close().catch((error: unknown) => deps.log.error('mail sender not closed', { error }))
  }

  function keep(environmentId: number, loaded: Loaded): void {
    environments.delete(environmentId)
    environments.set(environmentId, loaded)
    if (environments.size <= MAX_ENVIRONMENTS) return
    const [oldest] = environments
    if (oldest === undefined) return
    environments.delete(oldest[0])
    retire(oldest[1].senders)
  }

  async function load(environmentId: number, isCurrent: () => boolean): Promise<readonly SendingIntegration[]> {
    const loadedAt = deps.clock.now()
    const listed = await deps.mailIntegrations.listOf(environmentId)
    const opened = await Promise.all(listed.map((integration) => openOne(deps, integration)))
    // No wait from here on: the senders of the entry must not change meanwhile.
    const former = environments.get(environmentId)?.senders ?? []
    const senders = opened.flatMap((one): SendingIntegration[] => {
      if (one === undefined) return []
      const { integration, provider, credentials } = one
      const same = former.find((known) => isSame(known.integration, integration))
      return [{ integration, provider, sender: same?.sender ?? provider.createSender(credentials) }]
    })
    if (isCurrent()) {
      retire(without(former, senders))
      keep(environmentId, { loadedAt, senders })
    } else {
      retire(without(senders, former))
    }
    return senders
  }

  function startLoad(environmentId: number): Promise<readonly SendingIntegration[]> {
    const isCurrent = () => loads.get(environmentId) === started
    const started = {
      // Begins in a later turn, when `started` is set.
      promise: Promise.resolve()
        .then(() => load(environmentId, isCurrent))
        .finally(() => {
          if (isCurrent()) loads.delete(environmentId)
        }),
    }
    loads.set(environmentId, started)
    return started.promise
  }

  async function find(environmentId: number): Promise<readonly SendingIntegration[]> {
    const kept = environments.get(environmentId)
    if (kept !== undefined && clock.now() - kept.loadedAt < MAX_AGE_MS) {
      keep(environmentId, kept)
      return kept.senders
    }
    return loads.get(environmentId)?.promise ?? startLoad(environmentId)
  }

  return {
    find,
    canSendMail: async (environmentId) => deps.hasOwnSender || (await find(environmentId)).length > 0,
    async close() {
      unsubscribe()
      for (const timer of retired.values()) clearTimeout(timer)
      const senders = [...environments.values()].flatMap((loaded) => loaded.senders.map(({ sender }) => sender))
      environments.clear()
      await Promise.all([...senders, ...retired.keys()].map(closeSender))
    },
  }
}

/** @returns Undefined for an integration that cannot be opened, which then sends nothing. */
async function openOne(deps: Taken, integration: Revised<MailIntegration>) {
  const { id: integrationId, environmentId } = integration
  try {
    const opened = await openCredentials(deps, integration)
    if (opened !== undefined) return { integration, ...opened }
    deps.log.error('mail integration skipped: provider unknown', { integrationId, environmentId })
  } catch (error) {
    deps.log.error('mail integration skipped: credentials not opened', { error, integrationId, environmentId })
  }
}

const without = (senders: SendingIntegration[], others: SendingIntegration[]) =>
  senders.filter(({ sender }) => !others.some((other) => other.sender === sender))

const isSame = (left: Revised<MailIntegration>, right: Revised<MailIntegration>) =>
  left.id === right.id && left.revision === right.revision
