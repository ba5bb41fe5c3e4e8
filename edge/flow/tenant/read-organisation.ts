// Reads an organisation with its settings and the steps of its onboarding: region, settings, first environment.

import { ONBOARDING_STEPS, type OrganisationAnswer } from '../../../contract/resources/organisation.ts'
import type { Core } from '../../domain/core.ts'
import { hostOfRegion } from '../../domain/tenant/region.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

/** Throws `request/not-found`. The role is that of who asks. */
export type ReadOrganisation = (id: number) => Promise<Omit<OrganisationAnswer, 'role'>>

export function createReadOrganisation({
  organisations,
  environments,
  regions,
}: Pick<Core, 'organisations' | 'environments' | 'regions'>): ReadOrganisation {
  return async function readOrganisation(id) {
    // First, so that all that is read after its revision is as new, or newer.
    const organisation = await organisations.find(id)
    const [settings, made] = await Promise.all([organisations.findSettings(id), environments.list(id)])
    if (organisation === undefined) {
      throw new ApiError('request/not-found', { message: 'There is no such organisation.' })
    }
    const { name, region, onboardedAt, createdAt, revision } = organisation
    const completed = onboardedAt !== null
    // What a completed onboarding left out stands at its default.
    const steps = {
      region: completed || region !== null,
      settings: completed || settings !== undefined,
      environment: completed || made.length > 0,
    }
    return {
      id: formatId('organisation', id),
      name,
      region,
      host: region === null ? null : hostOfRegion(regions, region),
      settings: settings ?? null,
      onboarding: {
        completed,
        completedAt: toIso(onboardedAt),
        steps,
        next: completed ? null : (ONBOARDING_STEPS.find((step) => !steps[step]) ?? null),
      },
      regions: [{ region: regions.own, host: hostOfRegion(regions, regions.own) }],
      createdAt: toIso(createdAt),
      revision,
    }
  }
}
