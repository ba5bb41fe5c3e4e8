// Implements `nc email …`: the integrations of an environment with providers of e-mail.

import { MAIL_PROVIDERS } from '../../../contract/tenant.ts'
import type { DomainFinding } from '../../domain/mail/domain-check.ts'
import type { ChangedIntegrationAnswer, IntegrationAnswer } from '../../flow/tenant/manage-integrations.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { listAll } from '../list-all.ts'
import { readJson } from '../read-json.ts'
import { ENV, getEnvironment } from '../targets.ts'

const INTEGRATION: Flag = { value: 'int_…', meaning: 'The integration, as email list shows it.', required: true }

export const emailCommands: Command[] = [
  {
    noun: 'email',
    verb: 'list',
    summary: 'Lists the integrations of an environment with providers of e-mail, in the order in which they are tried.',
    flags: { env: ENV },
    async run(input, context) {
      const { manageIntegrations, environment } = await target(input, context)
      const newest = await listAll((query) => manageIntegrations.list(environment.id, query))
      const data = newest.reverse().sort((one, other) => one.priority - other.priority)
      return { data, table: tableOf(data) }
    },
  },
  {
    noun: 'email',
    verb: 'create',
    summary: 'Adds an integration, and prints the address of its webhook with its password, if it has one, this once.',
    flags: {
      env: ENV,
      name: { value: 'text', meaning: 'Its name, once in the environment.', required: true },
      provider: { value: MAIL_PROVIDERS.join('|'), meaning: 'The provider.', required: true },
      'credentials-file': {
        value: 'path',
        meaning: 'A JSON file with the credentials of the provider by field; - reads standard input.',
        required: true,
      },
      'from-address': { value: 'address', meaning: 'The sender where the notification config names none.' },
      'from-name': { value: 'text', meaning: 'The name of that sender.' },
      priority: { value: 'number', meaning: 'The lowest sends. Default: 1.' },
      'max-per-second': { value: 'number', meaning: 'Mails in a second at most, such as 14 or 0.5.' },
    },
    async run(input, context) {
      const settings = {
        name: input.text('name'),
        provider: input.text('provider'),
        // In a file, because arguments are seen by other accounts and kept in the history of the shell.
        credentials: readJson(input.text('credentials-file')),
        from: readFrom(input),
        priority: readPriority(input),
        maxPerSecond: readMaxPerSecond(input),
      }
      const { manageIntegrations, environment } = await target(input, context)
      const data = await manageIntegrations.create(environment.id, settings, context.by)
      return { data, lines: linesOf(data) }
    },
  },
  {
    noun: 'email',
    verb: 'test',
    summary: "Sends a test mail by an integration, and prints the provider's own answer.",
    flags: {
      env: ENV,
      integration: INTEGRATION,
      to: { value: 'address', meaning: 'The recipient.', required: true },
    },
    async run(input, context) {
      const { testIntegration, environment } = await target(input, context)
      const data = await testIntegration(environment, input.text('integration'), input.text('to'))
      const id = data.ok && data.providerMessageId !== null ? ` as ${data.providerMessageId}` : ''
      return { data, lines: [data.ok ? `Accepted${id}.` : `Not sent: ${data.error}`], failed: !data.ok }
    },
  },
  {
    noun: 'email',
    verb: 'domains',
    summary: "Checks SPF, DKIM and DMARC of the senders' domains by DNS, and prints the records to add.",
    flags: { env: ENV },
    async run(input, context) {
      const { checkDomains, environment } = await target(input, context)
      const data = await checkDomains(environment)
      return { data, table: domainTable(data) }
    },
  },
  {
    noun: 'email',
    verb: 'delete',
    summary: 'Removes an integration; mails are sent by the others.',
    flags: { env: ENV, integration: INTEGRATION },
    async run(input, context) {
      const { manageIntegrations, environment } = await target(input, context)
      const data = await manageIntegrations.remove(environment.id, input.text('integration'), context.by)
      return { data, lines: ['Removed.'] }
    },
  },
]

async function target(input: Input, context: CommandContext) {
  const { manageIntegrations, testIntegration, checkDomains, stores } = await context.tools()
  return { manageIntegrations, testIntegration, checkDomains, environment: await getEnvironment(input, stores) }
}

function readFrom(input: Input) {
  const address = input.find('from-address')
  const name = input.find('from-name')
  if (address !== undefined) return { address, name }
  if (name !== undefined) throw new UsageError('--from-name needs --from-address.')
  return undefined
}

function readPriority(input: Input): number | undefined {
  const text = input.find('priority')
  if (text !== undefined && !/^\d{1,4}$/.test(text)) throw new UsageError('--priority must be a whole number.')
  return text === undefined ? undefined : Number(text)
}

function readMaxPerSecond(input: Input): number | undefined {
  const text = input.find('max-per-second')
  if (text !== undefined && !/^\d{1,4}(\.\d{1,3})?$/.test(text))
    throw new UsageError('--max-per-second must be a number.')
  return text === undefined ? undefined : Number(text)
}

function linesOf({ id, name, webhookUrl, webhookCredentials }: ChangedIntegrationAnswer): string[] {
  const lines = [`${name} is ${id}.`]
  if (webhookUrl !== null) lines.push(`Webhook: ${webhookUrl}`)
  if (webhookCredentials === undefined) return lines
  const { username, password } = webhookCredentials
  return [...lines, `User name: ${username}`, `Password, shown this once: ${password}`]
}

function tableOf(integrations: IntegrationAnswer[]) {
  const rows = integrations.map(({ id, name, provider, account, from, priority, maxPerSecond, webhookUrl, state }) => [
    id,
    name,
    provider,
    accountOf(account),
    from?.address ?? null,
    priority,
    maxPerSecond,
    state.lastSentAt,
    state.lastError,
    webhookUrl,
  ])
  const columns = ['Id', 'Name', 'Provider', 'Account', 'From', 'Priority', 'Per second', 'Last sent', 'Last error']
  return { columns: [...columns, 'Webhook'], rows }
}

function domainTable(findings: DomainFinding[]) {
  const rows = findings.map(({ domain, integration, kind, verdict, words, record }) => [
    domain,
    integration,
    kind,
    verdict,
    words,
    record?.name ?? null,
    record?.value ?? null,
  ])
  return { columns: ['Domain', 'Integration', 'Kind', 'Verdict', 'What', 'TXT record', 'Value'], rows }
}

const accountOf = (account: Record<string, string>) =>
  Object.entries(account)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
