// One message of a run: rendered now, stored as it is (specification section 2.4, contract sections 5 and 7). Makes rows of a plan.

import type { Channel } from '../../contract/delivery.ts'
import type { TemplateScope } from '../domain/expression/template.ts'
import { TemplateError } from '../domain/expression/template.ts'
import type { NewMessage } from '../domain/plan.ts'
import type { CompiledInboxStep } from '../domain/steps/compiled.ts'
import { emptyContent, renderKey } from '../domain/steps/message-content.ts'

/** No snapshot is larger; an event may be, but a message is for people. */
const MAX_SNAPSHOT_CHARS = 65_536

/** What all messages of a run have in common. */
export type MessageOrigin = Pick<
  NewMessage,
  'runId' | 'eventId' | 'campaignId' | 'version' | 'branch' | 'userId' | 'correlationId' | 'createdAt' | 'isTest'
>

/** The inbox message of a step. Throws TemplateError when it cannot be rendered. */
export function createInboxMessage(
  id: number,
  step: CompiledInboxStep,
  origin: MessageOrigin,
  scope: TemplateScope,
  wording: { locale: string | null; fallbackTitle: string },
): NewMessage {
  const content = step.content.render(scope, wording.locale, wording.fallbackTitle)
  const snapshot = JSON.stringify(content)
  if (snapshot.length > MAX_SNAPSHOT_CHARS) {
    throw new TemplateError(`The message has more than ${MAX_SNAPSHOT_CHARS} characters.`)
  }
  // Every field by name: on the hot path a spread of the origin costs six times the rendering (measured).
  return {
    id,
    runId: origin.runId,
    eventId: origin.eventId,
    campaignId: origin.campaignId,
    version: origin.version,
    branch: origin.branch,
    stepId: step.id,
    userId: origin.userId,
    channel: 'inbox',
    status: 'delivered',
    statusReason: null,
    correlationId: origin.correlationId,
    category: content.category,
    entity: content.entity,
    collapseKey: renderKey(step.collapseKey, scope, 'collapseKey'),
    snapshot,
    createdAt: origin.createdAt,
    expiresAt: step.expiresAfterMs === null ? null : origin.createdAt + step.expiresAfterMs,
    isTest: origin.isTest,
  }
}

/** The record of a message that could not be rendered: it never reaches the inbox, and says why. */
export function createFailedMessage(
  id: number,
  step: CompiledInboxStep,
  origin: MessageOrigin,
  category: string | null,
): NewMessage {
  return createRecord(id, step.id, 'inbox', origin, category, { status: 'failed', statusReason: 'render-error' })
}

/** The record of a message that is not sent on purpose: never rendered, in no inbox, and it says why. */
export function createSkippedMessage(
  id: number,
  step: Pick<CompiledInboxStep, 'id' | 'type'>,
  origin: MessageOrigin,
  category: string | null,
  statusReason: string,
): NewMessage {
  return createRecord(id, step.id, step.type, origin, category, { status: 'skipped', statusReason })
}

function createRecord(
  id: number,
  stepId: string,
  channel: Channel,
  origin: MessageOrigin,
  category: string | null,
  end: Pick<NewMessage, 'status' | 'statusReason'>,
): NewMessage {
  return {
    ...origin,
    ...end,
    id,
    stepId,
    channel,
    category,
    entity: null,
    collapseKey: null,
    snapshot: JSON.stringify(emptyContent(category)),
    expiresAt: null,
  }
}
