// Implements `nc audit list`: the changes of secrets, campaigns and settings, with author and time.

import type { AuditAnswer } from '../../../contract/resources/audit.ts'
import { auditFilterOf, toAuditAnswer } from '../../flow/tenant/read-audit-log.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Input, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { parseInstant } from '../read-instant.ts'
import { ENV, getEnvironment, getOrganisation, listed, ORG } from '../targets.ts'

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
      who: { value: 'text', meaning: 'The account that made the change, or the interface, such as dashboard.' },
      from: { value: 'time', meaning: 'A day or an instant, such as 2026-01-31 or 2026-01-31T12:00:00Z.' },
      to: { value: 'time', meaning: 'The same; a day counts whole.' },
      limit: { value: 'number', meaning: `How many, 1 to ${MOST}. Default: ${LIMIT}.` },
    },
    async run(input, context) {
      const data = await readEntries(input, context)
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

/** An entry with the organisation that was changed, or whose environment was. */
interface ListedEntry extends Omit<AuditAnswer, 'subjectName'> {
  /** Absent in the list of all organisations. */
  subjectName?: string | null
  organisation: string | null
}

async function readEntries(input: Input, context: CommandContext): Promise<ListedEntry[]> {
  const limit = readLimit(input)
  const [from, to] = [readInstant(input, 'from', 'T00:00:00Z'), readInstant(input, 'to', 'T23:59:59.999Z')]
  const filter = { actor: input.find('who'), action: input.find('action') }
  const { stores, operator } = await context.tools()
  const environment = input.has('env') ? await getEnvironment(input, stores) : undefined
  const id = input.has('org') ? (await getOrganisation(input, stores)).id : environment?.organisationId
  if (id === undefined) {
    // No route lists the changes in all organisations.
    const entries = await stores.audit.search(auditFilterOf({ ...filter, from, to }), limit)
    return entries.map((entry) => ({ ...toAuditAnswer(entry), organisation: nameOf(entry.organisationId) }))
  }
  const organisation = formatId('organisation', id)
  const query = {
    ...filter,
    environment: input.find('env'),
    from: from === undefined ? undefined : toIso(from),
    to: to === undefined ? undefined : toIso(to),
  }
  const entries = await listed(operator.inOrganisation(organisation)).list<AuditAnswer>('/audit-log', query, limit)
  return entries.map((entry) => ({ ...entry, organisation }))
}

const nameOf = (id: number | null | undefined) => (id == null ? null : formatId('organisation', id))

/** @param ofDay What is added to a day alone. */
function readInstant(input: Input, name: 'from' | 'to', ofDay: string): number | undefined {
  const text = input.find(name)
  return text === undefined ? undefined : parseInstant(name, text, ofDay)
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
