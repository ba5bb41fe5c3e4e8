// Implements `nc member …`: the people of an organisation, and the links by which they join and reset passwords.

import type { InvitationAnswer, MemberAnswer, PrintedInvitation } from '../../../contract/resources/member.ts'
import { normaliseEmail } from '../../../contract/resources/person.ts'
import { ROLES } from '../../../contract/role.ts'
import type { Account } from '../../domain/people/person.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { amongMembers, ORG } from '../targets.ts'

const MEMBERS = '/members'
const EMAIL: Flag = { value: 'address', meaning: 'The e-mail address of the person.', required: true }
const ROLE: Flag = { value: 'role', meaning: `One of ${ROLES.join(', ')}.`, required: true }

export const memberCommands: Command[] = [
  {
    noun: 'member',
    verb: 'invite',
    summary:
      'Invites a person to an organisation: prints the link, which works once within seven days, and mails it with SMTP_URL.',
    flags: { org: ORG, email: EMAIL, role: ROLE },
    async run(input, context) {
      const body = { email: input.text('email'), role: input.text('role') }
      const { call } = await amongMembers(input, context)
      const data = await call<PrintedInvitation>('post', '/invitations', { body })
      const invited = `Invited ${data.email} as ${data.role}. The link works once, until ${data.expiresAt}:`
      return { data, lines: [invited, data.link, ...linesOf(data.mail)] }
    },
  },
  {
    noun: 'member',
    verb: 'list',
    summary: 'Lists the members of an organisation with their roles.',
    flags: { org: ORG },
    async run(input, context) {
      const data = await (await amongMembers(input, context)).list<MemberAnswer>(MEMBERS)
      const rows = data.map((one) => [one.id, one.email, one.name, one.role])
      return { data, table: { columns: ['Id', 'E-mail', 'Name', 'Role'], rows } }
    },
  },
  {
    noun: 'member',
    verb: 'role',
    summary: 'Changes the role of a member; the last owner keeps it.',
    flags: { org: ORG, email: EMAIL, role: ROLE },
    async run(input, context) {
      const { call } = await amongMembers(input, context)
      const body = { role: input.text('role') }
      const data = await call<MemberAnswer>('put', await pathOf(input, context), { body })
      return { data, lines: [`${data.email} is ${data.role}.`] }
    },
  },
  {
    noun: 'member',
    verb: 'remove',
    summary: 'Removes a member and ends the sessions of the person; the last owner stays.',
    flags: { org: ORG, email: EMAIL, yes: { meaning: 'Confirms it.' } },
    async run(input, context) {
      const { call } = await amongMembers(input, context)
      if (!input.has('yes')) throw new UsageError('The person loses access at once. Confirm with --yes.')
      return { data: await call('delete', await pathOf(input, context)), lines: ['Removed.'] }
    },
  },
  {
    noun: 'member',
    verb: 'reset',
    summary: 'Prints a link that sets a new password, once within an hour, and then ends all sessions of the person.',
    flags: { email: EMAIL },
    async run(input, context) {
      const { operator, stores, clock } = await context.tools()
      const email = input.text('email')
      const link = (await operator.people.makeResetLink(email))?.link
      if (link === undefined) throw new Error(`Nobody has the e-mail address ${email}.`)
      const entry = {
        at: clock.now(),
        ...context.by,
        action: 'person.create-reset',
        subject: normaliseEmail(email),
        detail: {},
      }
      await stores.audit.record({ ...entry, environmentId: null })
      return { data: { link }, lines: ['The link works once within an hour:', link] }
    },
  },
  {
    noun: 'member',
    verb: 'set-up',
    summary: 'Prints the link that sets up the first organisation with its owner, while there is no member.',
    async run(_input, context) {
      const link = await (await context.tools()).operator.people.findSetUpLink()
      if (link === undefined) throw new Error('There is a member already: an owner invites others.')
      return { data: { link }, lines: ['Whoever opens the link first becomes the owner:', link] }
    },
  },
  {
    noun: 'member',
    verb: 'totp-off',
    summary: 'Switches one-time codes off for a person who lost the device and the recovery codes.',
    flags: { email: EMAIL, yes: { meaning: 'Confirms it.' } },
    async run(input, context) {
      const { operator } = await context.tools()
      if (!input.has('yes')) throw new UsageError('The password alone signs the person in then. Confirm with --yes.')
      const account = await getAccount(input, context)
      await operator.people.resetFactor(account, context.by)
      return { data: { email: account.email }, lines: [`${account.email} signs in without a code.`] }
    },
  },
]

function linesOf(mail: InvitationAnswer['mail']): string[] {
  if (mail === null) return []
  if (mail.state === 'sent') return ['The mail server took the mail with the link.']
  return [`${mail.state === 'unknown' ? 'The mail may not be sent' : 'The mail is not sent'}: ${mail.error}`]
}

async function pathOf(input: Input, context: CommandContext): Promise<string> {
  return `${MEMBERS}/${formatId('person', (await getAccount(input, context)).id)}`
}

async function getAccount(input: Input, context: CommandContext): Promise<Account> {
  const email = normaliseEmail(input.text('email'))
  const account = await (await context.tools()).stores.people.findAccount(email)
  if (account === undefined) throw new Error(`Nobody has the e-mail address ${email}.`)
  return account
}
