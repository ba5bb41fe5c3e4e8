// Records notices of writes, so that other processes (nodes, or the server during a command) reload what changed.

import type { Notice, Notices, NoticeTopic } from '../../domain/notice.ts'
import type { PurgeStep } from '../../domain/organisation.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const RETENTION_MS = 60 * 60 * 1000

/** Records the notices of a write in its own transaction. `name`, `args` and `result` are those of the write. */
export async function recordNotices(
  { sql, now }: WriteContext,
  name: string,
  args: unknown[],
  result: unknown,
): Promise<void> {
  for (const { topic, payload } of toNotices(name, args, result)) {
    await sql.run('INSERT INTO notice (at, topic, payload) VALUES (?, ?, ?)', [now, topic, JSON.stringify(payload)])
  }
}

export const noticeWrites = {
  /** Removes notices that are an hour old: all nodes have read them. */
  async purgeNotices({ sql }: WriteContext, now: number): Promise<void> {
    await sql.run('DELETE FROM notice WHERE at < ?', [now - RETENTION_MS])
  },
}

/** Returns the notices of a write; the arguments are those of the write of that name. */
function toNotices(name: string, args: unknown[], result: unknown): Notice[] {
  const [first] = args
  const environment = (id: unknown): Notice[] => [
    { topic: 'environment-changed', payload: { environmentId: id as number } },
  ]
  const campaigns = (id: unknown): Notice[] => [
    { topic: 'campaigns-changed', payload: { environmentId: id as number } },
  ]
  const enrichers = (id: unknown): Notice[] => [
    { topic: 'enrichers-changed', payload: { environmentId: id as number } },
  ]
  const integrations = (id: unknown): Notice[] => [
    { topic: 'mail-integrations-changed', payload: { environmentId: id as number } },
  ]
  const field = (key: string) => (first as Record<string, unknown>)[key]
  const ended = (sessionIds: number[]): Notice[] =>
    sessionIds.length === 0 ? [] : [{ topic: 'sessions-ended', payload: { sessionIds } }]
  switch (name) {
    case 'createEnvironment':
      return result === true ? environment(field('id')) : []
    case 'updateEnvironment':
      return result === 'saved' ? environment(field('id')) : []
    case 'removeEnvironment':
      return result === 'removed' ? [...environment(field('id')), ...campaigns(field('id'))] : []
    case 'createSecret':
    case 'rotateSecret':
    case 'moveSecretEnd':
      return environment(field('environmentId'))
    case 'insertSource':
      return result === 'inserted' ? environment(field('environmentId')) : []
    case 'saveSource':
      return result === 'saved' ? environment(field('environmentId')) : []
    case 'removeSource':
      return result === true ? environment(first) : []
    case 'insertCampaignOnce':
    case 'saveCampaign':
      return campaigns(field('environmentId'))
    // Nothing names a config that is removed.
    case 'saveConfig':
      return result === 'saved' ? [{ topic: 'send-rules-changed', payload: { environmentId: null } }] : []
    case 'saveOrganisationSettings':
      return result === true ? [{ topic: 'send-rules-changed', payload: { environmentId: null } }] : []
    case 'changePreferences':
      return isFirst(result) ? rulesOf(first as number) : []
    case 'suppress':
      return isFirst(result) ? rulesOf(field('environmentId') as number) : []
    case 'saveEnricher':
      return enrichers(field('environmentId'))
    case 'removeEnricher':
      return result === true ? enrichers(first) : []
    case 'insertMailIntegrationOnce':
      return result === true ? integrations(field('environmentId')) : []
    case 'saveMailIntegration':
      return result === 'saved' ? integrations(field('environmentId')) : []
    case 'removeMailIntegration':
      return result === true ? integrations(first) : []
    case 'purgeStep':
      return field('byNotice') === true ? inboxesOf(result as PurgeStep) : []
    case 'endSession':
      return ended([first as number])
    case 'endSessionsOfUser':
    case 'endSessionsOfCredential':
      return ended(result as number[])
    default:
      return []
  }
}

const inboxesOf = ({ pushes }: PurgeStep): Notice[] =>
  pushes.length === 0 ? [] : [{ topic: 'inboxes-changed', payload: { userNos: pushes.map(({ userNo }) => userNo) } }]

/** Nodes skip the send rules of an environment until it has its first preference or suppression. */
const rulesOf = (environmentId: number): Notice[] => [{ topic: 'send-rules-changed', payload: { environmentId } }]
const isFirst = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'first' in result && result.first === true

export function createNotices(sql: Sql, writes: Writes<typeof noticeWrites>): Notices {
  return {
    purge: writes.purgeNotices,
    async lastNumber() {
      const row = await sql.one<{ last: number }>('SELECT COALESCE(MAX(number), 0) AS last FROM notice')
      return row?.last ?? 0
    },
    async listAfter(number) {
      const rows = await sql.all<{ number: number; topic: NoticeTopic; payload: string }>(
        'SELECT number, topic, payload FROM notice WHERE number > ? ORDER BY number',
        [number],
      )
      return rows.map((row) => ({ number: row.number, notice: toNotice(row.topic, row.payload) }))
    },
  }
}

/** The cast is safe: only `recordNotices` writes these rows. */
function toNotice(topic: NoticeTopic, payload: string): Notice {
  return { topic, payload: JSON.parse(payload) } as Notice
}
