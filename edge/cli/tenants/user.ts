// Implements `nc user …`: the actions of an operator for one user.

import type { ProfileChange } from '../../domain/user.ts'
import { parseJson } from '../../lib/read-json.ts'
import type { Command, Flag, Input } from '../command.ts'
import { UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, getEnvironment } from '../targets.ts'

const USER: Flag = { value: 'userId', meaning: 'The user, by the id that your backend uses.', required: true }

const FIELDS = { email: 'email', name: 'name', locale: 'locale', 'time-zone': 'timeZone' } as const
const PROFILE: Record<string, Flag> = {
  email: { value: 'address', meaning: 'E-mail address.' },
  name: { value: 'text', meaning: 'Name.' },
  locale: { value: 'tag', meaning: 'Such as en-GB.' },
  'time-zone': { value: 'zone', meaning: 'Such as Europe/London.' },
  attribute: { value: 'name=value', meaning: 'An attribute; the value is JSON or a text.', many: true },
}

export const userCommands: Command[] = [
  {
    noun: 'user',
    verb: 'show',
    summary: 'Shows the profile of a user.',
    flags: { env: ENV, user: USER },
    async run(input, context) {
      const { manageUsers, environment, userId } = await target(input, context)
      const data = await manageUsers.get(environment, userId)
      const rows = Object.entries(data).map(([field, value]) => [
        field,
        typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
      ])
      return { data, table: { columns: ['Field', 'Value'], rows } }
    },
  },
  {
    noun: 'user',
    verb: 'create',
    summary: 'Creates a user with a profile.',
    flags: { env: ENV, user: USER, ...PROFILE },
    async run(input, context) {
      const { stores, manageUsers, environment, userId } = await target(input, context)
      const profile = readProfile(input)
      if ((await stores.users.find(environment.id, userId)) !== undefined) {
        throw new Error(`There is a user ${userId} already. To change the profile: user change.`)
      }
      return { data: await manageUsers.change(environment, userId, profile, context.by), lines: ['Created.'] }
    },
  },
  {
    noun: 'user',
    verb: 'change',
    summary: 'Changes the profile of a user; what is not given stays, an empty text removes.',
    flags: { env: ENV, user: USER, ...PROFILE },
    async run(input, context) {
      const { manageUsers, environment, userId } = await target(input, context)
      await manageUsers.get(environment, userId)
      return {
        data: await manageUsers.change(environment, userId, readProfile(input), context.by),
        lines: ['Changed.'],
      }
    },
  },
  {
    noun: 'user',
    verb: 'erase',
    summary: 'Erases a user with all that is theirs; counters stay.',
    flags: { env: ENV, user: USER, yes: { meaning: 'Confirms it: nothing brings the user back.' } },
    async run(input, context) {
      const { manageUsers, environment, userId } = await target(input, context)
      if (!input.has('yes')) throw new UsageError('Nothing brings an erased user back. Confirm with --yes.')
      const data = await manageUsers.erase(environment, userId, context.by)
      return { data, lines: ['Erased.'] }
    },
  },
  {
    noun: 'user',
    verb: 'sign-out',
    summary: 'Ends all widget sessions of a user, open pages too.',
    flags: { env: ENV, user: USER },
    async run(input, context) {
      const { manageUsers, environment, userId } = await target(input, context)
      const data = await manageUsers.signOut(environment, userId)
      return { data, lines: [`Ended ${data.ended} sessions.`] }
    },
  },
]

/** Converts empty texts to null, which removes a field. Throws for unknown fields. */
function readProfile(input: Input): ProfileChange {
  const change: ProfileChange = {}
  for (const [flag, field] of Object.entries(FIELDS)) {
    const text = input.find(flag)
    if (text === undefined) continue
    const most = field === 'email' ? 320 : field === 'name' ? 256 : 64
    if (text.length > most || /\p{Cc}/u.test(text)) {
      throw new UsageError(`--${flag} has at most ${most} characters, none of them a control character.`)
    }
    change[field] = text === '' ? null : text
  }
  const pairs = input.list('attribute').map((pair): [string, unknown] => {
    const [name = '', ...rest] = pair.split('=')
    if (name === '' || rest.length === 0) throw new UsageError(`--attribute "${pair}" is not of the form name=value.`)
    return [name, parseValue(rest.join('='))]
  })
  if (pairs.length > 0) change.attributes = Object.fromEntries(pairs)
  return change
}

/** Parses JSON (`3`, `true`, `["a"]`), else returns the text itself; an empty text removes. */
function parseValue(text: string): unknown {
  if (text === '') return null
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

async function target(input: Input, context: CommandContext) {
  const tools = await context.tools()
  return { ...tools, environment: await getEnvironment(input, tools.stores), userId: input.text('user') }
}
