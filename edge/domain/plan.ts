// Defines plans: plain data that names what to write under which conditions. Work that can fail comes before; the
// transaction decides what another plan may change meanwhile, and returns the outcome.
// Plans cross a thread, so they contain only strings, numbers, booleans, null, arrays and objects.

import type { MessagePatch } from '../../contract/api.ts'
import type { Channel, MessageStatus, RegisteredEventType } from '../../contract/delivery.ts'
import type { AuditEntry } from './audit.ts'
import type { JobClaim, NewJob } from './job.ts'
import type { MailOutcome, MailPlan } from './mail/mail.ts'
import type { AwaitedEvent } from './run/arrival.ts'
import type { NewWait, RunContinuation } from './run/run-wait.ts'
import type { EventOutcome, RunStatus } from './tracked-event.ts'
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
  /** JSON text of what was sent and no other field has; null when there is nothing. */
  raw: string | null
}

export interface NewRun {
  id: number
  eventId: number
  campaignId: number
  version: number
  branch: string | null
  userId: string
  state: RunStatus
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

/** The end of a run that a gate does not let pass, with the records of what is not sent. */
export interface SkippedRun {
  run: NewRun
  messages: NewMessage[]
}

interface OfRun {
  runId: number
  campaignId: number
  stepId: string
  userId: string
  /** Written in place of the run's rows when the gate does not let it pass. */
  otherwise: SkippedRun
}

/** Lets the first `limit` runs of the user's window at this step of the campaign pass. */
export interface ThrottleGate extends OfRun {
  kind: 'throttle'
  limit: number
  windowMs: number
}

/** Lets the first run of its window pass, which then waits; the others join it. */
export interface DigestGate extends OfRun {
  kind: 'digest'
  version: number
  /** The rendered key; '' where the step has none. */
  key: string
  max: number
  eventId: number
  /** Size of the event, counted towards the limit of one digest. */
  eventBytes: number
  closesAt: number
}

/**
 * A point of a run that only the commit can decide, because another plan may have taken the place meanwhile. The plan
 * contains both outcomes. Gates of a run are in its order; a gate that does not let it pass makes the later ones void.
 */
export type Gate = ThrottleGate | DigestGate

/** An accepted event with all its results up to the first wait; or, with `event: null`, the continuation of a job. */
export interface TrackPlan {
  kind: 'track'
  environmentId: number
  /** The key that authenticated the event: refused when it was retired before the commit. Null for continuations. */
  secretId: number | null
  now: number
  event: NewTrackedEvent | null
  /**
   * `bodyHash` compares by value, without `sdkSecretKey` and the key itself. Keys are unique in their `space`, which is the
   * environment's number when absent. Without an event the key names the first run.
   */
  idempotency: { key: string; bodyHash: string; expiresAt: number; space?: number } | null
  profile: { userId: string; change: ProfileChange } | null
  runs: NewRun[]
  messages: NewMessage[]
  jobs: NewJob[]
  /** Decisions of the transaction about these runs; absent without gates. */
  gates?: Gate[]
  /** Waits of the plan's runs. */
  waits: NewWait[]
  /** The event may resume runs that wait for its name; absent where no campaign of the environment awaits it. */
  awaitedEvent?: AwaitedEvent
  /** The job that this plan completes; nothing is written when its lease was lost. */
  completes: JobClaim | null
  /** The waiting run that this plan continues; nothing is written when it no longer waits under that claim. */
  continues: RunContinuation | null
  /** Nothing is written when this user was erased meanwhile: what runs again must not create the user again. */
  ofUser?: { userId: string; userNo: number }
  /** Of what a person or a key runs again: written with the plan. */
  audit?: AuditEntry
}

export interface WrittenOutcome {
  result: 'written'
  pushes: InboxPush[]
  /** A run that waited for a digest is due now. */
  makesRunDue?: true
  /** An event of a connector created its user. */
  isNewUser?: true
  /** The profile change was left out: another user has one of the external ids, or there are too many. */
  leavesProfileOut?: true
}

export type TrackOutcome =
  | WrittenOutcome
  /** `eventId`: of the first event, or run. */
  | { result: 'duplicate'; eventId: number; correlationId: string; receivedAt: number }
  | { result: 'conflict' }
  /** The merge would make the profile larger than allowed: nothing of the plan is written. */
  | { result: 'profile-too-large' }
  | { result: 'revoked' }
  /** The environment was closed before the commit. */
  | { result: 'closed' }
  | { result: 'lease-lost' }
  | { result: 'not-waiting' }
  /** The user of the plan was erased. */
  | { result: 'user-gone' }
  /** The campaign was paused or archived before the run could continue: its wait is left as it was claimed. */
  | { result: 'halted' }

/** Delivery events on messages, by their user (userNo) or by a trusted backend (null). */
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
    /**
     * Of a fetch of a mail's pixel or link: the network that it came from, null where that is not known. The commit judges
     * whether a program made it.
     */
    fetchedFrom?: string | null
  }[]
}

export interface DeliveryOutcome {
  /** In the order of the items; `missing`: no such message in this user's inbox. */
  results: ('recorded' | 'repeated' | 'missing')[]
  pushes: InboxPush[]
}

/** Changes of messages in the inbox without a delivery event, by a user or by time. */
export type InboxAction =
  | { action: 'archive' | 'unarchive' | 'unopen' | 'mark-opened' | 'remove' | 'expire' | 'unsnooze' }
  /**
   * Ends a snooze that is due by the plan's `now`; one that was extended meanwhile stays. Only the schedule uses it.
   */
  | { action: 'end-snooze' }
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
  /** Number of changed messages. */
  changed: number
  pushes: InboxPush[]
}

/** Changes of one user's inbox in a commit, which become one frame. `add` names a message of the plan. */
export interface InboxPush {
  userNo: number
  epoch: string
  from: number
  seq: number
  unread: number
  unopened: number
  changes: PushedChange[]
  /** More changes than the log holds: clients read the pages again. */
  reset: boolean
}

export type PushedChange =
  | { seq: number; op: 'add'; messageId: number }
  | { seq: number; op: 'update'; messageId: number; patch: MessagePatch }
  | { seq: number; op: 'remove'; messageId: number }

/**
 * Writes plans. Each call waits for the group commit of its plan; a full queue throws `service/unavailable` at once.
 */
export interface Commit {
  track(plan: TrackPlan): Promise<TrackOutcome>
  deliver(plan: DeliveryPlan): Promise<DeliveryOutcome>
  change(plan: InboxPlan): Promise<InboxOutcome>
  mail(plan: MailPlan): Promise<MailOutcome>
  /** Number of waiting plans, and the age of the oldest (for metrics and shedding). */
  backlog(): { plans: number; oldestMs: number }
}
