// Formats an environment as a table of its settings.

import type { EnvironmentLimits } from '../../../contract/tenant.ts'
import type { Environment } from '../../domain/environment.ts'
import { toEnvironmentAnswer } from '../../flow/tenant/environment-answer.ts'
import type { Outcome } from '../command.ts'
import type { CommandContext } from '../command-context.ts'

/** @returns The outcome of a command that shows or changes an environment. */
export async function shown(context: CommandContext, environment: Environment): Promise<Outcome> {
  const { stores, regions } = await context.tools()
  const organisation = await stores.organisations.find(environment.organisationId)
  const data = toEnvironmentAnswer(environment, organisation?.region ?? null, regions)
  const { identityProvider: provider, publicKey } = environment
  const rows = [
    ['Id', data.id],
    ['Name', data.name],
    ['Organisation', data.organisation],
    ['Host', data.host],
    ['Production', data.isProduction ? 'yes' : 'no'],
    ['State', data.state],
    ['Origins', data.allowedOrigins.join(' ') || 'any'],
    ['Expiring tokens only', data.requireExpiringTokens ? 'yes' : 'no'],
    ['sdkSecretKey may manage', data.sdkKeyMayManage ? 'yes' : 'no'],
    ['Identity provider', provider === null ? null : `${provider.issuer} (${provider.algorithms.join(', ')})`],
    ['Public key', publicKey === null ? null : publicKey.algorithm],
    ['Notification config', data.notificationConfigId],
    ['Site of mails', data.siteUrl],
    ['Schemes of apps', data.appSchemes.join(' ') || null],
    ['E-mail sandbox', [data.emailSandbox.mode, ...data.emailSandbox.addresses].join(' ')],
    ['Calls a minute', formatLimits(environment.rateLimits)],
  ]
  return { data, table: { columns: ['Setting', 'Value'], rows } }
}

/** Formats limits as in `--limit`; null without any. */
function formatLimits(limits: EnvironmentLimits | null | undefined): string | null {
  const words = Object.entries(limits ?? {}).map(([name, limit]) => `${name}=${limit ?? 'off'}`)
  return words.length === 0 ? null : words.join(' ')
}
