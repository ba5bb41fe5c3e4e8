// `nc env …`: environments, their origins, and whether they serve (contract section 11).

import type { Environment } from '../../domain/environment.ts'
import { SECRET_KINDS } from '../../domain/secret.ts'
import type { EnvironmentBasics } from '../../flow/change-environment.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Input, type Outcome, UsageError } from '../command.ts'
import { ENV, getEnvironment, getOrganisation } from '../targets.ts'
import { envKeyCommands } from './env-keys.ts'
import { envLimitCommands, wordsOfLimits } from './env-limits.ts'

export const envCommands: Command[] = [
  {
    noun: 'env',
    verb: 'list',
    summary: 'Lists the environments of one organisation, or of all.',
    flags: { org: { value: 'org_…', meaning: 'The organisation.' } },
    async run(input, place) {
      const { stores } = await place.tools()
      const wanted = input.find('org')
      const all = await stores.organisations.list()
      const chosen = wanted === undefined ? all : all.filter(({ id }) => formatId('organisation', id) === wanted)
      if (wanted !== undefined && chosen.length === 0) throw new Error(`There is no organisation ${wanted}.`)
      const pages = await Promise.all(chosen.map(({ id }) => stores.environments.list(id)))
      const data = pages.flat().map(toAnswer)
      const rows = data.map((one) => [one.id, one.name, one.organisation, one.isProduction ? 'yes' : 'no', one.state])
      return { data, table: { columns: ['Id', 'Name', 'Organisation', 'Production', 'State'], rows } }
    },
  },
  {
    noun: 'env',
    verb: 'create',
    summary: 'Creates an environment, and prints its keys: the sdkSecretKey this once.',
    flags: {
      org: { value: 'org_…', meaning: 'Its organisation.', required: true },
      name: { value: 'text', meaning: 'Its name, such as dev or prod.', required: true },
      production: { meaning: 'It is production: its sdkSecretKey may not manage campaigns.' },
      origin: { value: 'origin', meaning: 'An origin that browsers may use it from. Without one: any.', many: true },
    },
    async run(input, place) {
      const { stores, createEnvironment, region } = await place.tools()
      const { id: organisationId, region: home } = await getOrganisation(input, stores)
      if (home !== null && home !== region) {
        throw new Error(`The organisation is in ${home}, and REGION is ${region}: keys of ${region} are not for it.`)
      }
      const isProduction = input.has('production')
      const { environment, values } = await createEnvironment(
        {
          organisationId,
          name: input.text('name'),
          isProduction,
          allowedOrigins: input.list('origin'),
          requireExpiringTokens: false,
          sdkKeyMayManage: !isProduction,
          identityProvider: null,
          publicKey: null,
          disabledAt: null,
        },
        place.by,
      )
      const { id, name } = environment
      const rows = SECRET_KINDS.map((kind) => [kind, values[kind]])
      return {
        data: { ...toAnswer(environment), secrets: values },
        lines: [`Created ${formatId('environment', id)} (${name}). Keep the sdkSecretKey: it is not shown again.`],
        table: { columns: ['Secret', 'Value'], rows },
      }
    },
  },
  {
    noun: 'env',
    verb: 'show',
    summary: 'Shows the settings of an environment.',
    flags: { env: ENV },
    async run(input, place) {
      const { stores } = await place.tools()
      return shown(await getEnvironment(input, stores))
    },
  },
  {
    noun: 'env',
    verb: 'set-origins',
    summary: 'Sets the origins that browsers may use it from; without --origin any may.',
    flags: {
      env: ENV,
      origin: { value: 'origin', meaning: 'Such as https://shop.example or https://*.shop.example.', many: true },
    },
    async run(input, place) {
      const { stores, changeEnvironment } = await place.tools()
      const { id } = await getEnvironment(input, stores)
      return shown(await changeEnvironment.setOrigins(id, place.by, input.list('origin')))
    },
  },
  {
    noun: 'env',
    verb: 'change',
    summary: 'Changes what an environment is called and allows; what is not given stays.',
    flags: {
      env: ENV,
      name: { value: 'text', meaning: 'Its name.' },
      production: { value: 'yes/no', meaning: 'Whether it is production.' },
      'expiring-tokens': { value: 'yes/no', meaning: 'Whether backend tokens must expire (v2).' },
      'key-may-manage': { value: 'yes/no', meaning: 'Whether its sdkSecretKey may change campaigns.' },
    },
    async run(input, place) {
      const { stores, changeEnvironment } = await place.tools()
      const { id } = await getEnvironment(input, stores)
      return shown(await changeEnvironment.setBasics(id, place.by, readBasics(input)))
    },
  },
  ...envKeyCommands({ env: ENV }, shown),
  ...envLimitCommands({ env: ENV }, shown),
  {
    noun: 'env',
    verb: 'enable',
    summary: 'Lets a disabled environment serve again.',
    flags: { env: ENV },
    async run(input, place) {
      const { stores, changeEnvironment } = await place.tools()
      return shown(await changeEnvironment.enable((await getEnvironment(input, stores)).id, place.by))
    },
  },
  {
    noun: 'env',
    verb: 'disable',
    summary: 'Refuses its keys and sessions until it is enabled again.',
    flags: { env: ENV },
    async run(input, place) {
      const { stores, changeEnvironment } = await place.tools()
      return shown(await changeEnvironment.disable((await getEnvironment(input, stores)).id, place.by))
    },
  },
]

function readBasics(input: Input): EnvironmentBasics {
  const name = input.find('name')
  const [production, expiring, manage] = ['production', 'expiring-tokens', 'key-may-manage'].map((flag) => {
    const word = input.find(flag)
    if (word !== undefined && word !== 'yes' && word !== 'no') throw new UsageError(`--${flag} must be yes or no.`)
    return word === undefined ? undefined : word === 'yes'
  })
  return {
    ...(name === undefined ? {} : { name }),
    ...(production === undefined ? {} : { isProduction: production }),
    ...(expiring === undefined ? {} : { requireExpiringTokens: expiring }),
    ...(manage === undefined ? {} : { sdkKeyMayManage: manage }),
  }
}

function toAnswer(environment: Environment) {
  const { id, organisationId, createdAt, disabledAt, ...settings } = environment
  return {
    ...settings,
    id: formatId('environment', id),
    organisation: formatId('organisation', organisationId),
    state: disabledAt === null ? 'enabled' : 'disabled',
    createdAt: toIso(createdAt),
    disabledAt: toIso(disabledAt),
  }
}

function shown(environment: Environment): Outcome {
  const data = toAnswer(environment)
  const { identityProvider: provider, publicKey } = environment
  const rows = [
    ['Id', data.id],
    ['Name', data.name],
    ['Organisation', data.organisation],
    ['Production', data.isProduction ? 'yes' : 'no'],
    ['State', data.state],
    ['Origins', data.allowedOrigins.join(' ') || 'any'],
    ['Expiring tokens only', data.requireExpiringTokens ? 'yes' : 'no'],
    ['sdkSecretKey may manage', data.sdkKeyMayManage ? 'yes' : 'no'],
    ['Identity provider', provider === null ? null : `${provider.issuer} (${provider.algorithms.join(', ')})`],
    ['Public key', publicKey === null ? null : publicKey.algorithm],
    ['Calls a minute', wordsOfLimits(environment.rateLimits)],
  ]
  return { data, table: { columns: ['Setting', 'Value'], rows } }
}
