// Renders what happened to a message in the order of time, and the trace of its run step by step.

import { html, nothing, type TemplateResult } from 'lit'
import type { DeliveryDetailAnswer } from '../../../contract/resources/delivery.ts'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import { badge, tag } from '../../elements/badge.ts'
import { jsonView, time } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { formatSpan, toWords } from '../../lib/format.ts'

interface Moment {
  at: string
  name: string
  notes: readonly string[]
}

/** @returns The moments of a message, oldest first. */
export function momentsOf(detail: DeliveryDetailAnswer, now = Date.now()): Moment[] {
  const { createdAt, event, timeline, status, statusReason, expiresAt, channel, deliveredAt, lastError } = detail
  const received = event === null ? [] : [{ at: event.receivedAt, name: 'event received', notes: [event.name] }]
  // Sorting keeps the order of equal times, so the event comes before what it caused.
  const moments: Moment[] = received.concat(
    timeline.map(({ eventType, at, implied, automated, source }) => ({
      at,
      name: eventType,
      notes: [
        source,
        ...(implied ? ['implied by a later event'] : []),
        ...(automated ? ['by a machine, not counted'] : []),
      ],
    })),
  )
  const isSent = timeline.some(({ eventType }) => eventType === 'send')
  if (!isSent) {
    moments.push({ at: createdAt, name: status, notes: [statusReason, lastError].filter((note) => note !== null) })
  }
  // An inbox delivers what it sends.
  if (channel === 'email' && deliveredAt !== null) {
    moments.push({ at: deliveredAt, name: 'delivered', notes: ['reported by the provider'] })
  }
  if (expiresAt !== null && Date.parse(expiresAt) < now) {
    moments.push({ at: expiresAt, name: 'expired', notes: ['left the inbox'] })
  }
  return moments.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

export function timelineView(detail: DeliveryDetailAnswer): TemplateResult {
  const moments = momentsOf(detail)
  return html`<ol class="timeline">
    ${moments.map(({ at, name, notes }, index) => {
      const before = moments[index - 1]
      const spanMs = before === undefined ? undefined : Date.parse(at) - Date.parse(before.at)
      return html`<li class="moment" data-name=${name}>
        <div class="moment-head">
          <strong>${toWords(name)}</strong> ${notes.map(tag)}
        </div>
        <div class="moment-time">
          ${time(at)} ${spanMs === undefined ? nothing : html`<span class="moment-span">+ ${formatSpan(spanMs)}</span>`}
        </div>
      </li>`
    })}
  </ol>`
}

/** The trace of a run: each step with its outcome, its reason and the values that decided it. */
export function traceView(run: RunAnswer): TemplateResult {
  return html`<div class="trace-head">
      ${badge(run.state)} ${run.stateReason === null ? nothing : tag(run.stateReason)}
      <span class="cell-note">${run.endedAt === null ? 'not ended' : `took ${formatSpan(Date.parse(run.endedAt) - Date.parse(run.startedAt))}`}</span>
    </div>
    <ol class="trace">
      ${run.steps.map(
        ({ stepId, type, outcome, reason, at, durationMs, inputs }) =>
          html`<li class="trace-step">
            <details>
              <summary>
                ${icon('chevron-right')}
                <span class="trace-type">${type}</span> <code>${stepId}</code>
                <span class="trace-outcome">${badge(outcome)} ${reason === null ? nothing : tag(reason)}</span>
                <span class="moment-time">${time(at)} · ${formatSpan(durationMs)}</span>
              </summary>
              ${Object.keys(inputs).length === 0 ? html`<p class="hint">This step records no values.</p>` : jsonView(inputs, `Values of the step ${stepId}`)}
            </details>
          </li>`,
      )}
    </ol>`
}
