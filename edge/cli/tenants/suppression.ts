// Implements `nc suppression …`: users and addresses to which nothing is sent on a channel. Addresses are stored as hashes, so
// no command lists all of them.

import { CHANNELS, type Channel, needsAddress } from '../../../contract/delivery.ts'
import { SUPPRESSION_REASONS } from '../../domain/sending/send-rules.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, getEnvironment } from '../targets.ts'

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
      const { manageSuppressions, environmentId, subject } = await target(input, context)
      const { data } = await manageSuppressions.list(environmentId, subject)
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
      const { manageSuppressions, environmentId, subject, channel } = await target(input, context)
      const reason = oneOf(input, 'reason', SUPPRESSION_REASONS, 'manual')
      const { added } = await manageSuppressions.add(environmentId, subject, { channel, reason }, context.by)
      return { data: { added }, lines: [added ? 'Suppressed.' : 'That was suppressed already.'] }
    },
  },
  {
    noun: 'suppression',
    verb: 'remove',
    summary: 'Lets a channel reach a suppressed user or address again.',
    flags: { env: ENV, ...SUBJECT, channel: CHANNEL },
    async run(input, context) {
      const { manageSuppressions, environmentId, subject, channel } = await target(input, context)
      const { deleted } = await manageSuppressions.remove(environmentId, subject, channel, context.by)
      return { data: { deleted }, lines: [deleted ? 'Removed.' : 'That was not suppressed.'], failed: !deleted }
    },
  },
]

async function target(input: Input, context: CommandContext) {
  const { stores, manageSuppressions } = await context.tools()
  const { id: environmentId } = await getEnvironment(input, stores)
  const [userId, address] = [input.find('user'), input.find('address')]
  if ((userId === undefined) === (address === undefined)) throw new UsageError('Give --user or --address.')
  const channel: Channel = oneOf(input, 'channel', CHANNELS, 'email')
  if (address !== undefined && !needsAddress(channel)) throw new UsageError(`The channel ${channel} has no addresses.`)
  return { manageSuppressions, environmentId, channel, subject: { userId, address } }
}

function oneOf<T extends string>(input: Input, flag: string, words: readonly T[], byDefault: T): T {
  const text = input.find(flag)
  if (text === undefined) return byDefault
  const word = words.find((known) => known === text)
  if (word === undefined) throw new UsageError(`--${flag} is one of ${words.join(', ')}.`)
  return word
}
