// Implements `nc env …`: environments, their origins and limits, and whether they are enabled.

import {
  type EmailSandbox,
  type EnvironmentLimits,
  KEY_MAY_MANAGE,
  LIMITED_CLASSES,
  SANDBOX_MODES,
  SECRET_KINDS,
} from '../../../contract/tenant.ts'
import { findLimit, isLimitedClass } from '../../domain/limits/call-limits.ts'
import type { LinkRules } from '../../domain/tenant/link-rules.ts'
import type { EnvironmentBasics } from '../../flow/tenant/change-environment.ts'
import { toEnvironmentAnswer } from '../../flow/tenant/environment-answer.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { ENV, getEnvironment, getOrganisation } from '../targets.ts'
import { shown } from './env-answer.ts'
import { envKeyCommands } from './env-keys.ts'

const CONFIG: Flag = {
  value: 'cfg_…',
  meaning: 'The notification config of its campaigns that name none, and of the element; none takes it away.',
}

const LINK_FLAGS: Record<string, Flag> = {
  'site-url': { value: 'url', meaning: 'The site at which paths in mails begin; none: PUBLIC_URL.' },
  'app-scheme': {
    value: 'scheme',
    meaning: 'The scheme of an app that links may have, such as shopapp; none alone takes all away.',
    many: true,
  },
}

export const envCommands: Command[] = [
  {
    noun: 'env',
    verb: 'list',
    summary: 'Lists the environments of one organisation, or of all.',
    flags: { org: { value: 'org_…', meaning: 'The organisation.' } },
    async run(input, context) {
      const { stores, regions } = await context.tools()
      const wanted = input.find('org')
      const all = await stores.organisations.list()
      const chosen = wanted === undefined ? all : all.filter(({ id }) => formatId('organisation', id) === wanted)
      if (wanted !== undefined && chosen.length === 0) throw new Error(`There is no organisation ${wanted}.`)
      const pages = await Promise.all(
        chosen.map(async ({ id, region }) =>
          (await stores.environments.list(id)).map((one) => toEnvironmentAnswer(one, region, regions)),
        ),
      )
      const data = pages.flat()
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
      production: { meaning: 'It is production: its sdkSecretKey may not manage (key-may-manage).' },
      origin: { value: 'origin', meaning: 'An origin that browsers may use it from. Without one: any.', many: true },
      config: CONFIG,
      ...LINK_FLAGS,
    },
    async run(input, context) {
      const { stores, addEnvironment, regions } = await context.tools()
      const { id: organisationId } = await getOrganisation(input, stores)
      const wanted = {
        name: input.text('name'),
        isProduction: input.has('production'),
        allowedOrigins: input.list('origin'),
        notificationConfigId: findConfig(input) ?? null,
        ...readLinkRules(input),
      }
      const { environment, values, region } = await addEnvironment(organisationId, wanted, 'any-order', context.by)
      const { id, name } = environment
      const rows = SECRET_KINDS.map((kind) => [kind, values[kind]])
      return {
        data: { ...toEnvironmentAnswer(environment, region, regions), secrets: values },
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
    async run(input, context) {
      const { stores } = await context.tools()
      return shown(context, await getEnvironment(input, stores))
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
    async run(input, context) {
      const { stores, changeEnvironment } = await context.tools()
      const { id } = await getEnvironment(input, stores)
      return shown(context, await changeEnvironment.setOrigins(id, context.by, input.list('origin')))
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
      'key-may-manage': { value: 'yes/no', meaning: `Whether its sdkSecretKey may ${KEY_MAY_MANAGE}.` },
      config: CONFIG,
      ...LINK_FLAGS,
    },
    async run(input, context) {
      const { stores, changeEnvironment } = await context.tools()
      const { id } = await getEnvironment(input, stores)
      return shown(context, await changeEnvironment.setBasics(id, context.by, readBasics(input)))
    },
  },
  {
    noun: 'env',
    verb: 'set-sandbox',
    summary: 'Sets which mails leave an environment; without --mode as a new one has it.',
    flags: {
      env: ENV,
      mode: { value: SANDBOX_MODES.join('/'), meaning: 'All, all to one address, or those to listed addresses.' },
      address: {
        value: 'address',
        meaning: 'An address or a domain of allow, the one address of redirect.',
        many: true,
      },
    },
    async run(input, context) {
      const { stores, changeEnvironment } = await context.tools()
      const { id } = await getEnvironment(input, stores)
      return shown(context, await changeEnvironment.setBasics(id, context.by, { emailSandbox: readSandbox(input) }))
    },
  },
  ...envKeyCommands({ env: ENV }),
  {
    noun: 'env',
    verb: 'set-limits',
    summary: 'Sets how many calls a minute it may make; without --limit those of the deployment.',
    flags: {
      env: ENV,
      limit: {
        value: 'class=number',
        meaning: `${LIMITED_CLASSES.join(', ')}; a number or off. track, management and webhooks stand in place of RATE_LIMITS, auth and inbox bound all addresses and users together.`,
        many: true,
      },
    },
    async run(input, context) {
      const { stores, changeEnvironment } = await context.tools()
      const { id } = await getEnvironment(input, stores)
      return shown(context, await changeEnvironment.setLimits(id, context.by, parseLimits(input)))
    },
  },
  {
    noun: 'env',
    verb: 'delete',
    summary:
      'Deletes an environment with all that it has; its keys are refused at once, and the server removes the rows.',
    flags: { env: ENV, confirm: { value: 'name', meaning: 'Its name: nothing brings it back.' } },
    async run(input, context) {
      const { stores, deleteEnvironment } = await context.tools()
      const environment = await getEnvironment(input, stores)
      const { users, messages, campaigns } = await deleteEnvironment.contents(environment)
      const contents = `${users} users, ${messages} messages and ${campaigns} campaigns`
      const confirm = input.find('confirm') ?? ''
      if (confirm.trim() !== environment.name.trim()) {
        throw new UsageError(
          `Nothing brings ${environment.name} with its ${contents} back. Confirm with --confirm and its name.`,
        )
      }
      const data = await deleteEnvironment.delete(environment, confirm, context.by)
      return { data, lines: [`Deleted ${environment.name}, with ${contents}.`] }
    },
  },
  {
    noun: 'env',
    verb: 'enable',
    summary: 'Lets a disabled environment serve again.',
    flags: { env: ENV },
    async run(input, context) {
      const { stores, changeEnvironment } = await context.tools()
      return shown(context, await changeEnvironment.enable((await getEnvironment(input, stores)).id, context.by))
    },
  },
  {
    noun: 'env',
    verb: 'disable',
    summary: 'Refuses its keys and sessions until it is enabled again.',
    flags: { env: ENV },
    async run(input, context) {
      const { stores, changeEnvironment } = await context.tools()
      return shown(context, await changeEnvironment.disable((await getEnvironment(input, stores)).id, context.by))
    },
  },
]

/** @returns Null without a mode. */
function readSandbox(input: Input): EmailSandbox | null {
  const [given, addresses] = [input.find('mode'), input.list('address')]
  if (given === undefined && addresses.length === 0) return null
  const mode = SANDBOX_MODES.find((one) => one === given)
  if (mode === undefined) throw new UsageError(`--mode must be one of ${SANDBOX_MODES.join(', ')}.`)
  return { mode, addresses }
}

function readBasics(input: Input): EnvironmentBasics {
  const [name, notificationConfigId] = [input.find('name'), findConfig(input)]
  const [production, expiring, manage] = ['production', 'expiring-tokens', 'key-may-manage'].map((flag) => {
    const word = input.find(flag)
    if (word !== undefined && word !== 'yes' && word !== 'no') throw new UsageError(`--${flag} must be yes or no.`)
    return word === undefined ? undefined : word === 'yes'
  })
  return {
    ...(name === undefined ? {} : { name }),
    ...(notificationConfigId === undefined ? {} : { notificationConfigId }),
    ...readLinkRules(input),
    ...(production === undefined ? {} : { isProduction: production }),
    ...(expiring === undefined ? {} : { requireExpiringTokens: expiring }),
    ...(manage === undefined ? {} : { sdkKeyMayManage: manage }),
  }
}

/** @returns Only the flags that are given. */
function readLinkRules(input: Input): Partial<LinkRules> {
  const [siteUrl, schemes] = [input.find('site-url'), input.list('app-scheme')]
  return {
    ...(siteUrl === undefined ? {} : { siteUrl: siteUrl === 'none' ? null : siteUrl }),
    ...(schemes.length === 0 ? {} : { appSchemes: schemes[0] === 'none' ? [] : schemes }),
  }
}

/** @returns Undefined where the flag is not given, null for `none`. */
function findConfig(input: Input): string | null | undefined {
  const given = input.find('config')
  return given === 'none' ? null : given
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
