// Lists the platforms of the demo's sources; a button each lets the shop's backend deliver a signed example.

import { backend, type DeliveryReport, type Example, explain, type Platform } from '../backend.ts'
import { avatar } from '../bell.ts'
import { h, icon } from '../dom.ts'
import { addEntry } from '../journal.ts'
import type { Page } from '../state.ts'
import { describeTrace } from './results.ts'

interface ShownPlatform {
  platform: Platform
  name: string
  /** What happened there. */
  news: string
  event: string
}

const SHOWN: readonly ShownPlatform[] = [
  { platform: 'stripe', name: 'Stripe', news: 'A payment failed', event: 'stripe.payment_intent.payment_failed' },
  { platform: 'segment', name: 'Segment', news: 'An order was completed', event: 'Order Completed' },
  { platform: 'hubspot', name: 'HubSpot', news: 'A contact was linked', event: 'hubspot.contact.propertyChange' },
  { platform: 'intercom', name: 'Intercom', news: 'The team replied', event: 'intercom.conversation.admin.replied' },
  { platform: 'customerio', name: 'Customer.io', news: 'A mail bounced', event: 'customerio.email.bounced' },
]

export function createPlatformsPanel(page: Page): HTMLElement {
  const hint = h('p', { class: 'hint' })
  const forged = h('input', { type: 'checkbox', id: 'platforms-forged' })
  const rows = SHOWN.map((shown) => createRow(page, shown, () => forged.checked))
  page.choice.watch(({ environment, userId }) => {
    const isThere = environment === 'dev'
    hint.textContent = isThere
      ? `The shop’s backend stands in for the platform: it delivers an example for ${page.personOf(userId).name}, signed with the secret of the demo’s source.`
      : 'The demo’s sources are in dev. Choose dev under Sign-in.'
    for (const row of rows) row.reset(isThere)
  })
  return h(
    'section',
    { class: 'stack platforms', 'aria-labelledby': 'platforms-title' },
    h('h2', { id: 'platforms-title' }, 'Events from other platforms'),
    hint,
    h('ul', {}, ...rows.map((row) => row.element)),
    h('label', { class: 'check' }, forged, 'Sign with a wrong secret, to see the refusal'),
  )
}

interface Row {
  element: HTMLElement
  /** Forgets the last delivery, which was another user's. */
  reset(isEnabled: boolean): void
}

function createRow(page: Page, shown: ShownPlatform, isForged: () => boolean): Row {
  const { platform, name, news, event } = shown
  let last: { userId: string; example: Example } | undefined
  let turn = 0
  const line = h('p', { class: 'platform-outcome', role: 'status' })
  const button = (label: string, look: string, order: () => typeof last, ...mark: SVGElement[]) =>
    h(
      'button',
      {
        class: `button small ${look}`,
        type: 'button',
        'aria-label': `${label}: ${name}`,
        onclick: () => void send(order()),
      },
      ...mark,
      label,
    )
  const fresh = button('Send', 'solid', () => undefined, icon('send'))
  const again = button('Send the same again', '', () => last)
  const result = h('div', { class: 'platform-result', hidden: true }, line, again)

  async function send(repeated: typeof last): Promise<void> {
    const mine = turn
    const userId = repeated?.userId ?? page.choice.get().userId
    for (const one of [fresh, again]) one.disabled = true
    show({ tone: 'plain', title: 'Delivering', words: `to the source of ${name} …` })
    const answer = await backend.deliver({ platform, userId, isForged: isForged(), example: repeated?.example })
    const delivered = answer.ok ? answer.body : undefined
    const outcome = outcomeOf(delivered ?? answer)
    const { eventId = null } = delivered ?? {}
    const trace = eventId === null ? undefined : await backend.event('dev', eventId)
    if (trace?.ok) outcome.words = describeTrace(trace.body)
    addEntry({
      lane: 'tracked',
      title: event,
      note: `${name} · ${delivered?.status ?? answer.status}`,
      tone: outcome.tone,
      detail: JSON.stringify(answer.body, null, 2),
    })
    if (mine !== turn) return
    if (delivered !== undefined && outcome.tone === 'good') last = { userId, example: delivered.example }
    show(outcome)
    for (const one of [fresh, again]) one.disabled = false
  }

  function show({ tone, title, words }: Outcome): void {
    result.dataset.tone = tone
    line.replaceChildren(h('strong', {}, title), ` ${words}`)
    again.hidden = last === undefined
    result.hidden = false
    result.scrollIntoView({ block: 'nearest' })
  }

  const element = h(
    'li',
    { 'data-platform': platform },
    avatar(name),
    h('div', { class: 'platform-name' }, h('strong', {}, name), h('span', {}, news)),
    fresh,
    h('code', {}, event),
    result,
  )
  return {
    element,
    reset(isEnabled) {
      turn += 1
      last = undefined
      result.hidden = true
      fresh.disabled = !isEnabled
      again.disabled = false
    },
  }
}

interface Outcome {
  tone: 'good' | 'plain' | 'bad'
  title: string
  words: string
}

/** Explains the edge's answer to a delivery, or why none was sent. */
function outcomeOf(answer: Pick<DeliveryReport, 'status' | 'body'>): Outcome {
  const { status, body } = answer
  if ('code' in body) return { tone: 'bad', title: 'Refused.', words: explain({ status, body }) }
  if (body.status === 'paused') {
    return { tone: 'plain', title: 'Paused.', words: 'The source dropped the delivery.' }
  }
  if (body.accepted === 0) {
    return { tone: 'good', title: 'Repeat.', words: 'The source knows this delivery: nothing happens again.' }
  }
  return { tone: 'good', title: 'Accepted.', words: 'One new event.' }
}
