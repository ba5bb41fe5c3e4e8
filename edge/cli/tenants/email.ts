// Implements `nc email …`: the integrations of an environment with providers of e-mail.

import type { DomainFinding } from '../../../contract/resources/email-domain.ts'
import type {
  ChangedEmailIntegrationAnswer,
  EmailIntegrationAnswer,
  EmailIntegrationTestAnswer,
} from '../../../contract/resources/email-integration.ts'
import { MAIL_PROVIDERS } from '../../../contract/tenant.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { readJson } from '../read-json.ts'
import { ENV, inEnvironment } from '../targets.ts'

const PATH = '/email/integrations'
const INTEGRATION: Flag = { value: 'int_…', meaning: 'The integration, as email list shows it.', required: true }

export const emailCommands: Command[] = [
  {
    noun: 'email',
    verb: 'list',
    summary: 'Lists the integrations of an environment with providers of e-mail, in the order in which they are tried.',
    flags: { env: ENV },
    async run(input, context) {
      const newest = await (await inEnvironment(input, context)).list<EmailIntegrationAnswer>(PATH)
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
      const body = {
        name: input.text('name'),
        provider: input.text('provider'),
        // In a file, because arguments are seen by other accounts and kept in the history of the shell.
        credentials: readJson(input.text('credentials-file')),
        from: readFrom(input),
        priority: readPriority(input),
        maxPerSecond: readMaxPerSecond(input),
      }
      const { call } = await inEnvironment(input, context)
      const data = await call<ChangedEmailIntegrationAnswer>('post', PATH, { body })
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
      const { call } = await inEnvironment(input, context)
      const body = { to: input.text('to') }
      const data = await call<EmailIntegrationTestAnswer>('post', `${pathOf(input)}/test`, { body })
      const id = data.ok && data.providerMessageId ? ` as ${data.providerMessageId}` : ''
      return { data, lines: [data.ok ? `Accepted${id}.` : `Not sent: ${data.error}`], failed: !data.ok }
    },
  },
  {
    noun: 'email',
    verb: 'domains',
    summary: "Checks SPF, DKIM and DMARC of the senders' domains by DNS, and prints the records to add.",
    flags: { env: ENV },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).list<DomainFinding>('/email/domains')
      return { data, table: domainTable(data) }
    },
  },
  {
    noun: 'email',
    verb: 'delete',
    summary: 'Removes an integration; mails are sent by the others.',
    flags: { env: ENV, integration: INTEGRATION },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).call('delete', pathOf(input))
      return { data, lines: ['Removed.'] }
    },
  },
]

const pathOf = (input: Input) => `${PATH}/${encodeURIComponent(input.text('integration'))}`

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

function linesOf({ id, name, webhookUrl, webhookCredentials }: ChangedEmailIntegrationAnswer): string[] {
  const lines = [`${name} is ${id}.`]
  if (webhookUrl !== null) lines.push(`Webhook: ${webhookUrl}`)
  if (webhookCredentials === undefined) return lines
  const { username, password } = webhookCredentials
  return [...lines, `User name: ${username}`, `Password, shown this once: ${password}`]
}

function tableOf(integrations: EmailIntegrationAnswer[]) {
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
