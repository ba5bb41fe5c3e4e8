// Finds what is doubtful in an item of a delivery that was tracked: its type has no mapping, or its user was never seen.

import type { MappedEvent } from '../../domain/connector/connector.ts'
import type { FoundSource } from '../../domain/connector/source.ts'
import type { Doubt, RecordDoubt } from '../../domain/doubt.ts'
import { doubtUnheard } from './event-doubts.ts'

/** What is known of an item once its event is written. */
export interface WrittenItem {
  /** Whether a campaign begins with its event or waits for it. */
  isHeard: boolean
  isNewUser: boolean
}

/** Records the doubts of an item. */
export function doubtItem(
  record: RecordDoubt,
  { source, environment }: Pick<FoundSource, 'source' | 'environment'>,
  { type, name, userId, profile, reason }: MappedEvent,
  { isHeard, isNewUser }: WrittenItem,
): void {
  const add = (kind: Doubt['kind'], message: string, example: string | null, of: string | null) =>
    record(environment.id, { kind, subject: { type: 'source', id: source.publicId }, message, example, userId: of })
  const isMapped = source.mappings.some(({ providerEvent }) => providerEvent === type || providerEvent === '*')
  // What only changes a profile asks for no campaign.
  if (!isHeard && profile === null) {
    if (isMapped) doubtUnheard(record, environment.id, name, `connector:${source.provider}`)
    else
      add(
        'unmapped-type',
        `The type ${type.slice(0, 100)} has no mapping, and no campaign listens to ${name}.`,
        null,
        null,
      )
  }
  if (isNewUser) add('unknown-user', 'An event was about a user who was never seen before.', userId, userId)
  else if (userId === null && reason !== null) add('unknown-user', `No user was found. ${reason}`, null, null)
}
