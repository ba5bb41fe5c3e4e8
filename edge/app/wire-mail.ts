// Wires mail: the ways on which an environment's mails go, and what sends them.

import { createLinkTokens, type LinkTokens } from '../auth/link-token.ts'
import { OWN_SENDER } from '../domain/mail/mail.ts'
import type { MailAddress, MailRoute, MailSender } from '../domain/mail/mail-provider.ts'
import { createOwnSender, defaultFrom } from '../email/account-mail.ts'
import { createMailboxSender } from '../email/mailbox-sender.ts'
import { createMailProviders } from '../email/providers/mail-providers.ts'
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
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import { wireComposer } from './wire-composer.ts'
import type { Flows } from './wire-flows.ts'
import { type MailIntegrationParts, wireMailIntegrations } from './wire-mail-integrations.ts'

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

export function wireMail(core: Core, auth: Auth, flows: Flows, sandbox: Sandbox): Mail {
  const { stores, settings, bus, clock, log, metrics, commitPlan } = core
  // Its own connections: mails must not wait for enrichers.
  const outbound = createGuardedFetch({ allow: settings.outboundAllow, ...core.outbound })
  // For addresses that values choose: inner ones are not for the users of customers.
  const outside = createGuardedFetch({ allow: [], ...core.outbound })
  const providers = core.mailProviders ?? createMailProviders({ fetch: outbound.fetch, allow: settings.outboundAllow })
  const smtp = createOwnSender(providers, settings.smtpUrl)
  const isOfDemo = createIsOfDemo(settings)
  const from = defaultFrom(settings, core.publicUrl())
  const integrations = wireMailIntegrations(core, auth, {
    providers,
    fetch: outbound.fetch,
    defaultFrom: from,
    hasOwnSender: smtp !== null,
    isOfDemo,
  })
  const ownRoute = createOwnRoute(core, smtp, from)
  const linkTokens = createLinkTokens(core.masterKeys)
  const { compose } = wireComposer(core.publicUrl, linkTokens, sandbox)
  const findRoutes = (environmentId: number) => routesOf(environmentId, integrations.senders, ownRoute, from)
  return {
    ...integrations,
    previewMail: createPreviewMail({
      ...{ ...stores, live: flows.live, compose, preview: flows.tryCampaign.preview },
      findSender: async (environmentId) => senderOf(await findRoutes(environmentId)) ?? from,
    }),
    warnMails: createWarnMails({ ...stores, live: flows.live, compose }),
    previewLayout: createPreviewLayout({ ...stores, ...flows, compose, defaultFrom: from }),
    startingLayouts: () => ({ html: startingHtml(), mjml: STARTING_MJML }),
    readSentMail: createReadSentMail({
      ...{ ...stores, live: flows.live, compose },
      findSender: async (environmentId, provider) => senderOf(await findRoutes(environmentId), provider) ?? from,
    }),
    linkTokens,
    followLinks: createFollowLinks({ ...stores, live: flows.live, commitPlan, bus, clock }),
    sendMails: createSendMails({
      ...stores,
      ...flows,
      compose,
      keepLayout: createKeepLayout({ ...stores, clock }),
      attachFiles: createAttachFiles({ fetch: outbound.fetch, fetchPublic: outside.fetch }),
      isOfDemo,
      findRoutes,
      slots: createRouteSlots(clock),
      commitPlan,
      bus,
      unknownOutcome: settings.emailUnknownOutcome,
      pausesMs: core.mailPausesMs,
      clock,
      log,
      onPutOff: metrics.onMailPutOff,
      recordDoubt: core.countDoubts.record,
      onAnswer: createOnAnswer(core),
    }),
    close: () =>
      Promise.all([integrations.senders.close(), smtp?.close()])
        .then(() => Promise.all([outbound.close(), outside.close()]))
        .then(() => {}),
  }
}

function createOnAnswer({
  stores,
  clock,
  log,
  metrics,
}: Core): NonNullable<Parameters<typeof createSendMails>[0]['onAnswer']> {
  const recordHealth = createRecordHealth({ mailIntegrations: stores.mailIntegrations, clock, log })
  const watchRoute = createWatchRoutes({ clock, log, onFailing: metrics.onMailFailing })
  return (route, outcome) => {
    metrics.onMail(route.provider, outcome.outcome)
    recordHealth(route, outcome)
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
function createOwnRoute(core: Core, smtp: MailSender | null, from: MailAddress): (environmentId: number) => MailRoute {
  const { stores, mailFiles, clock } = core
  return (environmentId) => {
    const base = { integrationId: OWN_SENDER, tracksEngagement: false, maxPerSecond: null, from }
    if (smtp !== null) return { ...base, provider: 'smtp', takesIdempotencyKeys: false, sender: smtp }
    const sender = createMailboxSender({ mailbox: stores.mailbox, mailFiles, clock }, environmentId)
    return { ...base, provider: 'mailbox', takesIdempotencyKeys: true, sender }
  }
}
