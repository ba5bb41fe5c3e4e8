// `nc env set-limits`: how many calls a minute an environment may make (contract section 1, `request/rate-limited`).

import type { Environment } from '../../domain/environment.ts'
import { type EnvironmentLimits, findLimit, isLimitedClass, LIMITED_CLASSES } from '../../domain/limits/call-limits.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import { getEnvironment } from '../targets.ts'

export function envLimitCommands(env: Record<'env', Flag>, shown: (environment: Environment) => Outcome): Command[] {
  return [
    {
      noun: 'env',
      verb: 'set-limits',
      summary: 'Sets how many calls a minute it may make; without --limit those of the deployment.',
      flags: {
        ...env,
        limit: {
          value: 'class=number',
          meaning: `${LIMITED_CLASSES.join(', ')}; a number or off. track and management stand in place of RATE_LIMITS, auth and inbox bound all addresses and users together.`,
          many: true,
        },
      },
      async run(input, place) {
        const { stores, changeEnvironment } = await place.tools()
        const { id } = await getEnvironment(input, stores)
        return shown(await changeEnvironment.setLimits(id, place.by, parseLimits(input)))
      },
    },
  ]
}

/** In the words of `--limit`; null without any. */
export function wordsOfLimits(limits: EnvironmentLimits | null | undefined): string | null {
  const words = Object.entries(limits ?? {}).map(([name, limit]) => `${name}=${limit ?? 'off'}`)
  return words.length === 0 ? null : words.join(' ')
}

function parseLimits(input: Input): EnvironmentLimits | null {
  const limits: EnvironmentLimits = {}
  for (const pair of input.list('limit')) {
    const [name = '', text = '', ...rest] = pair.split('=')
    const limit = findLimit(text)
    if (!isLimitedClass(name) || limit === undefined || rest.length > 0) {
      throw new UsageError(
        `--limit "${pair}" is not of the form class=number or class=off (${LIMITED_CLASSES.join(', ')}).`,
      )
    }
    limits[name] = limit
  }
  return Object.keys(limits).length === 0 ? null : limits
}
