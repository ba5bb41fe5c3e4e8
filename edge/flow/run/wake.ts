// What ends a wait, and what the step that waited is told of it (contract section 6).

import type { EnricherResult } from '../../domain/enricher.ts'
import type { Json } from '../../domain/json.ts'

export type Wake =
  /** Its time has come (`looked`: events that came, and did not end it): a delay is over, a waitFor ran out, a window closes. */
  | { by: 'timer'; tried?: string; looked?: Json[] }
  /** The event that a waitFor waited for, as conditions see it. */
  | { by: 'event'; awaited: object; eventId: string; looked: Json[] }
  /** What came of an enricher's call. */
  | { by: 'enricher'; result: EnricherResult }
  /** What a digest has gathered, as templates see it. */
  | { by: 'events'; events: Json[] }
