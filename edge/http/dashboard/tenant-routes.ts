// Adds the dashboard's routes of organisations, environments, secrets, copies, given-up work, notification configs, layouts and the audit log.

import type { Http } from '../kernel/http.ts'
import { addDashboardAuditRoute, type DashboardAuditDeps } from './audit-log.ts'
import { addDashboardCheckTokenRoute, type DashboardCheckTokenDeps } from './check-token.ts'
import { addDashboardCopyRoute, type DashboardCopyDeps } from './copy-campaigns.ts'
import { addDashboardEnvironmentRoutes, type DashboardEnvironmentsDeps } from './environments.ts'
import { addDashboardGivenUpRoutes, type DashboardGivenUpDeps } from './given-up.ts'
import { addDashboardLayoutRoutes, type DashboardLayoutsDeps } from './mail-layouts.ts'
import { addDashboardConfigRoutes, type DashboardConfigsDeps } from './notification-configs.ts'
import { addDashboardOrganisationRoutes, type DashboardOrganisationsDeps } from './organisations.ts'
import { addDashboardSecretRoutes, type DashboardSecretsDeps } from './secrets.ts'

export type TenantRoutesDeps = DashboardOrganisationsDeps &
  DashboardConfigsDeps &
  DashboardLayoutsDeps &
  DashboardEnvironmentsDeps &
  DashboardSecretsDeps &
  DashboardCheckTokenDeps &
  DashboardCopyDeps &
  DashboardGivenUpDeps &
  DashboardAuditDeps

export function addTenantRoutes(http: Http, deps: TenantRoutesDeps): void {
  addDashboardOrganisationRoutes(http, deps)
  addDashboardConfigRoutes(http, deps)
  addDashboardLayoutRoutes(http, deps)
  addDashboardEnvironmentRoutes(http, deps)
  addDashboardSecretRoutes(http, deps)
  addDashboardCheckTokenRoute(http, deps)
  addDashboardCopyRoute(http, deps)
  addDashboardGivenUpRoutes(http, deps)
  addDashboardAuditRoute(http, deps)
}
