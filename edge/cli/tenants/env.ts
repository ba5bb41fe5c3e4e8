// Implements `nc env …`: environments, their origins and limits, and whether they are enabled.

import type {
  CreatedEnvironment,
  EmailSandbox,
  EnvironmentChangeInput,
  EnvironmentContents,
  EnvironmentDetail,
  EnvironmentLimits,
  ListedEnvironment,
  NewEnvironmentInput,
} from '../../../contract/resources/environment.ts'
import { PUBLISH_ROLES, type PublishRole } from '../../../contract/role.ts'
import { KEY_MAY_MANAGE, LIMITED_CLASSES, SANDBOX_MODES, SECRET_KINDS } from '../../../contract/tenant.ts'
import { findLimit, isLimitedClass } from '../../domain/limits/call-limits.ts'
import { given } from '../../lib/given.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { ENV, getOrganisation, inEnvironment, inOrganisation, listed } from '../targets.ts'
import { change, shown } from './env-answer.ts'
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
      const { stores, operator } = await context.tools()
      const chosen = input.has('org') ? [await getOrganisation(input, stores)] : await stores.organisations.list()
      const lists = chosen.map(({ id }) =>
        listed(operator.inOrganisation(formatId('organisation', id))).list<ListedEnvironment>('/environments'),
      )
      // The route begins with the newest.
      const data = (await Promise.all(lists)).flatMap((environments) => environments.toReversed())
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
      const body: NewEnvironmentInput = {
        name: input.text('name'),
        isProduction: input.has('production'),
        allowedOrigins: input.list('origin'),
        notificationConfigId: findConfig(input) ?? null,
        ...readLinkRules(input),
      }
      const { call } = await inOrganisation(input, context)
      const data = await call<CreatedEnvironment>('post', '/environments', { body })
      const rows = SECRET_KINDS.map((kind) => [kind, data.secrets[kind]])
      return {
        data,
        lines: [`Created ${data.id} (${data.name}). Keep the sdkSecretKey: it is not shown again.`],
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
      return shown(await (await inEnvironment(input, context)).call<EnvironmentDetail>('get', ''))
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
    run: (input, context) => change(input, context, { allowedOrigins: input.list('origin') }),
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
      'publish-approval': {
        value: 'yes/no',
        meaning: 'Whether another person approves what is published.',
      },
      'publish-role': {
        value: PUBLISH_ROLES.join('/'),
        meaning: 'The least role that publishes.',
      },
      config: CONFIG,
      ...LINK_FLAGS,
    },
    run: async (input, context) => change(input, context, readBasics(input)),
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
    run: async (input, context) => change(input, context, { emailSandbox: readSandbox(input) }),
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
    run: async (input, context) => change(input, context, { rateLimits: parseLimits(input) }),
  },
  {
    noun: 'env',
    verb: 'delete',
    summary:
      'Deletes an environment with all that it has; its keys are refused at once, and the server removes the rows.',
    flags: { env: ENV, confirm: { value: 'name', meaning: 'Its name: nothing brings it back.' } },
    async run(input, context) {
      const { call } = await inEnvironment(input, context)
      const { name } = await call<EnvironmentDetail>('get', '')
      const { users, messages, campaigns } = await call<EnvironmentContents>('get', '/contents')
      const contents = `${users} users, ${messages} messages and ${campaigns} campaigns`
      const confirm = input.find('confirm') ?? ''
      if (confirm.trim() !== name.trim()) {
        throw new UsageError(`Nothing brings ${name} with its ${contents} back. Confirm with --confirm and its name.`)
      }
      const data = await call('delete', '', { query: { confirm } })
      return { data, lines: [`Deleted ${name}, with ${contents}.`] }
    },
  },
  {
    noun: 'env',
    verb: 'enable',
    summary: 'Lets a disabled environment serve again.',
    flags: { env: ENV },
    run: (input, context) => change(input, context, { disabled: false }),
  },
  {
    noun: 'env',
    verb: 'disable',
    summary: 'Refuses its keys and sessions until it is enabled again.',
    flags: { env: ENV },
    run: (input, context) => change(input, context, { disabled: true }),
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

function readBasics(input: Input): EnvironmentChangeInput {
  const [isProduction, requireExpiringTokens, sdkKeyMayManage, requirePublishApproval] = [
    'production',
    'expiring-tokens',
    'key-may-manage',
    'publish-approval',
  ].map((flag) => {
    const word = input.find(flag)
    if (word !== undefined && word !== 'yes' && word !== 'no') throw new UsageError(`--${flag} must be yes or no.`)
    return word === undefined ? undefined : word === 'yes'
  })
  return given({
    name: input.find('name'),
    notificationConfigId: findConfig(input),
    ...readLinkRules(input),
    ...{ isProduction, requireExpiringTokens, sdkKeyMayManage, requirePublishApproval },
    publishRole: findPublishRole(input),
  })
}

function findPublishRole(input: Input): PublishRole | undefined {
  const word = input.find('publish-role')
  const role = PUBLISH_ROLES.find((one) => one === word)
  if (word !== undefined && role === undefined)
    throw new UsageError(`--publish-role must be one of ${PUBLISH_ROLES.join(', ')}.`)
  return role
}

/** @returns Only the flags that are given. */
function readLinkRules(input: Input): Pick<EnvironmentChangeInput, 'siteUrl' | 'appSchemes'> {
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
