// Wires mail: the ways on which an environment's mails go, and what sends them.

import { join } from 'node:path'
import type { MailComposer } from '../domain/mail/compose-mail.ts'
import { OWN_SENDER } from '../domain/mail/mail.ts'
import type { MailAddress, MailRoute, MailSender } from '../domain/mail/mail-provider.ts'
import { createMailboxSender } from '../email/mailbox-sender.ts'
import { createRouteSlots } from '../flow/mail/route-slots.ts'
import { createSendMails, type SendMails } from '../flow/mail/send-mails.ts'
import type { Core } from './core.ts'
import type { Flows } from './wire-flows.ts'

export interface MailParts {
  compose: MailComposer['compose']
  /** The integrations of an environment, by priority; empty when it has none. */
  findIntegrations(environmentId: number): Promise<MailRoute[]>
  /** Of SMTP_URL; null without. */
  smtp: MailSender | null
  onAnswer: NonNullable<Parameters<typeof createSendMails>[0]['onAnswer']>
}

export function wireMail(core: Core, flows: Flows, parts: MailParts): SendMails {
  const { stores, settings, clock, log, metrics, commitPlan } = core
  const { live, sendPolicies, pinned } = flows
  const ownRoute = createOwnRoute(core, parts.smtp)
  return createSendMails({
    ...stores,
    live,
    sendPolicies,
    pinned,
    compose: parts.compose,
    async findRoutes(environmentId) {
      const routes = await parts.findIntegrations(environmentId)
      return routes.length > 0 ? routes : [ownRoute(environmentId)]
    },
    slots: createRouteSlots(),
    commitPlan,
    unknownOutcome: settings.emailUnknownOutcome,
    pausesMs: core.mailPausesMs,
    clock,
    log,
    onAnswer(route, outcome) {
      metrics.onMail(route.provider, outcome.outcome)
      parts.onAnswer(route, outcome)
    },
  })
}

/** The sender of mails whose config and integration name none. */
export function defaultSender({ settings, publicUrl }: Pick<Core, 'settings' | 'publicUrl'>): MailAddress {
  return settings.emailFrom ?? { name: null, address: `no-reply@${new URL(publicUrl()).hostname}` }
}

function createOwnRoute(core: Core, smtp: MailSender | null): (environmentId: number) => MailRoute {
  const { settings, stores, clock } = core
  // With several nodes the mailbox of the store alone is shared.
  const folder = settings.databaseUrl === null ? join(settings.dataDir, 'mails') : null
  return (environmentId) => {
    const from = defaultSender(core)
    const base = { integrationId: OWN_SENDER, tracksEngagement: false, from }
    if (smtp !== null) return { ...base, provider: 'smtp', takesIdempotencyKeys: false, sender: smtp }
    const sender = createMailboxSender({ mailbox: stores.mailbox, folder, clock }, environmentId)
    return { ...base, provider: 'mailbox', takesIdempotencyKeys: true, sender }
  }
}
