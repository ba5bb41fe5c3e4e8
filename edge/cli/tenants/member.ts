// Implements `nc member …`: the people of an organisation, and the links by which they join and reset passwords.

import { ROLES } from '../../../contract/role.ts'
import type { InvitationMail } from '../../domain/people/one-time-link.ts'
import { parseRole } from '../../domain/people/parse-person.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { getOrganisation, ORG } from '../targets.ts'

const EMAIL: Flag = { value: 'address', meaning: 'The e-mail address of the person.', required: true }
const ROLE: Flag = { value: 'role', meaning: `One of ${ROLES.join(', ')}.`, required: true }
const PAGE = 100

export const memberCommands: Command[] = [
  {
    noun: 'member',
    verb: 'invite',
    summary:
      'Invites a person to an organisation: prints the link, which works once within seven days, and mails it with SMTP_URL.',
    flags: { org: ORG, email: EMAIL, role: ROLE },
    async run(input, context) {
      const { inviteMembers, organisationId, acting } = await target(input, context)
      const role = parseRole(input.text('role'))
      const { invitation, link, mailed } = await inviteMembers.invite(organisationId, input.text('email'), role, acting)
      const mail = await mailed
      const { id, email, expiresAt } = invitation
      const data = {
        id: formatId('invitation', id),
        email,
        role,
        expiresAt: toIso(expiresAt),
        link,
        mail: mailOf(mail),
      }
      const invited = `Invited ${email} as ${role}. The link works once, until ${data.expiresAt}:`
      return { data, lines: [invited, link, ...linesOf(mail)] }
    },
  },
  {
    noun: 'member',
    verb: 'list',
    summary: 'Lists the members of an organisation with their roles.',
    flags: { org: ORG },
    async run(input, context) {
      const tools = await target(input, context)
      const data = (await listAll(tools)).map(({ id, email, name, role, createdAt }) => ({
        id: formatId('person', id),
        email,
        name,
        role,
        createdAt: toIso(createdAt),
      }))
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
      const tools = await target(input, context)
      const role = parseRole(input.text('role'))
      const id = await findId(input, tools)
      const { email } = await tools.manageMembers.changeRole(tools.organisationId, id, role, tools.acting)
      return { data: { id, email, role }, lines: [`${email} is ${role}.`] }
    },
  },
  {
    noun: 'member',
    verb: 'remove',
    summary: 'Removes a member and ends the sessions of the person; the last owner stays.',
    flags: { org: ORG, email: EMAIL, yes: { meaning: 'Confirms it.' } },
    async run(input, context) {
      const tools = await target(input, context)
      if (!input.has('yes')) throw new UsageError('The person loses access at once. Confirm with --yes.')
      const data = await tools.manageMembers.remove(tools.organisationId, await findId(input, tools), tools.acting)
      return { data, lines: ['Removed.'] }
    },
  },
  {
    noun: 'member',
    verb: 'reset',
    summary: 'Prints a link that sets a new password, once within an hour, and then ends all sessions of the person.',
    flags: { email: EMAIL },
    async run(input, context) {
      const { makeResetLink, stores, clock } = await context.tools()
      const email = input.text('email')
      const link = (await makeResetLink(email))?.link
      if (link === undefined) throw new Error(`Nobody has the e-mail address ${email}.`)
      const entry = { at: clock.now(), ...context.by, action: 'person.create-reset', subject: email, detail: {} }
      await stores.audit.record({ ...entry, environmentId: null })
      return { data: { link }, lines: ['The link works once within an hour:', link] }
    },
  },
  {
    noun: 'member',
    verb: 'set-up',
    summary: 'Prints the link that sets up the first organisation with its owner, while there is no member.',
    async run(_input, context) {
      const { findSetUpLink } = await context.tools()
      const link = await findSetUpLink()
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
      const { resetFactor, stores } = await context.tools()
      if (!input.has('yes')) throw new UsageError('The password alone signs the person in then. Confirm with --yes.')
      const account = await getAccount(input, stores)
      await resetFactor(account, context.by)
      return { data: { email: account.email }, lines: [`${account.email} signs in without a code.`] }
    },
  },
]

const mailOf = (mail: InvitationMail | null) => mail && { ...mail, at: toIso(mail.at) }

function linesOf(mail: InvitationMail | null): string[] {
  if (mail === null) return []
  if (mail.state === 'sent') return ['The mail server took the mail with the link.']
  return [`${mail.state === 'unknown' ? 'The mail may not be sent' : 'The mail is not sent'}: ${mail.error}`]
}

type Target = Awaited<ReturnType<typeof target>>

/** The operator of the store may do what an owner may. */
async function target(input: Input, context: CommandContext) {
  const tools = await context.tools()
  const { id: organisationId } = await getOrganisation(input, tools.stores)
  return { ...tools, organisationId, acting: { role: 'owner', personId: null, by: context.by } as const }
}

async function listAll({ manageMembers, organisationId }: Target) {
  const members: Awaited<ReturnType<typeof manageMembers.list>>['members'] = []
  let cursor: string | undefined
  do {
    const page = await manageMembers.list(organisationId, { cursor, limit: PAGE })
    members.push(...page.members)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return members
}

/** @returns The id of the person, as in the API. */
async function findId(input: Input, { stores }: Target): Promise<string> {
  return formatId('person', (await getAccount(input, stores)).id)
}

async function getAccount(input: Input, { people }: Target['stores']) {
  const email = input.text('email').trim().toLowerCase()
  const account = await people.findAccount(email)
  if (account === undefined) throw new Error(`Nobody has the e-mail address ${email}.`)
  return account
}
