// Wires organisations, environments, secrets and the audit log of the dashboard.

import { checkPublicKey, providerCredential, publicKeyCredential } from '../auth/jwt.ts'
import { newSecretValue } from '../auth/new-secret.ts'
import { regionsOf } from '../config.ts'
import { createCopyCampaigns } from '../flow/campaigns/copy-campaigns.ts'
import { createFindMissingEnrichers } from '../flow/campaigns/find-missing-enrichers.ts'
import { createAddEnvironment } from '../flow/tenant/add-environment.ts'
import { createChangeEnvironment } from '../flow/tenant/change-environment.ts'
import { createChangeOrganisation } from '../flow/tenant/change-organisation.ts'
import { createCreateEnvironment } from '../flow/tenant/create-environment.ts'
import { createDeleteEnvironment } from '../flow/tenant/delete-environment.ts'
import { createCheckConfig, createManageConfigs } from '../flow/tenant/notification-configs.ts'
import { createReadAuditLog } from '../flow/tenant/read-audit-log.ts'
import { createReadOrganisation } from '../flow/tenant/read-organisation.ts'
import { createRotateSecret } from '../flow/tenant/rotate-secret.ts'
import { createShowSecret } from '../flow/tenant/show-secret.ts'
import { createFindMissingTexts } from '../flow/texts/choose-texts.ts'
import type { DashboardLayoutsDeps } from '../http/dashboard/mail-layouts.ts'
import type { TenantRoutesDeps } from '../http/dashboard/tenant-routes.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'
import { wireCheckToken } from './wire-sign-in.ts'

/** @returns The dependencies of the routes below /v1/dashboard/organisations and of environments. */
export function wireTenants(
  core: Core,
  auth: Auth,
  { changeCampaign, checkLayout, manageGivenUp }: Pick<Flows, 'changeCampaign' | 'checkLayout' | 'manageGivenUp'>,
): Omit<TenantRoutesDeps, keyof DashboardLayoutsDeps> {
  const { settings, stores, clock, bus, ids } = core
  const { organisations, environments, campaigns, secrets, rotations, configs, audit } = stores
  const { region } = settings
  const regions = regionsOf(settings, core.publicUrl)
  const values = { newSecretValue, seal: auth.sealer.seal, region }
  const manageConfigs = createManageConfigs({ configs, audit, clock, ids, checkLayout })
  const changeEnvironment = createChangeEnvironment({
    environments,
    bus,
    audit,
    clock,
    checkPublicKey,
    providerCredential,
    publicKeyCredential,
    checkConfig: createCheckConfig(stores),
    endSessions: auth.sessions.endAllOfCredential,
  })
  return {
    manageGivenUp,
    changeOrganisation: createChangeOrganisation({ organisations, audit, clock, ids, servedRegions: [region] }),
    readOrganisation: createReadOrganisation({ organisations, environments, regions }),
    manageConfigs,
    addEnvironment: createAddEnvironment({
      organisations,
      createEnvironment: createCreateEnvironment({ environments, ids, clock, ...values }),
      configNumberOf: manageConfigs.numberOf,
      requirePublicKey: changeEnvironment.requirePublicKey,
      regions,
    }),
    changeEnvironment,
    deleteEnvironment: createDeleteEnvironment({ environments, audit, bus, clock }),
    environments,
    organisations,
    secrets,
    regions,
    rotateSecret: createRotateSecret({ secrets, rotations, bus, clock, ids, ...values }),
    showSecret: createShowSecret({ secrets, audit, open: auth.sealer.open, clock }),
    settleRetired: auth.settleRetired,
    readAuditLog: createReadAuditLog({ audit, environments }),
    checkToken: wireCheckToken(core, auth),
    copyCampaigns: createCopyCampaigns({
      changeCampaign,
      campaigns,
      configs,
      findMissingTexts: createFindMissingTexts(stores),
      findMissingEnrichers: createFindMissingEnrichers(stores),
    }),
  }
}
