// Adds an environment to an organisation: its region, its notification config, and the order of the onboarding.

import type { NewEnvironment } from '../../../contract/resources/environment.ts'
import type { PublicKey } from '../../../contract/resources/token-keys.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { EnvironmentDraft, SecretValues } from './create-environment.ts'

type Taken = Pick<Core, 'organisations' | 'regions'> & {
  createEnvironment(draft: EnvironmentDraft, by: ChangedBy): Promise<{ environment: Environment; values: SecretValues }>
  /** Returns the number of a config. @throws the 404s of a config that the organisation may not name */
  configNumberOf(organisationId: number, configId: string): Promise<number>
  /** @throws `request/invalid-body` for a key that cannot verify tokens */
  requirePublicKey(publicKey: PublicKey): Promise<void>
}

/** The dashboard leads through the onboarding in its order; the command line asks for nothing. */
export type OnboardingOrder = 'in-order' | 'any-order'

/** Throws `request/not-found`, `request/conflict` and the errors of `createEnvironment`. */
export type AddEnvironment = ReturnType<typeof createAddEnvironment>

export function createAddEnvironment(deps: Taken) {
  return async function addEnvironment(
    organisationId: number,
    { notificationConfigId, ...wanted }: NewEnvironment,
    order: OnboardingOrder,
    by: ChangedBy,
  ): Promise<{ environment: Environment; values: SecretValues; region: string | null }> {
    const { region, onboardedAt } = await getOrganisation(deps, organisationId)
    const { own } = deps.regions
    if (region !== null && region !== own) {
      throw new ApiError('request/conflict', {
        message: `The organisation is in ${region}, and REGION is ${own}: keys of ${own} are not for it.`,
        reason: 'region',
      })
    }
    if (order === 'in-order' && onboardedAt === null) await requireEarlierSteps(deps, organisationId, region)
    if (wanted.publicKey) await deps.requirePublicKey(wanted.publicKey)
    const draft: EnvironmentDraft = {
      organisationId,
      name: wanted.name,
      isProduction: wanted.isProduction,
      allowedOrigins: wanted.allowedOrigins,
      requireExpiringTokens: wanted.requireExpiringTokens ?? false,
      sdkKeyMayManage: wanted.sdkKeyMayManage ?? !wanted.isProduction,
      requirePublishApproval: wanted.requirePublishApproval,
      publishRole: wanted.publishRole,
      identityProvider: wanted.identityProvider ?? null,
      publicKey: wanted.publicKey ?? null,
      disabledAt: null,
      rateLimits: wanted.rateLimits ?? null,
      siteUrl: wanted.siteUrl ?? null,
      appSchemes: wanted.appSchemes ?? [],
      emailSandbox: wanted.emailSandbox ?? null,
      notificationConfigId:
        notificationConfigId === null ? null : await deps.configNumberOf(organisationId, notificationConfigId),
    }
    return { ...(await deps.createEnvironment(draft, by)), region }
  }
}

async function getOrganisation({ organisations }: Taken, id: number) {
  const organisation = await organisations.find(id)
  if (organisation === undefined) {
    throw new ApiError('request/not-found', { message: 'There is no such organisation.' })
  }
  return organisation
}

async function requireEarlierSteps(
  { organisations }: Taken,
  organisationId: number,
  region: string | null,
): Promise<void> {
  if (region === null) {
    throw new ApiError('request/conflict', {
      message: 'Choose the region of the organisation first.',
      reason: 'onboarding-region',
    })
  }
  if ((await organisations.findSettings(organisationId)) !== undefined) return
  throw new ApiError('request/conflict', {
    message: 'Create the settings of the organisation first.',
    reason: 'onboarding-settings',
  })
}
