// Records delivery events of users: read, opened, clicked. The store decides which ones are new.

import type { RegisterAnswer, RegisterResult } from '../../../contract/api.ts'
import { REGISTERED_EVENT_TYPES, type RegisteredEventType } from '../../../contract/delivery.ts'
import { safeLink } from '../../../contract/link.ts'
import type { Core } from '../../domain/core.ts'
import type { InboxOwner } from '../../domain/message.ts'
import type { DeliveryOutcome, DeliveryPlan } from '../../domain/plan.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import { headAfter } from './inbox-head.ts'

const DEFAULT_SOURCE = 'widget'

/** A report, unchecked: within a batch, each fault belongs to its own item. */
export interface DeliveryReport {
  messageId: string
  eventType: string
  /** Epoch milliseconds; default now. The store limits it to the time between the message's creation and now. */
  occurredAt?: number | undefined
  link?: string | undefined
  source?: string | undefined
}

export interface RecordDelivery {
  /**
   * @throws `request/invalid-body` for an unknown event type, `message/not-found` for a message outside of this user's
   * inbox
   */
  recordOne(owner: InboxOwner, report: DeliveryReport): Promise<RegisterAnswer>
  /** Results and faults are in the order of the reports. */
  recordMany(owner: InboxOwner, reports: DeliveryReport[]): Promise<RegisterAnswer>
}

type Taken = Pick<Core, 'commitPlan' | 'inboxes' | 'clock'>

type PlanItem = DeliveryPlan['items'][number]

export function createRecordDelivery(deps: Taken): RecordDelivery {
  async function recordMany(owner: InboxOwner, reports: DeliveryReport[]): Promise<RegisterAnswer> {
    const now = deps.clock.now()
    const items = reports.map((report) => toItem(report, now))
    const planned = items.filter((item): item is PlanItem => typeof item !== 'string')
    const outcome = await commitItems(deps, owner, planned, now)
    let at = 0
    const results = reports.map(({ messageId }, index): RegisterResult => {
      const item = items[index]
      if (item === undefined || typeof item === 'string') return { messageId, code: item ?? 'request/invalid-body' }
      const result = outcome.results[at++]
      if (result === undefined || result === 'missing') return { messageId, code: 'message/not-found' }
      return { messageId, eventType: item.eventType, recorded: result === 'recorded' }
    })
    return { results, inbox: await headAfter(deps.inboxes, owner, outcome.pushes) }
  }

  return {
    recordMany,
    async recordOne(owner, report) {
      const answer = await recordMany(owner, [report])
      const [result] = answer.results
      if (result !== undefined && 'code' in result) {
        if (result.code === 'message/not-found') throw new ApiError('message/not-found')
        const message = `One of ${REGISTERED_EVENT_TYPES.join(', ')}.`
        throw new ApiError('request/invalid-body', { details: [{ path: 'eventType', message }] })
      }
      return answer
    },
  }
}

async function commitItems(deps: Taken, owner: InboxOwner, items: PlanItem[], now: number): Promise<DeliveryOutcome> {
  if (items.length === 0) return { results: [], pushes: [] }
  const { environmentId, userNo } = owner
  return deps.commitPlan({ kind: 'deliver', environmentId, userNo, now, items })
}

function toItem(report: DeliveryReport, now: number): PlanItem | 'request/invalid-body' | 'message/not-found' {
  const { eventType, occurredAt, link, source } = report
  if (!isRegistered(eventType)) return 'request/invalid-body'
  const messageId = parseId('message', report.messageId)
  if (messageId === undefined) return 'message/not-found'
  return {
    messageId,
    eventType,
    occurredAt: occurredAt ?? now,
    automated: false,
    source: source ?? DEFAULT_SOURCE,
    // A forbidden link cannot be part of the message, so it was not followed from there.
    link: eventType === 'clicked' ? safeLink(link, true) : null,
  }
}

function isRegistered(eventType: string): eventType is RegisteredEventType {
  return (REGISTERED_EVENT_TYPES as readonly string[]).includes(eventType)
}
