// Renders the state of a source and of its deliveries, for the list and for its page.

import { html, nothing, type TemplateResult } from 'lit'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import type { SourceDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import { badge, type Tone } from '../../elements/badge.ts'
import { age } from '../../elements/bits.ts'

const TONES: Readonly<Record<SourceDeliveryAnswer['outcome'], Tone>> = {
  accepted: 'good',
  unreadable: 'warn',
  duplicate: 'quiet',
  refused: 'bad',
  dropped: 'warn',
}

export const outcomeBadge = (outcome: SourceDeliveryAnswer['outcome']): TemplateResult => badge(outcome, TONES[outcome])

/** @returns Active or paused; also whether two values of the secret are accepted. */
export function stateBadges({ status, secret }: SourceAnswer): TemplateResult {
  return html`<span class="badges">${badge(status)} ${secret.state === 'overlap' ? badge('secret-rotating', 'warn') : nothing}</span>`
}

/** @returns Whether nothing with a valid signature has arrived: the platform may not be connected yet. */
export const isWaiting = ({ lastReceivedAt }: SourceAnswer): boolean => lastReceivedAt === null

/** @returns Whether the last item was refused or unreadable. */
export const hasFailedLast = ({
  lastReceivedAt,
  lastErrorAt,
}: Pick<SourceAnswer, 'lastReceivedAt' | 'lastErrorAt'>): boolean =>
  lastErrorAt !== null && (lastReceivedAt === null || lastErrorAt >= lastReceivedAt)

/** @returns When the last delivery arrived, and what became of it. A refused one has no valid signature. */
export function lastDelivery(source: SourceAnswer): TemplateResult {
  const { lastReceivedAt, lastErrorAt, lastError } = source
  if (lastErrorAt !== null && hasFailedLast(source)) {
    const outcome = lastErrorAt === lastReceivedAt ? 'unreadable' : 'refused'
    return html`<span class="badges">${outcomeBadge(outcome)} ${age(lastErrorAt)}</span><span class="row-note">${lastError}</span>`
  }
  if (lastReceivedAt === null) return html`<span class="none">None yet</span>`
  return html`<span class="badges">${badge('received', 'good')} ${age(lastReceivedAt)}</span>`
}
