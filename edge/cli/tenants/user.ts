// Implements `nc user …`: the actions of an operator for one user.

import type { UserAnswer } from '../../../contract/resources/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseJson } from '../../lib/read-json.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { ENV, inEnvironment } from '../targets.ts'

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
      const { call } = await inEnvironment(input, context)
      const data = await call<UserAnswer>('get', pathOf(input))
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
      const { call } = await inEnvironment(input, context)
      const body = readProfile(input)
      const isKnown = await call('get', pathOf(input)).then(() => true, orMissing)
      if (isKnown) throw new Error(`There is a user ${input.text('user')} already. To change the profile: user change.`)
      return { data: await call('put', pathOf(input), { body }), lines: ['Created.'] }
    },
  },
  {
    noun: 'user',
    verb: 'change',
    summary: 'Changes the profile of a user; what is not given stays, an empty text removes.',
    flags: { env: ENV, user: USER, ...PROFILE },
    async run(input, context) {
      const { call } = await inEnvironment(input, context)
      await call('get', pathOf(input))
      return { data: await call('put', pathOf(input), { body: readProfile(input) }), lines: ['Changed.'] }
    },
  },
  {
    noun: 'user',
    verb: 'erase',
    summary: 'Erases a user with all that is theirs; counters stay.',
    flags: { env: ENV, user: USER, yes: { meaning: 'Confirms it: nothing brings the user back.' } },
    async run(input, context) {
      if (!input.has('yes')) throw new UsageError('Nothing brings an erased user back. Confirm with --yes.')
      const { call } = await inEnvironment(input, context)
      return { data: await call('delete', pathOf(input)), lines: ['Erased.'] }
    },
  },
  {
    noun: 'user',
    verb: 'sign-out',
    summary: 'Ends all widget sessions of a user, open pages too.',
    flags: { env: ENV, user: USER },
    async run(input, context) {
      const { call } = await inEnvironment(input, context)
      const data = await call<{ ended: number }>('post', `${pathOf(input)}/sign-out`)
      return { data, lines: [`Ended ${data.ended} sessions.`] }
    },
  },
]

const pathOf = (input: Input) => `/users/${encodeURIComponent(input.text('user'))}`

function orMissing(error: unknown): false {
  if (error instanceof ApiError && error.code === 'user/not-found') return false
  throw error
}

/** Converts empty texts to null, which removes a field. */
function readProfile(input: Input): Record<string, unknown> {
  const change: Record<string, unknown> = {}
  for (const [flag, field] of Object.entries(FIELDS)) {
    const text = input.find(flag)
    if (text !== undefined) change[field] = text === '' ? null : text
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
