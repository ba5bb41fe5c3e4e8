// Stores what is learned of tracked events: counts that nodes add to, bounded for each environment and each name.

import {
  type CountedName,
  type CountedPath,
  type EventNames,
  type KeptName,
  NAMES_KEPT,
  PATHS_KEPT,
} from '../../domain/event-names.ts'
import { EVENT_NAME, EVENT_PATH } from '../tables/event-name.ts'
import { insertInto, type RawRow, type RowOf, view } from '../tables/table.ts'
import { containing } from './beginning.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

/** The place in the list is the last time, with the place among those of one write: no two of an environment are equal. */
const PLACES_PER_MS = 1000
const STEP_ROWS = 400

const NAME = view(EVENT_NAME, '', ['name', 'events', 'sampled', 'isCut', 'firstAt', 'place'])
const PATH = view(EVENT_PATH, '', [
  'name',
  'path',
  'present',
  'strings',
  'numbers',
  'booleans',
  'nulls',
  'objects',
  'arrays',
  'lastAt',
])
const ADDED_NAME = view(EVENT_NAME, '', ['environmentId', 'name', 'events'])
const ADDED_PATH = view(EVENT_PATH, '', ['environmentId', 'name', 'path', 'present'])

const added = (table: string, columns: string[]) =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')
const greater = (table: string, column: string) =>
  `${column} = CASE WHEN excluded.${column} > ${table}.${column} THEN excluded.${column} ELSE ${table}.${column} END`

const ADD_NAMES = insertInto(
  EVENT_NAME,
  undefined,
  `ON CONFLICT (environment_id, name) DO UPDATE SET ${added('event_name', ['events', 'sampled'])},
    ${greater('event_name', 'is_cut')}, ${greater('event_name', 'place')} RETURNING ${ADDED_NAME.columns}`,
)
const TYPE_COLUMNS = ['strings', 'numbers', 'booleans', 'nulls', 'objects', 'arrays']
const ADD_PATHS = insertInto(
  EVENT_PATH,
  undefined,
  `ON CONFLICT (environment_id, name, path) DO UPDATE SET ${added('event_path', ['present', ...TYPE_COLUMNS])},
    ${greater('event_path', 'last_at')} RETURNING ${ADDED_PATH.columns}`,
)
const OF_NAME = { environment_id: 'int', name: 'text' } as const
const TRIM_PATHS = withRows(
  OF_NAME,
  `DELETE FROM event_path WHERE (environment_id, name, path) IN (SELECT environment_id, name, path FROM
    (SELECT p.environment_id, p.name, p.path,
      ROW_NUMBER() OVER (PARTITION BY p.environment_id, p.name ORDER BY p.last_at DESC, p.path) AS number
      FROM given CROSS JOIN event_path p WHERE p.environment_id = given.environment_id AND p.name = given.name)
    AS numbered WHERE number > ${PATHS_KEPT}) RETURNING environment_id, name`,
)
const MARK_CUT = withRows(
  OF_NAME,
  'UPDATE event_name SET is_cut = 1 FROM given WHERE event_name.environment_id = given.environment_id AND event_name.name = given.name',
)
const REMOVE_PATHS = withRows(
  OF_NAME,
  'DELETE FROM event_path WHERE (environment_id, name) IN (SELECT environment_id, name FROM given)',
)

type NameRow = { environment_id: number; name: string }
const toParams = (rows: readonly NameRow[]) => {
  const byKey = new Map(rows.map((row) => [`${row.environment_id} ${row.name}`, row]))
  return [...byKey.values()].map((row) => [row.environment_id, row.name])
}

export const eventNameWrites = {
  async addEventNames({ sql }: WriteContext, counted: CountedName[]): Promise<void> {
    const names = toNameRows(counted)
    if (names.length === 0) return
    const storedNames = await ADD_NAMES.write<RowOf<typeof ADDED_NAME>>(sql, names)
    const paths = toPathRows(counted)
    if (paths.length > 0) {
      const presentOf = new Map(paths.map((row) => [keyOf(row), row.present]))
      const storedPaths = await ADD_PATHS.write<RowOf<typeof ADDED_PATH>>(sql, paths)
      const isNew = storedPaths.filter((row) => presentOf.get(keyOf(row)) === row.present)
      await trimPaths(
        sql,
        isNew.map(({ environmentId, name }) => ({ environment_id: environmentId, name })),
      )
    }
    const addedTo = new Map(names.map((row) => [nameKeyOf(row), row.events]))
    const isNew = storedNames.filter((row) => addedTo.get(nameKeyOf(row)) === row.events)
    await trimNames(sql, [...new Set(isNew.map(({ environmentId }) => environmentId))])
  },
}

const nameKeyOf = (row: { environmentId: number; name: string }) => `${row.environmentId} ${row.name}`

const keyOf = (row: { environmentId: number; name: string; path: string }) =>
  `${row.environmentId} ${row.name} ${row.path}`

/** Compares as all nodes do, so that none waits for another in a circle. */
const inOrder = <T>(rows: T[], keyOf: (row: T) => string): T[] =>
  rows
    .map((row) => [keyOf(row), row] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)

/** @returns Each name once. */
function toNameRows(counted: CountedName[]) {
  const places = new Map<number, number>()
  const rows = counted.map(({ paths: _, lastAt, ...one }) => {
    const place = places.get(one.environmentId) ?? 0
    places.set(one.environmentId, place + 1)
    return { ...one, place: lastAt * PLACES_PER_MS + (place % PLACES_PER_MS) }
  })
  return inOrder(rows, nameKeyOf)
}

function toPathRows(counted: CountedName[]) {
  const rows = counted.flatMap(({ environmentId, name, paths }) =>
    paths.map(({ path, present, types, lastAt }) => ({
      environmentId,
      name,
      path,
      present,
      strings: types.string,
      numbers: types.number,
      booleans: types.boolean,
      nulls: types.null,
      objects: types.object,
      arrays: types.array,
      lastAt,
    })),
  )
  return inOrder(rows, keyOf)
}

/** The rows of the names are locked since they were added to, so that no other node writes their paths. */
async function trimPaths(sql: Sql, names: NameRow[]): Promise<void> {
  if (names.length === 0) return
  const removed = await sql.bulk<NameRow>(TRIM_PATHS, toParams(names))
  if (removed.length > 0) await sql.bulk(MARK_CUT, toParams(removed))
}

/** Removes the names whose last event is the oldest, of environments that have too many. */
async function trimNames(sql: Sql, environmentIds: number[]): Promise<void> {
  if (environmentIds.length === 0) return
  const tooMany = `SELECT environment_id, name FROM (SELECT environment_id, name,
      ROW_NUMBER() OVER (PARTITION BY environment_id ORDER BY place DESC) AS number
      FROM event_name WHERE environment_id IN (${environmentIds.map(() => '?').join(', ')})) AS numbered WHERE number > ?`
  const removed = await sql.all<NameRow>(
    `DELETE FROM event_name WHERE (environment_id, name) IN (SELECT environment_id, name FROM event_name
      WHERE (environment_id, name) IN (${tooMany})${sql.skipLocked}) RETURNING environment_id, name`,
    [...environmentIds, NAMES_KEPT],
  )
  if (removed.length > 0) await sql.bulk(REMOVE_PATHS, toParams(removed))
}

/** Removes a bounded number of what events of an environment had last before then (epoch ms). @returns The number of rows */
export async function purgeEventNames(sql: Sql, environmentId: number, before: number): Promise<number> {
  const names = await sql.run(
    `DELETE FROM event_name WHERE environment_id = ? AND name IN
      (SELECT name FROM event_name WHERE environment_id = ? AND place < ? LIMIT ?${sql.skipLocked})`,
    [environmentId, environmentId, before * PLACES_PER_MS, STEP_ROWS],
  )
  if (names > 0) return names
  return sql.run(
    `DELETE FROM event_path WHERE environment_id = ? AND (name, path) IN
      (SELECT name, path FROM event_path WHERE environment_id = ? AND last_at < ? LIMIT ?${sql.skipLocked})`,
    [environmentId, environmentId, before, STEP_ROWS],
  )
}

export function createEventNames(sql: Sql, writes: Writes<typeof eventNameWrites>): EventNames {
  return {
    add: writes.addEventNames,
    async listPage(environmentId, q, before, limit) {
      const [condition, params] =
        q === undefined ? ['', []] : [String.raw` AND LOWER(name) LIKE ? ESCAPE '\'`, [containing(q)]]
      const rows = await sql.all<RawRow>(
        `SELECT ${NAME.columns} FROM event_name WHERE environment_id = ? AND place < ?${condition} ORDER BY place DESC LIMIT ?`,
        [environmentId, before ?? Number.MAX_SAFE_INTEGER, ...params, limit],
      )
      return rows.map(readName)
    },
    async findMany(environmentId, names) {
      const rows = await sql.all<RawRow>(
        `SELECT ${NAME.columns} FROM event_name WHERE environment_id = ? AND name IN (${names.map(() => '?').join(', ')})`,
        [environmentId, ...names],
      )
      return rows.map(readName)
    },
    async listPaths(environmentId, names) {
      const rows = await sql.all<RawRow>(
        `SELECT ${PATH.columns} FROM event_path WHERE environment_id = ? AND name IN (${names.map(() => '?').join(', ')})`,
        [environmentId, ...names],
      )
      const byName = new Map<string, CountedPath[]>(names.map((name) => [name, []]))
      for (const { name, ...row } of rows.map(PATH.read)) byName.get(name)?.push(toPath(row))
      for (const paths of byName.values()) paths.sort((a, b) => (a.path < b.path ? -1 : 1))
      return byName
    },
    async listRecent(environmentId, name, { events, chars }) {
      const rows = await sql.all<{ properties: string }>(
        `SELECT properties FROM (SELECT id, properties FROM tracked_event WHERE environment_id = ? AND name = ?
          ORDER BY id DESC LIMIT ?) AS newest WHERE LENGTH(properties) <= ? ORDER BY id DESC`,
        [environmentId, name, events, chars],
      )
      return rows.map(({ properties }) => JSON.parse(properties) as object)
    },
  }
}

function readName(row: RawRow): KeptName {
  const kept = NAME.read(row)
  return { ...kept, lastAt: Math.floor(kept.place / PLACES_PER_MS) }
}

function toPath(row: Omit<RowOf<typeof PATH>, 'name'>): CountedPath {
  const { path, present, lastAt, strings, numbers, booleans, nulls, objects, arrays } = row
  const types = { string: strings, number: numbers, boolean: booleans, null: nulls, object: objects, array: arrays }
  return { path, types, present, lastAt }
}
