// Describes the tables of digest and throttle windows.

import { integer, table, text } from './table.ts'

/** The window that events join now; its row is deleted when it closes. */
export const DIGEST_WINDOW = table('digest_window', {
  userNo: integer(),
  campaignId: integer(),
  version: integer(),
  stepId: text(),
  digestKey: text(),
  environmentId: integer(),
  /** The waiting run. */
  runId: integer(),
  openedAt: integer(),
  closesAt: integer(),
  events: integer(),
  eventBytes: integer(),
  most: integer(),
})

/** Has a row for each event of a window, stored as long as the run that gathered them. */
export const DIGEST_EVENT = table('digest_event', {
  runId: integer(),
  place: integer(),
  eventId: integer(),
  /** The event's own run. */
  joinedRunId: integer(),
  environmentId: integer(),
})

export const THROTTLE_WINDOW = table('throttle_window', {
  userNo: integer(),
  campaignId: integer(),
  stepId: text(),
  environmentId: integer(),
  beganAt: integer(),
  endsAt: integer(),
  /** Requested places while some were free. */
  taken: integer(),
  /** The limit. */
  most: integer(),
})
