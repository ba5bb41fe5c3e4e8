// Finds what is doubtful in an event that was written: nobody listens to it, or its profile change was left out.

import type { RecordDoubt } from '../../domain/doubt.ts'
import type { TrackOutcome } from '../../domain/plan.ts'
import { externalKeyOf } from '../../domain/user.ts'
import type { LiveSet } from '../track/live-campaigns.ts'
import type { TrackInput, TrackOrigin } from '../track/plan-event.ts'
import { doubtProfile } from './profile-doubts.ts'

interface WrittenEvent {
  origin: Pick<TrackOrigin, 'environment' | 'source' | 'onWritten'>
  input: TrackInput
  outcome: TrackOutcome
}

/** Records the doubts of an event; one that was there already has none. */
export function doubtEvent(
  record: RecordDoubt,
  { byEvent, awaited, listened }: Pick<LiveSet, 'byEvent' | 'awaited' | 'listened'>,
  { origin, input, outcome }: WrittenEvent,
): void {
  if (outcome.result !== 'written') return
  const { environment, source, onWritten } = origin
  const { name, userId, user } = input
  const isHeard = byEvent.has(name) || listened.has(name) || awaited.has(name)
  if (onWritten !== undefined) onWritten(input, { isHeard, isNewUser: outcome.isNewUser === true })
  else if (!isHeard) doubtUnheard(record, environment.id, name, source)
  if (userId === undefined || user === undefined) return
  doubtProfile(record, environment.id, userId, user)
  if (outcome.leavesProfileOut !== true) return
  const ids = Object.entries(user.externalIds ?? {}).flatMap(([system, value]) =>
    value === null ? [] : [externalKeyOf({ system, value })],
  )
  record(environment.id, {
    kind: 'external-id-taken',
    subject: { type: 'user', id: userId },
    message: 'The profile of an event was left out: its external id belongs to another user, or there are too many.',
    example: ids.join(', '),
    userId,
  })
}

/** Records that no campaign begins or waits for an event of this name. */
export function doubtUnheard(record: RecordDoubt, environmentId: number, name: string, source: string): void {
  const message = 'No published campaign begins with this event or waits for it.'
  record(environmentId, {
    kind: 'unheard-event',
    subject: { type: 'event', id: name },
    message,
    example: source,
    userId: null,
  })
}
