// Checks of both engines that a deleted environment leaves no row in any table, and that others keep all of theirs.

import { expect } from 'vitest'
import type { AuditEntry } from '../../domain/audit.ts'
import { formatId } from '../../lib/id.ts'
import { type PortableTable, portableTables } from '../portable/portable-tables.ts'
import { type Given, HOUR } from './given.ts'
import { ENVIRONMENT } from './tenants.suite.ts'

/** Reaches all tables; texts have no parameters. */
export interface RawTables {
  run(...statements: string[]): Promise<unknown>
  /** Counts the rows of each of these. */
  count(froms: readonly string[]): Promise<number[]>
}

/** Several slices and steps. */
const ROWS = 220
/** Ids of one environment lie in a range of their own, so that each column that names its rows is found. */
const SPAN = 1_000_000
const KINDS = ['user', 'topic', 'campaign', 'run', 'event', 'message', 'source', 'integration', 'job', 'other'] as const
const idOf = (base: number, kind: (typeof KINDS)[number], at: number) => base + 1000 * (KINDS.indexOf(kind) + 1) + at
const KIND_OF: Record<string, (typeof KINDS)[number]> = {
  user_no: 'user',
  topic_no: 'topic',
  campaign_id: 'campaign',
  run_id: 'run',
  joined_run_id: 'run',
  event_id: 'event',
  message_id: 'message',
  source_id: 'source',
  integration_id: 'integration',
  'campaign.id': 'campaign',
  'run.id': 'run',
  'tracked_event.id': 'event',
  'message.id': 'message',
  'source.id': 'source',
  'mail_integration.id': 'integration',
  'job.id': 'job',
}

/** Tables with rows of environments, by their columns. */
const FILLED = portableTables(Number.MAX_SAFE_INTEGER).filter(
  ({ name, columns }) =>
    !['environment', 'environment_erasure'].includes(name) &&
    ['environment_id', ...Object.keys(KIND_OF)].some((column) => column in columns),
)

function cellOf({ name, columns }: PortableTable, column: string, base: number, at: number): string | number | null {
  if (column === 'environment_id') return base
  const kind = KIND_OF[`${name}.${column}`] ?? KIND_OF[column]
  if (kind !== undefined) return idOf(base, kind, at)
  // Numbers of the log are no ids of the environment.
  if (column === 'number') return 1000 * SPAN + idOf(base, 'other', at)
  if (column === 'id' || column === 'enricher_no') return idOf(base, 'other', at)
  if (column === 'organisation_id') return organisationOf(base)
  if (column === 'due_at') return at % 3 === 0 ? 5 : null
  if (column === 'given_up_at') return at % 3 === 1 ? 5 : null
  if (column === 'has_message') return at % 2
  if (column === 'user_ids') return JSON.stringify([`user_id ${base} ${at}`])
  if (column === 'detail') return '{"n":1}'
  if (column === 'action') return at % 2 === 0 ? 'user.change' : 'secret.rotate'
  return columns[column] === 'int' ? at : `${column} ${base} ${at}`
}

/** Of the environments of one test. */
const organisationOf = (base: number) => Math.floor(base / (10 * SPAN))

function fill(base: number): string[] {
  const quoted = (value: string | number | null) => (typeof value === 'string' ? `'${value}'` : String(value))
  return FILLED.map((table) => {
    const names = Object.keys(table.columns)
    const rows = Array.from({ length: ROWS }, (_, at) =>
      names.map((column) => quoted(cellOf(table, column, base, at))).join(', '),
    )
    return `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${rows.join('), (')}) ON CONFLICT DO NOTHING`
  })
}

/** Which tables have rows with an id of the range, and how many. */
async function countRows({ count }: RawTables, base: number): Promise<Record<string, number>> {
  const places = portableTables(Number.MAX_SAFE_INTEGER).flatMap(({ name, columns }) => {
    const ids = Object.keys(columns).filter((column) => columns[column] === 'int' && column !== 'at')
    const names = ids.map((column) => `${column} BETWEEN ${base} AND ${base + SPAN - 1}`)
    return names.length === 0 ? [] : [{ name, from: `${name} WHERE ${names.join(' OR ')}` }]
  })
  const counts = await count(places.map(({ from }) => from))
  return Object.fromEntries(
    places.map(({ name }, at) => [name, counts[at] ?? 0] as const).filter(([, rows]) => rows > 0),
  )
}

/** Deletes one of two environments of an organisation in which each table has rows. */
export async function expectNothingLeft(given: Given, tables: RawTables): Promise<void> {
  const { environments, audit } = given.stores
  const [doomed, kept] = [30 * SPAN, 31 * SPAN]
  const organisationId = organisationOf(doomed)
  const organisation = { name: 'Shop', region: 'eu', onboardedAt: 1, retentionDays: 90, createdAt: 1 }
  await given.stores.organisations.create({ ...organisation, id: organisationId })
  for (const [id, name] of [
    [doomed, 'dev'],
    [kept, 'prod'],
  ] as const) {
    await environments.create({ ...ENVIRONMENT, id, name, organisationId }, [])
    await tables.run(...fill(id))
  }
  const before = await countRows(tables, kept)
  expect(Object.keys(before)).toEqual(expect.arrayContaining(FILLED.map(({ name }) => name)))
  expect(await environments.countContents(doomed)).toEqual({ users: ROWS, messages: ROWS, campaigns: ROWS })

  const entry: AuditEntry = {
    at: given.now(),
    actor: 'dashboard',
    who: 'a@example.com',
    action: 'env.delete',
    environmentId: null,
    organisationId,
    subject: 'dev',
    detail: {},
  }
  const remove = (revision = 0) => environments.remove({ id: doomed, organisationId, revision }, entry)
  expect(await remove(1)).toBe('changed')
  expect((await Promise.all([remove(), remove()])).sort()).toEqual(['changed', 'removed'])
  expect(await environments.find(doomed)).toBeUndefined()
  expect((await environments.list(organisationId)).map(({ id }) => id)).toEqual([kept])
  expect(await given.stores.secrets.list(doomed, 'sdkSecretKey')).toEqual([])

  const step = () => environments.eraseStep(doomed, given.now())
  let steps = 1
  while ((await step()) === 'more') steps++
  expect(steps).toBeGreaterThan((FILLED.length * ROWS) / 700)
  expect(await countRows(tables, doomed)).toEqual({ environment_erasure: 1 })

  // A call that was under way writes late: its rows go, too.
  const late = FILLED.find(({ name }) => name === 'message') as PortableTable
  const statement = fill(doomed)[FILLED.indexOf(late)] ?? ''
  await tables.run(statement)
  expect(await environments.listErasures()).toEqual([doomed])
  while ((await step()) === 'more');
  expect(await countRows(tables, doomed)).toEqual({ environment_erasure: 1 })
  const later = given.now() + 2 * HOUR
  expect(await environments.eraseStep(doomed, later)).toBe('nothing-left')
  expect(await environments.listErasures()).toEqual([])
  expect(await countRows(tables, doomed)).toEqual({})
  expect(await countRows(tables, kept)).toEqual(before)

  // The organisation keeps its log, with the environment as a text and without its users.
  const log = await audit.search({ organisationId }, 4 * ROWS)
  expect(log.filter(({ environmentId }) => environmentId === kept)).toHaveLength(ROWS)
  expect(log.filter(({ action }) => action === 'env.delete')).toHaveLength(1)
  const environment = formatId('environment', doomed)
  const detached = log.filter(({ detail }) => detail.environment === environment)
  expect(detached).toHaveLength(ROWS)
  expect(detached.filter(({ action }) => action === 'secret.rotate')[0]?.detail).toEqual({ n: 1, environment })
  const personal = detached.filter(({ action }) => action === 'user.change')
  expect(personal.map(({ subject, detail }) => [subject, detail])).toEqual(
    personal.map(() => ['a user', { environment }]),
  )
  expect(await environments.remove({ id: kept, organisationId, revision: 0 }, { ...entry, subject: 'prod' })).toBe(
    'last',
  )
}
