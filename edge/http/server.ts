// Adds all routes of the edge, grouped by area. No other file lists them.

import { compress } from 'hono/compress'
import { addConnectorRoutes, type ConnectorsDeps } from './connectors.ts'
import { addWidgetCors, type CorsDeps } from './cors.ts'
import { addDashboardMemberRoutes, type DashboardMembersDeps } from './dashboard/members.ts'
import { addDashboardPasskeyRoutes, type DashboardPasskeysDeps } from './dashboard/passkeys.ts'
import { addDashboardSecondFactorRoutes, type DashboardSecondFactorDeps } from './dashboard/second-factor.ts'
import { addDashboardSetUpRoutes, type DashboardSetUpDeps } from './dashboard/set-up.ts'
import { addDashboardSignInRoutes, type DashboardSignInDeps } from './dashboard/sign-in.ts'
import { addDashboardSignOnQuestionRoutes, type DashboardSignOnQuestionDeps } from './dashboard/sign-on-question.ts'
import { addDashboardSingleSignOnRoutes, type DashboardSingleSignOnDeps } from './dashboard/single-sign-on.ts'
import { addTenantRoutes, type TenantRoutesDeps } from './dashboard/tenant-routes.ts'
import type { Http, HttpDeps } from './http.ts'
import { createHttp } from './http.ts'
import { addEventRegisterRoute, type EventRegisterDeps } from './inbox/event-register.ts'
import { addInboxActionRoutes, type InboxActionsDeps } from './inbox/inbox-actions.ts'
import { addInboxChangesRoute, type InboxChangesDeps } from './inbox/inbox-changes.ts'
import { addInboxMessageRoutes, type InboxMessagesDeps } from './inbox/inbox-messages.ts'
import { addInboxPreferencesRoutes, type InboxPreferencesDeps } from './inbox/inbox-preferences.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { addMailLinkRoutes, type MailLinksDeps } from './mail/mail-links.ts'
import { addCampaignTrialRoutes, type CampaignTrialsDeps } from './management/campaign-trials.ts'
import { addCampaignRoutes, type CampaignsDeps } from './management/campaigns.ts'
import { addDeliveryRoutes, type DeliveriesDeps } from './management/deliveries.ts'
import { addDoubtRoutes, type DoubtsDeps } from './management/doubts.ts'
import { addEmailDomainRoute, type EmailDomainsDeps } from './management/email-domains.ts'
import { addEmailIntegrationRoutes, type EmailIntegrationsDeps } from './management/email-integrations.ts'
import { addEnricherRoutes, type EnrichersDeps } from './management/enrichers.ts'
import { addEventRoutes, type EventsDeps } from './management/events.ts'
import { addMailboxRoutes, type MailboxDeps } from './management/mailbox.ts'
import { addRunRoutes, type RunsDeps } from './management/runs.ts'
import { addSourceRoutes, type SourcesDeps } from './management/sources.ts'
import { addStatsRoutes, type StatsDeps } from './management/stats.ts'
import { addSuppressionRoutes, type SuppressionsDeps } from './management/suppressions.ts'
import { addTextRoutes, type TextsDeps } from './management/texts.ts'
import { addTopicRoutes, type TopicsDeps } from './management/topics.ts'
import { addUserRecordRoutes, type UserRecordsDeps } from './management/user-records.ts'
import { addUserRoutes, type UsersDeps } from './management/users.ts'
import { addDashboardFiles, type DashboardFilesDeps } from './site/dashboard-files.ts'
import { addDocs } from './site/docs.ts'
import { addHealthRoutes, type HealthDeps } from './site/health.ts'
import { addOpenApi, type OpenApiDeps } from './site/openapi.ts'
import { addWidgetFiles, type WidgetFilesDeps } from './site/widget-files.ts'
import { addTrackRoutes, type TrackDeps } from './track.ts'
import { addUsersAuthRoutes, type UsersAuthDeps } from './users-auth.ts'
import { addWebhookRoutes, type WebhooksDeps } from './webhooks.ts'

/** Dependencies by area; guards, `takeTrack` and `takeWebhook` come from `rateLimits`. */
export interface ServerDeps {
  http: Omit<HttpDeps, 'keyGuard'>
  track: Omit<TrackDeps, 'takeTrack'>
  auth: Omit<UsersAuthDeps, 'rateLimits'> & CorsDeps
  inbox: Omit<
    EventRegisterDeps & InboxActionsDeps & InboxChangesDeps & InboxMessagesDeps & InboxPreferencesDeps,
    'guards'
  >
  management: EventsDeps &
    RunsDeps &
    DeliveriesDeps &
    UsersDeps &
    UserRecordsDeps &
    StatsDeps &
    SuppressionsDeps &
    TopicsDeps &
    CampaignsDeps &
    CampaignTrialsDeps &
    EnrichersDeps &
    TextsDeps &
    MailboxDeps &
    EmailIntegrationsDeps &
    EmailDomainsDeps &
    SourcesDeps &
    DoubtsDeps
  mailLinks: MailLinksDeps
  webhooks: Omit<WebhooksDeps, 'takeWebhook'>
  connectors: Omit<ConnectorsDeps, 'takeWebhook'>
  dashboard: DashboardSignInDeps &
    DashboardMembersDeps &
    DashboardSetUpDeps &
    DashboardSecondFactorDeps &
    DashboardPasskeysDeps &
    DashboardSingleSignOnDeps &
    DashboardSignOnQuestionDeps
  tenants: TenantRoutesDeps
  site: HealthDeps & OpenApiDeps & WidgetFilesDeps & DashboardFilesDeps
  rateLimits: RateLimits
}

/** Creates the app with all routes; `createNodeServer(http.app, …)` serves it. */
export function createServer(deps: ServerDeps): Http {
  const { management, rateLimits, site } = deps
  const http = createHttp({ ...deps.http, keyGuard: rateLimits.managementGuard })
  addTrackRoutes(http, { ...deps.track, takeTrack: rateLimits.takeTrack })

  addWebhookRoutes(http, { ...deps.webhooks, takeWebhook: rateLimits.takeWebhook })
  addConnectorRoutes(http, { ...deps.connectors, takeWebhook: rateLimits.takeWebhook })

  // CORS must be added before the routes that pages of customers call.
  addWidgetCors(http, deps.auth)
  addUsersAuthRoutes(http, { ...deps.auth, rateLimits })
  const inbox = { ...deps.inbox, guards: [rateLimits.inboxGuard] }
  addInboxMessageRoutes(http, inbox)
  addInboxChangesRoute(http, inbox)
  addInboxActionRoutes(http, inbox)
  addInboxPreferencesRoutes(http, inbox)
  addEventRegisterRoute(http, inbox)

  // Lists of people's pages are long, and shrink to a tenth; the routes below have the dashboard's paths too.
  http.app.use('/v1/dashboard/*', compress({ encoding: 'gzip' }))
  addEventRoutes(http, management)
  addRunRoutes(http, management)
  addDeliveryRoutes(http, management)
  addUserRoutes(http, management)
  addUserRecordRoutes(http, management)
  addTopicRoutes(http, management)
  addSuppressionRoutes(http, management)
  addCampaignRoutes(http, management)
  addCampaignTrialRoutes(http, management)
  addStatsRoutes(http, management)
  addEnricherRoutes(http, management)
  addTextRoutes(http, management)
  addMailboxRoutes(http, management)
  addEmailIntegrationRoutes(http, management)
  addEmailDomainRoute(http, management)
  addSourceRoutes(http, management)
  addDoubtRoutes(http, management)

  addMailLinkRoutes(http, deps.mailLinks)
  addDashboardSetUpRoutes(http, deps.dashboard)
  addDashboardSignInRoutes(http, deps.dashboard)
  addDashboardSecondFactorRoutes(http, deps.dashboard)
  addDashboardPasskeyRoutes(http, deps.dashboard)
  addDashboardSingleSignOnRoutes(http, deps.dashboard)
  addDashboardSignOnQuestionRoutes(http, deps.dashboard)
  addDashboardMemberRoutes(http, deps.dashboard)
  addTenantRoutes(http, deps.tenants)

  addHealthRoutes(http, site)
  addOpenApi(http, site)
  addDocs(http)
  addWidgetFiles(http, site)
  addDashboardFiles(http, site)
  return http
}
