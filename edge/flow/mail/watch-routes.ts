// Logs when a way of mails fails and when it works again: a mail server that is away must not stay unseen.

import type { Core } from '../../domain/core.ts'
import { OWN_SENDER } from '../../domain/mail/mail.ts'
import type { MailRoute, SendOutcome } from '../../domain/mail/mail-provider.ts'
import { formatId } from '../../lib/id.ts'
import type { LogFields } from '../../lib/log.ts'

/** A failure that goes on is logged again so often. */
const AGAIN_MS = 10 * 60_000

interface Failing {
  provider: MailRoute['provider']
  loggedAt: number
  /** Answers since the last line. */
  count: number
}

/** A refusal for the reasons of one mail says nothing about its way. */
export function createWatchRoutes({
  clock,
  log,
  onFailing,
}: Pick<Core, 'clock' | 'log'> & {
  /** Receives how many integrations of a provider, the own mail server included, fail at present. */
  onFailing?(provider: MailRoute['provider'], count: number): void
}) {
  // Those that fail at present alone.
  const failing = new Map<number, Failing>()

  function report(provider: MailRoute['provider']): void {
    onFailing?.(provider, [...failing.values()].filter((one) => one.provider === provider).length)
  }

  return function watchRoute(
    { integrationId, provider }: Pick<MailRoute, 'integrationId' | 'provider'>,
    outcome: SendOutcome,
  ): void {
    const known = failing.get(integrationId)
    if (outcome.outcome === 'unavailable' || outcome.outcome === 'unknown') {
      const now = clock.now()
      const state = known ?? { provider, loggedAt: Number.NEGATIVE_INFINITY, count: 0 }
      state.count++
      failing.set(integrationId, state)
      if (known === undefined) report(provider)
      if (now - state.loggedAt < AGAIN_MS) return
      log.warn('mails are not taken', {
        ...nameOf(integrationId),
        kind: provider,
        reason: outcome.error,
        count: state.count,
      })
      state.loggedAt = now
      state.count = 0
    } else if (known !== undefined && outcome.outcome === 'accepted') {
      failing.delete(integrationId)
      report(provider)
      log.info('mails are taken again', { ...nameOf(integrationId), kind: provider })
    }
  }
}

function nameOf(integrationId: number): LogFields {
  return integrationId === OWN_SENDER
    ? { setting: 'SMTP_URL' }
    : { integrationId: formatId('mailIntegration', integrationId) }
}
