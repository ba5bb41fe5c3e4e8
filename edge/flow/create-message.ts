// One message of a run: rendered now, stored as it is (specification section 2.4, contract sections 5 and 7). Makes rows of a plan.

import type { MessageContent } from '../../contract/api.ts'
import type { Channel } from '../../contract/delivery.ts'
import type { TemplateScope } from '../domain/expression/template.ts'
import { TemplateError } from '../domain/expression/template.ts'
import type { NewMessage } from '../domain/plan.ts'
import type { CompiledEmailStep, CompiledInboxStep } from '../domain/steps/compiled.ts'
import type { EmailMessageContent } from '../domain/steps/email-content.ts'
import { emptyContent, renderKey } from '../domain/steps/message-content.ts'

/** No snapshot is larger; an event may be, but a message is for people. */
const MAX_SNAPSHOT_CHARS = 65_536
/** A mail is a document: its parts are bounded each by itself, and together. */
const MAX_EMAIL_CHARS = 4 * MAX_SNAPSHOT_CHARS

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

/** What became of a message that never left: why it was kept back, or what failed (contract section 7). */
export type Unsent =
  | { status: 'skipped'; statusReason: string }
  | { status: 'failed'; statusReason: 'render-error' | 'provider-error' | 'enricher-error' | 'retries-exhausted' }
  /** With its run: the reason is that of the run's state. */
  | { status: 'cancelled'; statusReason: string }

/** The record of a message that reaches nobody, and says why. `snapshot` is what it would have said, when that was rendered. */
export function createUnsentMessage(
  id: number,
  step: { id: string; type: Channel },
  origin: MessageOrigin,
  unsent: Unsent,
  category: string | null,
  snapshot: MessageContent = emptyContent(category),
): NewMessage {
  return {
    ...origin,
    ...unsent,
    id,
    stepId: step.id,
    channel: step.type,
    category,
    entity: null,
    collapseKey: null,
    snapshot: JSON.stringify(snapshot),
    expiresAt: null,
  }
}

/** The snapshot of a mail. Throws TemplateError when it cannot be rendered. */
export function createEmailSnapshot(
  step: CompiledEmailStep,
  scope: TemplateScope,
  wording: { category: string | null; fallbackTitle: string },
): EmailMessageContent {
  const content = step.content.render(scope, wording.fallbackTitle, wording.category)
  if (JSON.stringify(content).length > MAX_EMAIL_CHARS) {
    throw new TemplateError(`The mail has more than ${MAX_EMAIL_CHARS} characters.`)
  }
  return content
}
