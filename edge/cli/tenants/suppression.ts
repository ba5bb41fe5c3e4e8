// Implements `nc suppression …`: users and addresses to which nothing is sent on a channel. Addresses are stored as hashes, so
// no command lists all of them.

import { CHANNELS } from '../../../contract/delivery.ts'
import { SUPPRESSION_REASONS, type SuppressionAnswer } from '../../../contract/resources/suppression.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { ENV, inEnvironment } from '../targets.ts'

const PATH = '/suppressions'
const SUBJECT: Record<string, Flag> = {
  user: { value: 'userId', meaning: 'The user, by the id that your backend uses.' },
  address: { value: 'address', meaning: 'An e-mail address, whoever has it.' },
}
const CHANNEL: Flag = { value: CHANNELS.join('|'), meaning: 'The channel; default email.' }

export const suppressionCommands: Command[] = [
  {
    noun: 'suppression',
    verb: 'show',
    summary: 'Shows on which channels a user or an address is suppressed, and why.',
    flags: { env: ENV, ...SUBJECT },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const data = await routes.list<SuppressionAnswer>(PATH, subjectOf(input))
      const rows = data.map(({ channel, reason, createdAt }) => [channel, reason, createdAt])
      return { data, table: { columns: ['Channel', 'Reason', 'Since'], rows } }
    },
  },
  {
    noun: 'suppression',
    verb: 'add',
    summary: 'Sends nothing more to a user or an address on a channel; the history says "suppressed".',
    flags: {
      env: ENV,
      ...SUBJECT,
      channel: CHANNEL,
      reason: {
        value: SUPPRESSION_REASONS.join('|'),
        meaning: 'Why; default manual. Critical categories pass unsubscribe alone.',
      },
    },
    async run(input, context) {
      const body = { ...subjectOf(input), channel: input.find('channel'), reason: input.find('reason') }
      const data = await (await inEnvironment(input, context)).call<{ added: boolean }>('post', PATH, { body })
      return { data, lines: [data.added ? 'Suppressed.' : 'That was suppressed already.'] }
    },
  },
  {
    noun: 'suppression',
    verb: 'remove',
    summary: 'Lets a channel reach a suppressed user or address again.',
    flags: { env: ENV, ...SUBJECT, channel: CHANNEL },
    async run(input, context) {
      const query = { ...subjectOf(input), channel: input.find('channel') }
      const data = await (await inEnvironment(input, context)).call<{ deleted: boolean }>('delete', PATH, { query })
      return { data, lines: [data.deleted ? 'Removed.' : 'That was not suppressed.'], failed: !data.deleted }
    },
  },
]

function subjectOf(input: Input) {
  const [userId, address] = [input.find('user'), input.find('address')]
  if ((userId === undefined) === (address === undefined)) throw new UsageError('Give --user or --address.')
  return { userId, address }
}
