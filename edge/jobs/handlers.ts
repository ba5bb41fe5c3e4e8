// Kinds of jobs and the flows that do them: the only list. A new kind is a line here.

import type { JobHandler } from './worker.ts'

export interface Flows {
  /** An event with more than 50 recipients, chunk by chunk (contract section 3). */
  fanOut: JobHandler
  /** After a pause or an archiving: waits of a campaign are due (contract section 6). */
  rouseWaits: JobHandler
}

export function createHandlers(flows: Flows): Readonly<Record<string, JobHandler>> {
  return { 'fan-out': flows.fanOut, 'rouse-waits': flows.rouseWaits }
}
