// Plans: plain data that says what is to be written and under which conditions (house section 3). Everything that can
// fail has happened before; what another plan could change meanwhile is decided in the transaction, and the outcome
// tells. Plans cross a thread, so they hold only strings, numbers, booleans, null, arrays and objects.

import type { MessagePatch } from '../../contract/api.ts'
import type { Channel, MessageStatus, RegisteredEventType } from '../../contract/delivery.ts'
import type { Gate } from './gate.ts'
import type { JobClaim, NewJob } from './job.ts'
import type { Waking } from './run/arrival.ts'
import type { NewWait, RunContinuation } from './run/run-wait.ts'
import type { EventOutcome, RunState } from './tracked-event.ts'
import type { ProfileChange } from './user.ts'

export interface NewTrackedEvent {
  id: number
  environmentId: number
  correlationId: string
  name: string
  userId: string | null
  /** JSON text of the list, or null. */
  userIds: string | null
  topic: string | null
  /** JSON text. */
  properties: string
  source: string
  occurredAt: number
  receivedAt: number
  outcome: EventOutcome
  /** JSON text of Consideration[]; null when empty. */
  considered: string | null
}

export interface NewRun {
  id: number
  eventId: number
  campaignId: number
  version: number
  branch: string | null
  userId: string
  state: RunState
  stateReason: string | null
  isTest: boolean
  correlationId: string
  startedAt: number
  endedAt: number | null
  /** JSON text of TraceStep[]. */
  trace: string
}

export interface NewMessage {
  id: number
  runId: number
  eventId: number
  campaignId: number
  version: number
  branch: string | null
  stepId: string
  userId: string
  channel: Channel
  status: MessageStatus
  statusReason: string | null
  correlationId: string
  category: string | null
  entity: string | null
  collapseKey: string | null
  /** JSON text of MessageContent. */
  snapshot: string
  createdAt: number
  expiresAt: number | null
  isTest: boolean
}

/** An accepted event with all that it sets going up to the first wait; or, with `event: null`, a job's continuation. */
export interface TrackPlan {
  kind: 'track'
  environmentId: number
  /** The key that vouched for it: refused when retired before the commit. Null for continuations. */
  secretId: number | null
  now: number
  event: NewTrackedEvent | null
  /** `bodyHash` compares by value, without `sdkSecretKey` and the key itself. */
  idempotency: { key: string; bodyHash: string; expiresAt: number } | null
  profile: { userId: string; change: ProfileChange } | null
  runs: NewRun[]
  messages: NewMessage[]
  jobs: NewJob[]
  /** What only the transaction decides about these runs; absent where there is nothing of that kind. */
  gates?: Gate[]
  /** What runs of this plan wait for. */
  waits: NewWait[]
  /** The event may wake runs that wait for its name; absent where no campaign of the environment awaits it. */
  waking?: Waking
  /** The job that this plan completes; nothing is written when its lease was lost. */
  completes: JobClaim | null
  /** The waiting run that this plan carries on; nothing is written when it no longer waits under that claim. */
  continues: RunContinuation | null
}

export type TrackOutcome =
  /** `hurries`: a run that waited for a digest is due now. */
  | { result: 'written'; pushes: InboxPush[]; hurries?: true }
  | { result: 'duplicate'; eventId: number; correlationId: string; receivedAt: number }
  | { result: 'conflict' }
  /** The merge would make the profile larger than any may be: nothing of the plan is written. */
  | { result: 'outgrown' }
  | { result: 'revoked' }
  | { result: 'lease-lost' }
  | { result: 'not-waiting' }
  /** The campaign was paused or archived before the run could go on: its wait stands as it was claimed. */
  | { result: 'halted' }

/** Delivery events on messages, by their user (userNo) or by a trusted party (null). */
export interface DeliveryPlan {
  kind: 'deliver'
  environmentId: number
  userNo: number | null
  now: number
  items: {
    messageId: number
    eventType: RegisteredEventType
    occurredAt: number
    automated: boolean
    source: string
    link: string | null
  }[]
}

export interface DeliveryOutcome {
  /** In the order of the items; `missing`: no such message in this user's inbox. */
  results: ('recorded' | 'repeated' | 'missing')[]
  pushes: InboxPush[]
}

/** What a user (or time) does to messages in the inbox without a delivery event. */
export type InboxAction =
  | { action: 'archive' | 'unarchive' | 'unopen' | 'mark-opened' | 'remove' | 'expire' | 'unsnooze' }
  /** Time's own: ends a snooze that is due by the plan's `now`; one that was put off meanwhile stays. */
  | { action: 'wake' }
  | { action: 'snooze'; until: number }

export interface InboxPlan {
  kind: 'change'
  environmentId: number
  userNo: number
  now: number
  /** `ids` in order with their actions; or all up to `seq` marked as read by hand. */
  items: { messageId: number; actions: InboxAction[] }[]
  readAllUpTo: number | null
}

export interface InboxOutcome {
  /** In the order of the items: whether the message is in this user's inbox. */
  found: boolean[]
  /** How many messages changed. */
  changed: number
  pushes: InboxPush[]
}

/** What one user's inbox went through in a commit; becomes one frame. `add` names a message of the plan. */
export interface InboxPush {
  userNo: number
  epoch: string
  from: number
  seq: number
  unread: number
  unopened: number
  changes: PushedChange[]
  /** More changed than the log keeps: clients read the pages anew. */
  reset: boolean
}

export type PushedChange =
  | { seq: number; op: 'add'; messageId: number }
  | { seq: number; op: 'update'; messageId: number; patch: MessagePatch }
  | { seq: number; op: 'remove'; messageId: number }

/** The writer of the journey. Each call waits for the group commit that holds its plan; a full queue throws `service/unavailable` at once. */
export interface Commit {
  track(plan: TrackPlan): Promise<TrackOutcome>
  deliver(plan: DeliveryPlan): Promise<DeliveryOutcome>
  change(plan: InboxPlan): Promise<InboxOutcome>
  /** Plans that wait, and how long the oldest has (for metrics and shedding). */
  backlog(): { plans: number; oldestMs: number }
}
