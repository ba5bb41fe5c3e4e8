// Parses event names.

import { findEventNameFault } from '../../../contract/event-name.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Returns the name. @throws `event/invalid-name` with `reason` and, where there is one, `position` */
export function parseEventName(name: unknown): string {
  const fault = findEventNameFault(name)
  if (fault !== undefined) throw new ApiError('event/invalid-name', { ...fault })
  return name as string
}
