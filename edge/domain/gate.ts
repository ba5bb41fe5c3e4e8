// Gates: points of a run that only the commit can decide, because another plan may have taken the place meanwhile: `throttle` and
// `digest` (contract section 6). A plan carries both ways on; the transaction takes one of them by a conditional statement.

import type { NewMessage, NewRun } from './plan.ts'

/** The other way: the run as it ends when it does not go past, with the records of what is not sent. */
export interface Diversion {
  run: NewRun
  messages: NewMessage[]
}

interface OfRun {
  runId: number
  campaignId: number
  stepId: string
  userId: string
  /** What is written in place of the run's rows when it does not go past. */
  otherwise: Diversion
}

/** Goes past: one of the first `limit` of the user's window at this step of the campaign. */
export interface ThrottleGate extends OfRun {
  kind: 'throttle'
  limit: number
  windowMs: number
}

/** Goes past (and waits): the first of its window. The others join it. */
export interface DigestGate extends OfRun {
  kind: 'digest'
  version: number
  /** Rendered; '' where the step has none. */
  key: string
  max: number
  eventId: number
  /** Of the event, as it counts towards what one digest holds. */
  eventBytes: number
  closesAt: number
}

/** In the order in which a run meets them: one that is shut makes those behind it void. */
export type Gate = ThrottleGate | DigestGate
