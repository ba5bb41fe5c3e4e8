// Implements `nc suppression …`: users and addresses to which nothing is sent on a channel. Addresses are stored as hashes, so
// no command lists all of them.

import { CHANNELS, type Channel, needsAddress } from '../../../contract/delivery.ts'
import { SUPPRESSION_REASONS, type SuppressedSubject } from '../../domain/sending/send-rules.ts'
import { toIso } from '../../lib/clock.ts'
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
      const { sendRules, subject } = await target(input, context)
      const found = await sendRules.listOf(subject)
      const data = found.map(({ channel, reason, createdAt }) => ({ channel, reason, createdAt: toIso(createdAt) }))
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
      const { sendRules, subject, clock, audit } = await target(input, context)
      const reason = oneOf(input, 'reason', SUPPRESSION_REASONS, 'manual')
      const { added } = await sendRules.suppress(subject, reason, clock.now())
      if (added) await audit('suppression.add', { channel: subject.channel, reason })
      return { data: { added }, lines: [added ? 'Suppressed.' : 'That was suppressed already.'] }
    },
  },
  {
    noun: 'suppression',
    verb: 'remove',
    summary: 'Lets a channel reach a suppressed user or address again.',
    flags: { env: ENV, ...SUBJECT, channel: CHANNEL },
    async run(input, context) {
      const { sendRules, subject, audit } = await target(input, context)
      const removed = await sendRules.release(subject)
      if (removed) await audit('suppression.remove', { channel: subject.channel })
      return { data: { removed }, lines: [removed ? 'Removed.' : 'That was not suppressed.'], failed: !removed }
    },
  },
]

async function target(input: Input, context: CommandContext) {
  const { stores, clock } = await context.tools()
  const { id: environmentId } = await getEnvironment(input, stores)
  const [userId, address] = [input.find('user'), input.find('address')]
  if ((userId === undefined) === (address === undefined)) throw new UsageError('Give --user or --address.')
  const channel: Channel = oneOf(input, 'channel', CHANNELS, 'email')
  if (address !== undefined && !needsAddress(channel)) throw new UsageError(`The channel ${channel} has no addresses.`)
  const subject: SuppressedSubject = { environmentId, channel, userId, address }
  /** The log must not contain an address either. */
  const about = userId ?? 'an address'
  const audit = (action: string, detail: Record<string, string>) =>
    stores.audit.record({ at: clock.now(), ...context.by, action, environmentId, subject: about, detail })
  return { sendRules: stores.sendRules, subject, clock, audit }
}

function oneOf<T extends string>(input: Input, flag: string, words: readonly T[], byDefault: T): T {
  const text = input.find(flag)
  if (text === undefined) return byDefault
  const word = words.find((known) => known === text)
  if (word === undefined) throw new UsageError(`--${flag} is one of ${words.join(', ')}.`)
  return word
}
