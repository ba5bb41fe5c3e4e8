// Adds all routes of the edge, grouped by area. No other file lists them.

import { compress } from 'hono/compress'
import { addDashboardMemberRoutes, type DashboardMembersDeps } from './dashboard/members.ts'
import { addDashboardPasskeyRoutes, type DashboardPasskeysDeps } from './dashboard/passkeys.ts'
import { addDashboardSecondFactorRoutes, type DashboardSecondFactorDeps } from './dashboard/second-factor.ts'
import { addDashboardSetUpRoutes, type DashboardSetUpDeps } from './dashboard/set-up.ts'
import { addDashboardSignInRoutes, type DashboardSignInDeps } from './dashboard/sign-in.ts'
import { addDashboardSignOnQuestionRoutes, type DashboardSignOnQuestionDeps } from './dashboard/sign-on-question.ts'
import { addDashboardSingleSignOnRoutes, type DashboardSingleSignOnDeps } from './dashboard/single-sign-on.ts'
import { addTenantRoutes, type TenantRoutesDeps } from './dashboard/tenant-routes.ts'
import { addWidgetCors, type CorsDeps } from './kernel/cors.ts'
import type { Http, HttpDeps } from './kernel/http.ts'
import { createHttp } from './kernel/http.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { addCampaignTrialRoutes, type CampaignTrialsDeps } from './routes/campaign-trials.ts'
import { addCampaignRoutes, type CampaignsDeps } from './routes/campaigns.ts'
import { addConnectorRoutes, type ConnectorsDeps } from './routes/connectors.ts'
import { addDeliveryRoutes, type DeliveriesDeps } from './routes/deliveries.ts'
import { addDoubtRoutes, type DoubtsDeps } from './routes/doubts.ts'
import { addEmailDomainRoute, type EmailDomainsDeps } from './routes/email-domains.ts'
import { addEmailIntegrationRoutes, type EmailIntegrationsDeps } from './routes/email-integrations.ts'
import { addEnricherRoutes, type EnrichersDeps } from './routes/enrichers.ts'
import { addEventRegisterRoute, type EventRegisterDeps } from './routes/event-register.ts'
import { addEventRoutes, type EventsDeps } from './routes/events.ts'
import { addInboxActionRoutes, type InboxActionsDeps } from './routes/inbox-actions.ts'
import { addInboxChangesRoute, type InboxChangesDeps } from './routes/inbox-changes.ts'
import { addInboxMessageRoutes, type InboxMessagesDeps } from './routes/inbox-messages.ts'
import { addInboxPreferencesRoutes, type InboxPreferencesDeps } from './routes/inbox-preferences.ts'
import { addMailLinkRoutes, type MailLinksDeps } from './routes/mail-links.ts'
import { addMailboxRoutes, type MailboxDeps } from './routes/mailbox.ts'
import { addRunRoutes, type RunsDeps } from './routes/runs.ts'
import { addSourceRoutes, type SourcesDeps } from './routes/sources.ts'
import { addStatsRoutes, type StatsDeps } from './routes/stats.ts'
import { addSuppressionRoutes, type SuppressionsDeps } from './routes/suppressions.ts'
import { addTextRoutes, type TextsDeps } from './routes/texts.ts'
import { addTopicRoutes, type TopicsDeps } from './routes/topics.ts'
import { addTrackRoutes, type TrackDeps } from './routes/track.ts'
import { addUserRecordRoutes, type UserRecordsDeps } from './routes/user-records.ts'
import { addUserRoutes, type UsersDeps } from './routes/users.ts'
import { addUsersAuthRoutes, type UsersAuthDeps } from './routes/users-auth.ts'
import { addWebhookRoutes, type WebhooksDeps } from './routes/webhooks.ts'
import { addDashboardFiles, type DashboardFilesDeps } from './site/dashboard-files.ts'
import { addDocs } from './site/docs.ts'
import { addHealthRoutes, type HealthDeps } from './site/health.ts'
import { addOpenApi, type OpenApiDeps } from './site/openapi.ts'
import { addWidgetFiles, type WidgetFilesDeps } from './site/widget-files.ts'

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
