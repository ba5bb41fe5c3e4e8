// Adds all routes of the edge, grouped by area. No other file lists them.

import { compress } from 'hono/compress'
import { addDashboardAuditRoute } from './dashboard/audit-log.ts'
import { addDashboardCampaignEditorsRoute } from './dashboard/campaign-editors.ts'
import { addDashboardCheckTokenRoute } from './dashboard/check-token.ts'
import { addDashboardCopyRoute } from './dashboard/copy-campaigns.ts'
import { addDashboardEnvironmentRoutes } from './dashboard/environments.ts'
import { addDashboardGivenUpRoutes } from './dashboard/given-up.ts'
import { addDashboardLayoutRoutes } from './dashboard/mail-layouts.ts'
import { addDashboardMemberRoutes } from './dashboard/members.ts'
import { addDashboardConfigRoutes } from './dashboard/notification-configs.ts'
import { addDashboardOrganisationRoutes } from './dashboard/organisations.ts'
import { addDashboardPasskeyRoutes } from './dashboard/passkeys.ts'
import { addDashboardPublishRoutes } from './dashboard/publish-requests.ts'
import { addDashboardSecondFactorRoutes } from './dashboard/second-factor.ts'
import { addDashboardSecretRoutes } from './dashboard/secrets.ts'
import { addDashboardSetUpRoutes } from './dashboard/set-up.ts'
import { addDashboardSignInRoutes } from './dashboard/sign-in.ts'
import { addDashboardSignOnQuestionRoutes } from './dashboard/sign-on-question.ts'
import { addDashboardSingleSignOnRoutes } from './dashboard/single-sign-on.ts'
import { addDashboardTestUserRoute } from './dashboard/test-user.ts'
import { addWidgetCors } from './kernel/cors.ts'
import { createHttp, type Http, type HttpDeps } from './kernel/http.ts'
import type { Services } from './kernel/services.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { addAgainRoutes } from './routes/again.ts'
import { addCampaignTrialRoutes, addTextChangesRoute } from './routes/campaign-trials.ts'
import { addCampaignRoutes } from './routes/campaigns.ts'
import { addConnectorRoutes } from './routes/connectors.ts'
import { addDeliveryRoutes } from './routes/deliveries.ts'
import { addDoubtRoutes } from './routes/doubts.ts'
import { addEmailDomainRoute } from './routes/email-domains.ts'
import { addEmailIntegrationRoutes } from './routes/email-integrations.ts'
import { addEnricherRoutes } from './routes/enrichers.ts'
import { addEventNameRoutes } from './routes/event-names.ts'
import { addEventRegisterRoute } from './routes/event-register.ts'
import { addEventRoutes } from './routes/events.ts'
import { addInboxActionRoutes } from './routes/inbox-actions.ts'
import { addInboxChangesRoute } from './routes/inbox-changes.ts'
import { addInboxMessageRoutes } from './routes/inbox-messages.ts'
import { addInboxPreferencesRoutes } from './routes/inbox-preferences.ts'
import { addMailLinkRoutes } from './routes/mail-links.ts'
import { addMailboxRoutes } from './routes/mailbox.ts'
import { addOnlineRoute } from './routes/online.ts'
import { addRunRoutes } from './routes/runs.ts'
import { addSourceRoutes } from './routes/sources.ts'
import { addStatsRoutes } from './routes/stats.ts'
import { addSuppressionRoutes } from './routes/suppressions.ts'
import { addTextRoutes } from './routes/texts.ts'
import { addTopicRoutes } from './routes/topics.ts'
import { addTrackRoutes } from './routes/track.ts'
import { addUserRecordRoutes } from './routes/user-records.ts'
import { addUserRoutes } from './routes/users.ts'
import { addUsersAuthRoutes } from './routes/users-auth.ts'
import { addWebhookRoutes } from './routes/webhooks.ts'
import { addDashboardFiles } from './site/dashboard-files.ts'
import { addDocs } from './site/docs.ts'
import { addHealthRoutes, type HealthDeps } from './site/health.ts'
import { addOpenApi } from './site/openapi.ts'
import type { ServedFiles } from './site/served-folder.ts'
import { addWidgetFiles } from './site/widget-files.ts'

/** Creates the app with all routes; `createNodeServer(http.app, …)` serves it. */
export function createServer({
  http: settings,
  services,
  rateLimits,
  site,
}: {
  http: Omit<HttpDeps, 'keyGuard'>
  services: Services
  rateLimits: RateLimits
  site: HealthDeps & { widgetFiles: ServedFiles; dashboardFiles: ServedFiles }
}): Http {
  const { version } = site.build
  const http = createHttp({ ...settings, keyGuard: rateLimits.managementGuard })
  addTrackRoutes(http, services, rateLimits)

  addWebhookRoutes(http, services, rateLimits)
  addConnectorRoutes(http, services, rateLimits)
  addWidgetRoutes(http, services, rateLimits)

  // Lists of people's pages are long, and shrink to a tenth; the routes below have the dashboard's paths too.
  http.app.use('/v1/dashboard/*', compress({ encoding: 'gzip' }))
  addManagementRoutes(http, services)
  addMailLinkRoutes(http, services)
  addDashboardRoutes(http, services)

  addHealthRoutes(http, site)
  addOpenApi(http, services, version)
  addDocs(http)
  addWidgetFiles(http, site.widgetFiles, version)
  addDashboardFiles(http, services, site.dashboardFiles)
  return http
}

/** Adds what pages of customers call. */
function addWidgetRoutes(http: Http, services: Services, rateLimits: RateLimits): void {
  // CORS must be added before the routes.
  addWidgetCors(http, services)
  addUsersAuthRoutes(http, services, rateLimits)
  const guards = [rateLimits.inboxGuard]
  addInboxMessageRoutes(http, services, guards)
  addInboxChangesRoute(http, services, guards)
  addInboxActionRoutes(http, services, guards)
  addInboxPreferencesRoutes(http, services, guards)
  addEventRegisterRoute(http, services, guards)
}

/** Adds what keys call; people of the dashboard have the same below the path of an environment. */
function addManagementRoutes(http: Http, services: Services): void {
  addEventRoutes(http, services)
  addEventNameRoutes(http, services)
  addRunRoutes(http, services)
  addDeliveryRoutes(http, services)
  addAgainRoutes(http, services)
  addUserRoutes(http, services)
  addUserRecordRoutes(http, services)
  addTopicRoutes(http, services)
  addSuppressionRoutes(http, services)
  addCampaignRoutes(http, services)
  addCampaignTrialRoutes(http, services)
  addTextChangesRoute(http, services)
  addStatsRoutes(http, services)
  addOnlineRoute(http, services)
  addEnricherRoutes(http, services)
  addTextRoutes(http, services)
  addMailboxRoutes(http, services)
  addEmailIntegrationRoutes(http, services)
  addEmailDomainRoute(http, services)
  addSourceRoutes(http, services)
  addDoubtRoutes(http, services)
}

/** Adds what people of the dashboard alone call. */
function addDashboardRoutes(http: Http, services: Services): void {
  addDashboardSetUpRoutes(http, services)
  addDashboardSignInRoutes(http, services)
  addDashboardSecondFactorRoutes(http, services)
  addDashboardPasskeyRoutes(http, services)
  addDashboardSingleSignOnRoutes(http, services)
  addDashboardSignOnQuestionRoutes(http, services)
  addDashboardMemberRoutes(http, services)
  addDashboardOrganisationRoutes(http, services)
  addDashboardConfigRoutes(http, services)
  addDashboardLayoutRoutes(http, services)
  addDashboardEnvironmentRoutes(http, services)
  addDashboardSecretRoutes(http, services)
  addDashboardCheckTokenRoute(http, services)
  addDashboardTestUserRoute(http, services)
  addDashboardCopyRoute(http, services)
  addDashboardGivenUpRoutes(http, services)
  addDashboardCampaignEditorsRoute(http, services)
  addDashboardPublishRoutes(http, services)
  addDashboardAuditRoute(http, services)
}
