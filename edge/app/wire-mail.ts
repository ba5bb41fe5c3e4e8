// Wires mail: the ways on which an environment's mails go, and what sends them.

import type { LinkTokens } from '../auth/link-token.ts'
import { OWN_SENDER } from '../domain/mail/mail.ts'
import type { MailAddress, MailRoute, MailSender } from '../domain/mail/mail-provider.ts'
import { createOwnSender, defaultFrom } from '../email/account-mail.ts'
import { createMailboxSender } from '../email/mailbox-sender.ts'
import { STARTING_MJML, startingHtml } from '../email/starting-layouts.ts'
import type { TryCampaign } from '../flow/campaigns/try-campaign.ts'
import { createAttachFiles } from '../flow/mail/attach-files.ts'
import type { SendingIntegration } from '../flow/mail/find-senders.ts'
import { createFollowLinks, type FollowLinks } from '../flow/mail/follow-links.ts'
import { createKeepLayout } from '../flow/mail/keep-layout.ts'
import { createPreviewLayout, type PreviewLayout } from '../flow/mail/preview-layout.ts'
import { createPreviewMail } from '../flow/mail/preview-mail.ts'
import { createReadSentMail, type ReadSentMail } from '../flow/mail/read-sent-mail.ts'
import { createRecordHealth } from '../flow/mail/record-health.ts'
import { createRouteSlots } from '../flow/mail/route-slots.ts'
import { createSendMails, type SendMails } from '../flow/mail/send-mails.ts'
import { createWarnMails, type WarnMails } from '../flow/mail/warn-mails.ts'
import { createWatchRoutes } from '../flow/mail/watch-routes.ts'
import { createIsOfDemo } from '../lib/demo-environments.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'
import { type MailIntegrationParts, wireMailIntegrations } from './wire-mail-integrations.ts'
import { traceRoute } from './wire-traces.ts'

export interface Mail extends MailIntegrationParts {
  sendMails: SendMails
  previewMail: TryCampaign['preview']
  warnMails: WarnMails
  readSentMail: ReadSentMail
  previewLayout: PreviewLayout
  startingLayouts(): { html: string; mjml: string }
  linkTokens: LinkTokens
  followLinks: FollowLinks
  /** Closes the connections to providers, after their mails. */
  close(): Promise<void>
}

export function wireMail(core: AppCore, flows: Flows, { requireOpen }: Pick<Auth, 'requireOpen'>): Mail {
  const { settings, mailOutbound, linkTokens } = core
  const { live } = flows
  // For addresses that values choose: inner ones are not for the users of customers.
  const outside = createGuardedFetch({ allow: [], ...core.outbound })
  const smtp = createOwnSender(core.mailProviders, settings.smtpUrl)
  const isOfDemo = createIsOfDemo(settings)
  const from = defaultFrom(settings, core.publicUrl())
  const integrations = wireMailIntegrations(core, {
    ...{ defaultFrom: from, hasOwnSender: smtp !== null, isOfDemo },
    requireOpen,
  })
  const ownRoute = createOwnRoute(core, smtp, from)
  const findRoutes = async (environmentId: number) => {
    const routes = await routesOf(environmentId, integrations.senders, ownRoute, from)
    return routes.map((route) => traceRoute(core.traces, route))
  }
  const findSender = async (environmentId: number, provider?: string | null) =>
    senderOf(await findRoutes(environmentId), provider) ?? from
  return {
    ...integrations,
    previewMail: createPreviewMail({ ...core, live, preview: flows.tryCampaign.preview, findSender }),
    warnMails: createWarnMails({ ...core, live }),
    previewLayout: createPreviewLayout({ ...core, checkLayout: flows.checkLayout, defaultFrom: from }),
    startingLayouts: () => ({ html: startingHtml(), mjml: STARTING_MJML }),
    readSentMail: createReadSentMail({ ...core, live, findSender }),
    linkTokens,
    followLinks: createFollowLinks({ ...core, live, requireOpen }),
    sendMails: createSendMails({
      ...core,
      ...flows,
      keepLayout: createKeepLayout(core),
      attachFiles: createAttachFiles({ fetch: mailOutbound.fetch, fetchPublic: outside.fetch }),
      isOfDemo,
      findRoutes,
      slots: createRouteSlots(core.clock),
      unknownOutcome: settings.emailUnknownOutcome,
      pausesMs: core.mailPausesMs,
      onPutOff: core.metrics.onMailPutOff,
      onAnswer: createOnAnswer(core),
    }),
    close: () =>
      Promise.all([integrations.senders.close(), smtp?.close()])
        .then(() => Promise.all([mailOutbound.close(), outside.close()]))
        .then(() => {}),
  }
}

function createOnAnswer(core: AppCore): NonNullable<Parameters<typeof createSendMails>[0]['onAnswer']> {
  const { metrics } = core
  const recordHealth = createRecordHealth(core)
  const watchRoute = createWatchRoutes({ ...core, onFailing: metrics.onMailFailing })
  return (environmentId, route, outcome) => {
    metrics.onMail(route.provider, outcome.outcome)
    recordHealth(environmentId, route, outcome)
    watchRoute(route, outcome)
  }
}

/** Returns the sender of the provider's route, or of the first one. */
function senderOf(routes: readonly MailRoute[], provider?: string | null): MailAddress | undefined {
  return (routes.find((route) => route.provider === provider) ?? routes[0])?.from
}

async function routesOf(
  environmentId: number,
  senders: Pick<ReturnType<typeof wireMailIntegrations>['senders'], 'find'>,
  ownRoute: (environmentId: number) => MailRoute,
  from: MailAddress,
): Promise<MailRoute[]> {
  const found = await senders.find(environmentId)
  return found.length === 0 ? [ownRoute(environmentId)] : found.map((one) => toRoute(one, from))
}

function toRoute({ integration, provider, sender }: SendingIntegration, from: MailAddress): MailRoute {
  const { name, takesIdempotencyKeys, tracksEngagement } = provider
  const { id: integrationId, maxPerSecond, from: own } = integration
  const sends = { provider: name, takesIdempotencyKeys, tracksEngagement, sender }
  return { ...sends, integrationId, maxPerSecond, from: own ?? from }
}

/** The route of environments without an integration. */
function createOwnRoute(
  core: AppCore,
  smtp: MailSender | null,
  from: MailAddress,
): (environmentId: number) => MailRoute {
  return (environmentId) => {
    const base = { integrationId: OWN_SENDER, tracksEngagement: false, maxPerSecond: null, from }
    if (smtp !== null) return { ...base, provider: 'smtp', takesIdempotencyKeys: false, sender: smtp }
    const sender = createMailboxSender(core, environmentId)
    return { ...base, provider: 'mailbox', takesIdempotencyKeys: true, sender }
  }
}
