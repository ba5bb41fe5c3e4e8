// Wires organisations, environments, secrets and the audit log of the dashboard.

import { expiringToken } from '../auth/backend-token.ts'
import { checkPublicKey, providerCredential, publicKeyCredential } from '../auth/jwt.ts'
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
import { createBeginTrial } from '../flow/users/begin-trial.ts'
import type { Services } from '../http/kernel/services.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'
import { wireCheckToken } from './wire-sign-in.ts'

type TenantServices = Pick<
  Services,
  | 'organisations'
  | 'readOrganisation'
  | 'changeOrganisation'
  | 'regions'
  | 'environments'
  | 'addEnvironment'
  | 'changeEnvironment'
  | 'deleteEnvironment'
  | 'manageConfigs'
  | 'manageGivenUp'
  | 'readAuditLog'
  | 'checkToken'
  | 'beginTrial'
  | 'secrets'
  | 'rotateSecret'
  | 'showSecret'
  | 'settleRetired'
  | 'copyCampaigns'
>

/** @returns The services of the routes below /v1/dashboard/organisations and of environments. */
export function wireTenants(
  core: AppCore,
  auth: Auth,
  flows: Pick<Flows, 'changeCampaign' | 'checkLayout' | 'manageGivenUp'> & Pick<Services, 'publishCampaigns'>,
): TenantServices {
  const { environments, organisations, secrets, regions } = core
  const { changeCampaign, publishCampaigns, checkLayout, manageGivenUp } = flows
  const manageConfigs = createManageConfigs({ ...core, checkLayout })
  const changeEnvironment = createChangeEnvironment({
    ...core,
    checkPublicKey,
    providerCredential,
    publicKeyCredential,
    checkConfig: createCheckConfig(core),
    endSessions: auth.sessions.endAllOfCredential,
  })
  return {
    ...{ environments, organisations, secrets, regions },
    manageGivenUp,
    changeOrganisation: createChangeOrganisation({ ...core, servedRegions: [core.region] }),
    readOrganisation: createReadOrganisation(core),
    manageConfigs,
    addEnvironment: createAddEnvironment({
      ...core,
      createEnvironment: createCreateEnvironment(core),
      configNumberOf: manageConfigs.numberOf,
      requirePublicKey: changeEnvironment.requirePublicKey,
    }),
    changeEnvironment,
    deleteEnvironment: createDeleteEnvironment(core),
    rotateSecret: createRotateSecret(core),
    showSecret: createShowSecret(core),
    settleRetired: auth.settleRetired,
    readAuditLog: createReadAuditLog(core),
    checkToken: wireCheckToken(core, auth),
    beginTrial: createBeginTrial({ ...core, listAuthSecrets: auth.keyRing.listAuthSecrets, mintToken: expiringToken }),
    copyCampaigns: createCopyCampaigns({
      ...core,
      changeCampaign,
      publishCampaigns,
      findMissingTexts: createFindMissingTexts(core),
      findMissingEnrichers: createFindMissingEnrichers(core),
    }),
  }
}
