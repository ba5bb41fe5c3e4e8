// Changes an environment, and formats it as a table of its settings.

import type {
  EnvironmentChangeInput,
  EnvironmentDetail,
  EnvironmentLimits,
} from '../../../contract/resources/environment.ts'
import type { Input, Outcome } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { inEnvironment } from '../targets.ts'

/** Changes the environment that `--env` names. @returns The outcome of the command. */
export async function change(input: Input, context: CommandContext, body: EnvironmentChangeInput): Promise<Outcome> {
  const { call } = await inEnvironment(input, context)
  return shown(await call<EnvironmentDetail>('put', '', { body }))
}

/** @returns The outcome of a command that shows or changes an environment. */
export function shown(data: EnvironmentDetail): Outcome {
  const { identityProvider: provider, publicKey } = data
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
    [
      'Publishes',
      `${data.publishRole}s and above${data.requirePublishApproval ? ', with the approval of a second person' : ''}`,
    ],
    ['Identity provider', provider === null ? null : `${provider.issuer} (${provider.algorithms.join(', ')})`],
    ['Public key', publicKey === null ? null : publicKey.algorithm],
    ['Notification config', data.notificationConfigId],
    ['Site of mails', data.siteUrl],
    ['Schemes of apps', data.appSchemes.join(' ') || null],
    ['E-mail sandbox', [data.emailSandbox.mode, ...data.emailSandbox.addresses].join(' ')],
    ['Calls a minute', formatLimits(data.rateLimits)],
  ]
  return { data, table: { columns: ['Setting', 'Value'], rows } }
}

/** Formats limits as in `--limit`; null without any. */
function formatLimits(limits: EnvironmentLimits | null): string | null {
  const words = Object.entries(limits ?? {}).map(([name, limit]) => `${name}=${limit ?? 'off'}`)
  return words.length === 0 ? null : words.join(' ')
}
