// Implements `nc org show-single-sign-on`, `set-single-sign-on`, `trust-domain` and `remove-single-sign-on`.

import type { DomainProof, SingleSignOnAnswer } from '../../../contract/resources/single-sign-on.ts'
import { NEW_MEMBER_ROLES } from '../../../contract/role.ts'
import { type Command, type Input, type Outcome, UsageError } from '../command.ts'
import { readText } from '../read-json.ts'
import { amongMembers, ORG } from '../targets.ts'

const PATH = '/single-sign-on'

export const singleSignOnCommands: Command[] = [
  {
    noun: 'org',
    verb: 'show-single-sign-on',
    summary: 'Shows the single sign-on of an organisation, without its client secret.',
    flags: { org: ORG },
    async run(input, context) {
      return shown(await (await amongMembers(input, context)).call('get', PATH))
    },
  },
  {
    noun: 'org',
    verb: 'set-single-sign-on',
    summary: 'Sets the single sign-on of an organisation as a whole; another issuer or client ends its sessions.',
    flags: {
      org: ORG,
      issuer: { value: 'address', meaning: 'The issuer, whose discovery document is read.', required: true },
      'client-id': { value: 'text', meaning: 'The client at the provider.', required: true },
      'client-secret-file': {
        value: 'path',
        meaning: 'A file with the client secret; - reads standard input. Without it the stored secret stays.',
      },
      domain: { value: 'domain', meaning: 'Of the e-mail addresses that may sign in.', required: true, many: true },
      'new-member-role': {
        value: 'role',
        meaning: `Lets in others of these domains, as ${NEW_MEMBER_ROLES.join(', ')}. Without it only members and invited people.`,
      },
    },
    async run(input, context) {
      const body = {
        issuer: input.text('issuer'),
        clientId: input.text('client-id'),
        clientSecret: readSecret(input),
        domains: input.list('domain'),
        newMemberRole: readRole(input),
      }
      return shown(await (await amongMembers(input, context)).call('put', PATH, { body }))
    },
  },
  {
    noun: 'org',
    verb: 'trust-domain',
    summary: 'Lets the single sign-on of an organisation sign in addresses of a listed domain, without a DNS record.',
    flags: {
      org: ORG,
      domain: { value: 'domain', meaning: 'The domain, which you know to be theirs.', required: true },
    },
    async run(input, context) {
      const body = { domain: input.text('domain') }
      return shown(await (await amongMembers(input, context)).call('post', `${PATH}/prove-domain`, { body }))
    },
  },
  {
    noun: 'org',
    verb: 'remove-single-sign-on',
    summary: 'Removes the single sign-on of an organisation, and ends the sessions that it began.',
    flags: { org: ORG, yes: { meaning: 'Confirms it.' } },
    async run(input, context) {
      const { call } = await amongMembers(input, context)
      if (!input.has('yes')) throw new UsageError('Its sessions and links end at once. Confirm with --yes.')
      return { data: await call('delete', PATH), lines: ['Removed.'] }
    },
  },
]

function shown(data: SingleSignOnAnswer): Outcome {
  const { domains: _, domainProofs, ...others } = data
  const rows = [...Object.entries(others), ...domainProofs.map((proof) => [proof.domain, describeProof(proof)])]
  return { data, table: { columns: ['Setting', 'Value'], rows } }
}

function describeProof({ record, provedBy, missingSince }: DomainProof): string {
  const text = `TXT record ${record.name} with ${record.value}`
  if (provedBy === 'operator') return 'proved by the operator'
  if (provedBy === null) return `not proved: set the ${text}`
  return missingSince === null ? 'proved by its record' : `record missing since ${missingSince}: set the ${text}`
}

/** The secret is in a file, because arguments are seen by other accounts and kept in the history of the shell. */
function readSecret(input: Input): string | undefined {
  const path = input.find('client-secret-file')
  if (path === undefined) return undefined
  // An editor ends the file with a line feed.
  const secret = readText(path).replace(/\r?\n$/, '')
  if (secret === '') throw new Error('The client secret is empty.')
  return secret
}

function readRole(input: Input) {
  const text = input.find('new-member-role')
  if (text === undefined) return null
  const role = NEW_MEMBER_ROLES.find((one) => one === text)
  if (role === undefined) throw new UsageError(`--new-member-role must be one of ${NEW_MEMBER_ROLES.join(', ')}.`)
  return role
}
