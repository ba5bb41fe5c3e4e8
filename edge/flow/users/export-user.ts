// Exports all data of one user as one JSON document, in portions; the audit log records the export.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { NO_PREFERENCES, type Preferences } from '../../domain/sending/send-rules.ts'
import type { User } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import type { ReadEvents } from '../history/read-events.ts'
import type { ReadHistory } from '../history/read-history.ts'
import { toUserAnswer } from './manage-users.ts'

type Taken = Pick<Core, 'users' | 'sendRules' | 'topics' | 'audit' | 'clock'> & {
  readHistory: Pick<ReadHistory, 'get' | 'exportAll'>
  readEvents: Pick<ReadEvents, 'list'>
}

const EVENTS_PAGE = 100

/** Returns the parts of the JSON text, read as they are requested. Throws `user/not-found` before the first part. */
export type ExportUser = (
  environment: Environment,
  userId: string,
  by: ChangedBy,
) => Promise<AsyncGenerator<string, void, undefined>>

export function createExportUser(deps: Taken): ExportUser {
  return async function exportUser(environment, userId, by) {
    const user = await deps.users.find(environment.id, userId)
    if (user === undefined) throw new ApiError('user/not-found')
    const entry = { at: deps.clock.now(), ...by, action: 'user.export', subject: userId, detail: {} }
    await deps.audit.record({ ...entry, environmentId: environment.id })
    return textOf(deps, environment, user)
  }
}

async function* textOf(deps: Taken, environment: Environment, user: User) {
  const { id: environmentId } = environment
  const { userId } = user
  const [preferences, topics, suppressions] = await Promise.all([
    deps.sendRules.findPreferences(user.environmentId, user.userNo),
    deps.topics.listOfUser(user.userNo),
    deps.sendRules.listOf({ environmentId, userId }),
  ])
  const head = {
    exportedAt: toIso(deps.clock.now()),
    environment: formatId('environment', environmentId),
    user: toUserAnswer(user),
    preferences: toPreferences(preferences ?? NO_PREFERENCES),
    topics,
    suppressions: suppressions.map(({ channel, reason, createdAt }) => ({
      channel,
      reason,
      createdAt: toIso(createdAt),
    })),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"events":[`
  yield* listOf(eventsOf(deps, environmentId, userId))
  yield '],"deliveries":['
  yield* listOf(deliveriesOf(deps, environmentId, userId))
  yield ']}'
}

/** Writes the times of choices as all times are. */
function toPreferences({ since, ...rest }: Preferences) {
  if (since === undefined) return rest
  const written = Object.entries(since).map(([key, byChannel]) => [
    key,
    Object.fromEntries(Object.entries(byChannel).map(([channel, at]) => [channel, toIso(at)])),
  ])
  return { ...rest, since: Object.fromEntries(written) }
}

/** Joins portions of a list with commas. */
async function* listOf(portions: AsyncGenerator<object[], void, undefined>): AsyncGenerator<string, void, undefined> {
  let isFirst = true
  for await (const portion of portions) {
    if (portion.length === 0) continue
    const text = portion.map((one) => JSON.stringify(one)).join(',')
    yield isFirst ? text : `,${text}`
    isFirst = false
  }
}

async function* eventsOf({ readEvents }: Taken, environmentId: number, userId: string) {
  let cursor: string | undefined
  do {
    const page = await readEvents.list(environmentId, { userId, cursor, limit: EVENTS_PAGE })
    yield page.data.map((event) => ownPart(event, userId))
    cursor = page.nextCursor ?? undefined
    await nextTurn()
  } while (cursor !== undefined)
}

/** Removes the other recipients of an event, and what became of it for them. */
function ownPart(
  { userIds, runs, considered: _, messageIds: _ids, ...event }: TrackedEventAnswer,
  userId: string,
): object {
  return { ...event, userIds: userIds && [userId], runs: runs.filter((run) => run.userId === userId) }
}

/** With snapshots and delivery events. A message that retention or the user removes meanwhile is left out. */
async function* deliveriesOf({ readHistory }: Taken, environmentId: number, userId: string) {
  for await (const portion of readHistory.exportAll(environmentId, { userId })) {
    const details: object[] = []
    for (const { messageId } of portion) {
      const detail = await readHistory.get(environmentId, messageId).catch(ignoreMissing)
      if (detail === undefined) continue
      // The event stands in the list above.
      const { event: _, ...own } = detail
      details.push(own)
    }
    yield details
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'message/not-found')) throw error
}
