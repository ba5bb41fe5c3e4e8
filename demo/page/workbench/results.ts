// Shows the outcome of a sent event: acceptance, campaigns that ran, number of messages.

import type { EventTrace } from '../backend.ts'
import { h } from '../dom.ts'
import { addEntry } from '../journal.ts'

const OUTCOMES: Record<string, string> = {
  matched: 'A campaign ran',
  unmatched: 'No campaign wants it',
  'no-user': 'Nobody is subscribed',
  'fanned-out': 'Fanned out by jobs',
}

export interface Results {
  element: HTMLElement
  accepted(message: string, eventId: string): void
  refused(message: string): void
  traced(trace: EventTrace): void
}

export function createResults(): Results {
  const element = h('div', { class: 'results', id: 'results', role: 'status' })
  // Without it, the answer could be below the visible part of a small sheet.
  const show = () => element.scrollIntoView({ block: 'nearest' })
  return {
    element,
    accepted(message, eventId) {
      element.dataset.tone = 'good'
      element.replaceChildren(h('p', {}, h('strong', {}, message), ' ', h('code', {}, eventId)))
      show()
    },
    refused(message) {
      element.dataset.tone = 'bad'
      element.replaceChildren(h('p', {}, h('strong', {}, 'Refused. '), message))
      show()
    },
    traced(trace) {
      const runs = trace.runs.map((run) =>
        h(
          'li',
          {},
          h('code', {}, run.campaignKey),
          ` v${run.version}${run.branch === null ? '' : ` · ${run.branch}`} · ${run.state}${run.stateReason === null ? '' : `: ${run.stateReason}`}`,
        ),
      )
      element.append(h('p', {}, describeTrace(trace)), h('ul', {}, ...runs))
      show()
      for (const messageId of trace.messageIds)
        addEntry({ lane: 'delivery', title: `send · ${messageId}`, note: 'created', tone: 'good' })
    },
  }
}

/** Describes what became of an event. */
export function describeTrace({ outcome, messageIds }: EventTrace): string {
  return `${OUTCOMES[outcome] ?? outcome}. ${messageIds.length} ${messageIds.length === 1 ? 'message' : 'messages'}.`
}
