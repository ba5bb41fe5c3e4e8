// Commits a plan of any kind, then publishes the inboxes that it changed. No other file publishes changes of inboxes.

import { setImmediate } from 'node:timers/promises'
import type { Channel } from '../../contract/delivery.ts'
import type { Bus } from '../domain/bus.ts'
import type { CommitPlan, PurgePlan } from '../domain/commit-plan.ts'
import { toPushedFrame } from '../domain/delivery/pushed-frame.ts'
import type { MailOutcome, MailPlan } from '../domain/mail/mail.ts'
import { MESSAGE_OUTCOMES, type MessageOutcome, outcomeOf } from '../domain/message-outcome.ts'
import type { PurgeStep, Retention } from '../domain/organisation.ts'
import type {
  Commit,
  DeliveryOutcome,
  DeliveryPlan,
  InboxOutcome,
  InboxPlan,
  InboxPush,
  NewMessage,
  TrackOutcome,
  TrackPlan,
} from '../domain/plan.ts'

type AnyPlan = TrackPlan | DeliveryPlan | InboxPlan | MailPlan | PurgePlan

export interface CommitPlanDeps {
  commit: Pick<Commit, 'track' | 'deliver' | 'change' | 'mail'>
  retention: Pick<Retention, 'purgeStep'>
  bus: Pick<Bus, 'publish'>
  /** Called when jobs were written, so that the worker claims them at once. */
  pollJobs(): void
  /** Called with the due time (epoch ms) of each wait that was written or made due. */
  scheduleTimers(dueAt: number): void
  /** Called with the number of messages of a committed plan, by what became of them; for the metrics. */
  onMessages?(channel: Channel, outcome: MessageOutcome, count: number): void
  /** Called with the due time (epoch ms) of mails that were written or are to be tried again; absent where none are sent. */
  scheduleMails?(dueAt: number): void
}

/**
 * A plan with more pushes (a chunk of a fan-out) is published in its own turn of the event loop. One commit completes
 * several such plans.
 */
const MANY_PUSHES = 100

export function createCommitPlan(deps: CommitPlanDeps): CommitPlan {
  let turn = Promise.resolve()

  function commitPlan(plan: TrackPlan): Promise<TrackOutcome>
  function commitPlan(plan: DeliveryPlan): Promise<DeliveryOutcome>
  function commitPlan(plan: InboxPlan): Promise<InboxOutcome>
  function commitPlan(plan: MailPlan): Promise<MailOutcome>
  function commitPlan(plan: PurgePlan): Promise<PurgeStep>
  async function commitPlan(plan: AnyPlan) {
    const outcome = await write(deps, plan)
    if (plan.kind === 'mail') countMail(deps, plan, outcome as MailOutcome)
    if (plan.kind === 'mail' && 'at' in plan.change && plan.fence !== null) deps.scheduleMails?.(plan.change.at)
    if (!('pushes' in outcome)) return outcome
    if (outcome.pushes.length > MANY_PUSHES) {
      turn = turn.then(() => setImmediate())
      await turn
    }
    publishPushes(deps.bus, outcome.pushes, plan.kind === 'track' ? plan.messages : [])
    if (plan.kind === 'track' && deps.onMessages !== undefined) countMessages(deps.onMessages, plan.messages)
    if (plan.kind === 'track') scheduleWork(deps, plan, 'makesRunDue' in outcome && outcome.makesRunDue === true)
    return outcome
  }

  return commitPlan
}

function write({ commit, retention }: CommitPlanDeps, plan: AnyPlan) {
  switch (plan.kind) {
    case 'track':
      return commit.track(plan)
    case 'deliver':
      return commit.deliver(plan)
    case 'change':
      return commit.change(plan)
    case 'mail':
      return commit.mail(plan)
    case 'purge':
      return retention.purgeStep(plan.environmentId, plan.before)
  }
}

function countMessages(onMessages: NonNullable<CommitPlanDeps['onMessages']>, messages: NewMessage[]): void {
  const counts = new Map<Channel, Record<MessageOutcome, number>>()
  for (const { channel, status } of messages) {
    const count = counts.get(channel) ?? { made: 0, 'held-back': 0, failed: 0 }
    count[outcomeOf(status)]++
    counts.set(channel, count)
  }
  for (const [channel, count] of counts) {
    for (const outcome of MESSAGE_OUTCOMES) if (count[outcome] > 0) onMessages(channel, outcome, count[outcome])
  }
}

/** A mail that was made may still be held back, or fail. */
function countMail({ onMessages }: CommitPlanDeps, { change }: MailPlan, { mail }: MailOutcome): void {
  if (change.does === 'end' && mail === 'changed') onMessages?.('email', outcomeOf(change.status), 1)
}

/** Publishes each push with the messages of the plan that it adds. */
function publishPushes(bus: CommitPlanDeps['bus'], pushes: InboxPush[], messages: NewMessage[]): void {
  const byId = messages.length > 8 ? new Map(messages.map((message) => [message.id, message])) : undefined
  const find = (id: number) => (byId === undefined ? messages.find((message) => message.id === id) : byId.get(id))
  for (const push of pushes) {
    const added: NewMessage[] = []
    for (const change of push.changes) {
      const message = change.op === 'add' ? find(change.messageId) : undefined
      if (message !== undefined) added.push(message)
    }
    bus.publish('inbox-pushed', toPushedFrame(push, added))
  }
}

/** Lets the worker, the timers and the mails' loop look for the jobs, waits and mails of a written plan. */
function scheduleWork(deps: CommitPlanDeps, plan: TrackPlan, makesRunDue: boolean): void {
  const { pollJobs, scheduleTimers, scheduleMails } = deps
  if (plan.jobs.length > 0) pollJobs()
  if (plan.messages.some(({ status }) => status === 'queued')) scheduleMails?.(plan.now)
  // Runs that wait for this event, and full digests, are due now.
  if (plan.awaitedEvent !== undefined || makesRunDue) scheduleTimers(plan.now)
  for (const wait of plan.waits) scheduleTimers(wait.dueAt)
  if (plan.continues?.next) scheduleTimers(plan.continues.next.dueAt)
}
