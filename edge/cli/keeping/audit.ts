// Implements `nc audit list`: the changes of secrets, campaigns and settings, with author and time.

import type { AuditFilter } from '../../domain/audit.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Input, UsageError } from '../command.ts'
import type { Tools } from '../command-context.ts'
import { parseInstant } from '../read-instant.ts'
import { ENV, getEnvironment, getOrganisation, ORG } from '../targets.ts'

const LIMIT = 50
const MOST = 1000

export const auditCommands: Command[] = [
  {
    noun: 'audit',
    verb: 'list',
    summary: 'Lists what was changed, by whom and when; newest first.',
    flags: {
      org: { ...ORG, required: false },
      env: { ...ENV, required: false },
      action: { value: 'action', meaning: 'Such as secret.rotate; or a noun, such as secret.' },
      who: { value: 'text', meaning: 'The account that made the change.' },
      from: { value: 'time', meaning: 'A day or an instant, such as 2026-01-31 or 2026-01-31T12:00:00Z.' },
      to: { value: 'time', meaning: 'The same; a day counts whole.' },
      limit: { value: 'number', meaning: `How many, 1 to ${MOST}. Default: ${LIMIT}.` },
    },
    async run(input, context) {
      const tools = await context.tools()
      const entries = await tools.stores.audit.search(await readFilter(input, tools), readLimit(input))
      const data = entries.map(({ environmentId, organisationId, at, ...entry }) => ({
        at: toIso(at),
        ...entry,
        environment: environmentId === null ? null : formatId('environment', environmentId),
        organisation: organisationId == null ? null : formatId('organisation', organisationId),
      }))
      const rows = data.map((one) => [
        one.at,
        `${one.actor} ${one.who}`,
        one.action,
        one.environment,
        one.subject,
        factsOf(one.detail),
      ])
      return { data, table: { columns: ['When', 'Who', 'Action', 'Environment', 'What', 'Facts'], rows } }
    },
  },
]

async function readFilter(input: Input, { stores }: Tools): Promise<AuditFilter> {
  const filter: AuditFilter = {}
  if (input.has('org')) filter.organisationId = (await getOrganisation(input, stores)).id
  if (input.has('env')) filter.environmentId = (await getEnvironment(input, stores)).id
  const [action, who, from, to] = (['action', 'who', 'from', 'to'] as const).map((name) => input.find(name))
  if (action !== undefined) filter.action = action
  if (who !== undefined) filter.who = who
  if (from !== undefined) filter.from = parseInstant('from', from, 'T00:00:00Z')
  if (to !== undefined) filter.to = parseInstant('to', to, 'T23:59:59.999Z')
  return filter
}

function readLimit(input: Input): number {
  const text = input.find('limit') ?? String(LIMIT)
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MOST) throw new UsageError(`--limit must be a whole number from 1 to ${MOST}.`)
  return limit
}

function factsOf(detail: Record<string, string | number | boolean | null>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
