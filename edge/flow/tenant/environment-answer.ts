// Converts an environment to its wire shape.

import type { Environment } from '../../domain/environment.ts'
import { sandboxOf } from '../../domain/mail/email-sandbox.ts'
import { hostOfRegion, type Regions } from '../../domain/tenant/region.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

/** An environment on the wire. */
export type EnvironmentAnswer = ReturnType<typeof toEnvironmentAnswer>

/** @param home - The region of its organisation; null: that of this deployment, whose keys it has. */
export function toEnvironmentAnswer(
  environment: Environment & { revision?: number },
  home: string | null,
  regions: Regions,
) {
  const {
    id,
    organisationId,
    notificationConfigId: configId,
    createdAt,
    disabledAt,
    rateLimits,
    siteUrl = null,
    appSchemes = [],
    emailSandbox: _sandbox,
    revision: _,
    ...settings
  } = environment
  return {
    ...settings,
    rateLimits: rateLimits ?? null,
    siteUrl,
    appSchemes: [...appSchemes],
    emailSandbox: sandboxOf(environment),
    id: formatId('environment', id),
    organisation: formatId('organisation', organisationId),
    notificationConfigId: configId === null ? null : formatId('notificationConfig', configId),
    region: home ?? regions.own,
    host: hostOfRegion(regions, home ?? regions.own),
    state: disabledAt === null ? ('enabled' as const) : ('disabled' as const),
    disabled: disabledAt !== null,
    createdAt: toIso(createdAt),
    disabledAt: toIso(disabledAt),
  }
}
