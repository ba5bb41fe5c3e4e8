// `nc user …`: what an operator does for one user (contract section 3).

import type { Command, Flag, Input } from '../command.ts'
import { UsageError } from '../command.ts'
import { ENV, getEnvironment } from '../targets.ts'
import type { Workplace } from '../workplace.ts'

const USER: Flag = { value: 'userId', meaning: 'The user, by the id that your backend uses.', required: true }

export const userCommands: Command[] = [
  {
    noun: 'user',
    verb: 'show',
    summary: 'Shows the profile of a user.',
    flags: { env: ENV, user: USER },
    async run(input, place) {
      const { manageUsers, environment, userId } = await target(input, place)
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
    verb: 'erase',
    summary: 'Erases a user with all that is theirs; counters stay.',
    flags: { env: ENV, user: USER, yes: { meaning: 'Confirms it: nothing brings the user back.' } },
    async run(input, place) {
      const { manageUsers, stores, clock, environment, userId } = await target(input, place)
      if (!input.has('yes')) throw new UsageError('Nothing brings an erased user back. Confirm with --yes.')
      const data = await manageUsers.erase(environment, userId)
      // The log must not keep what was erased.
      const entry = { at: clock.now(), ...place.by, action: 'user.erase', subject: 'a user', detail: {} }
      await stores.audit.record({ ...entry, environmentId: environment.id })
      return { data, lines: ['Erased.'] }
    },
  },
  {
    noun: 'user',
    verb: 'sign-out',
    summary: 'Ends all widget sessions of a user, open pages too.',
    flags: { env: ENV, user: USER },
    async run(input, place) {
      const { manageUsers, environment, userId } = await target(input, place)
      const data = await manageUsers.signOut(environment, userId)
      return { data, lines: [`Ended ${data.ended} sessions.`] }
    },
  },
]

async function target(input: Input, place: Workplace) {
  const tools = await place.tools()
  return { ...tools, environment: await getEnvironment(input, tools.stores), userId: input.text('user') }
}
