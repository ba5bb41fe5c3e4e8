// Sends any tracked event to a user, several users or a topic, alone or as a batch, and shows the edge's answer.

import { backend, type EdgeProblem, explain } from '../backend.ts'
import { h, icon } from '../dom.ts'
import { addEntry } from '../journal.ts'
import type { Page } from '../state.ts'
import { PRESETS, type Preset } from './presets.ts'
import { createPropertiesEditor } from './properties.ts'
import { createResults } from './results.ts'

const MAX_BATCH = 1000

export function createSendPanel(page: Page): HTMLElement {
  const name = h('input', { id: 'event-name', name: 'name', autocomplete: 'off', spellcheck: 'false' })
  const to = h(
    'select',
    { id: 'event-to' },
    h('option', { value: 'user' }, 'Who is signed in'),
    h('option', { value: 'all' }, 'All three users'),
    h('option', { value: 'topic' }, 'A topic'),
  )
  const topic = h('input', { id: 'event-topic', 'aria-label': 'Topic', placeholder: 'topic', hidden: true })
  const times = h('input', { id: 'event-times', type: 'number', min: 1, max: MAX_BATCH, value: 1 })
  const key = h('input', { id: 'event-key', placeholder: 'none', autocomplete: 'off' })
  const editor = createPropertiesEditor()
  const results = createResults()
  const button = h('button', { class: 'button solid', type: 'submit', id: 'send' }, icon('send'), 'Send')
  to.addEventListener('change', () => {
    topic.hidden = to.value !== 'topic'
  })

  function usePreset(preset: Preset): void {
    name.value = preset.name
    editor.set(preset.properties(String(Date.now()).slice(-6)))
    to.value = preset.topic === undefined ? 'user' : 'topic'
    topic.value = preset.topic ?? topic.value
    topic.hidden = preset.topic === undefined
  }

  function recipient(): object {
    if (to.value === 'topic') return { topic: topic.value }
    if (to.value === 'all') return { userIds: page.config.people.map((person) => person.userId) }
    return { userId: page.choice.get().userId }
  }

  async function send(): Promise<void> {
    const properties = editor.read()
    if (properties === undefined) return
    const { environment } = page.choice.get()
    const event = {
      name: name.value,
      ...recipient(),
      properties,
      ...(key.value === '' ? {} : { idempotencyKey: key.value }),
    }
    const count = Math.max(1, Math.min(MAX_BATCH, Math.floor(times.valueAsNumber) || 1))
    button.disabled = true
    if (count === 1) await sendOne(environment, event)
    else await sendMany(environment, event, count)
    button.disabled = false
  }

  async function sendOne(environment: 'dev' | 'prod', event: { name: string }): Promise<void> {
    const answer = await backend.track(environment, event)
    journal(event, answer.ok ? `202 · ${answer.body.eventId}` : `${answer.status} ${answer.body.code}`, answer.ok)
    if (!answer.ok) return results.refused(explain(answer))
    results.accepted(answer.body.duplicate ? 'Known already: nothing was done again' : 'Accepted', answer.body.eventId)
    const trace = await backend.event(environment, answer.body.eventId)
    if (trace.ok) results.traced(trace.body)
  }

  async function sendMany(
    environment: 'dev' | 'prod',
    event: { name: string; idempotencyKey?: string },
    count: number,
  ): Promise<void> {
    const events = Array.from({ length: count }, (_, index) =>
      event.idempotencyKey === undefined ? event : { ...event, idempotencyKey: `${event.idempotencyKey}-${index + 1}` },
    )
    const answer = await backend.trackBatch(environment, events)
    journal(event, `${answer.status} · batch of ${count}`, answer.ok)
    if (!answer.ok) return results.refused(explain(answer))
    const refused = answer.body.results.filter((result): result is EdgeProblem => 'code' in result)
    if (refused[0] !== undefined)
      results.refused(`${refused.length} of ${count} refused: ${refused[0].message} (${refused[0].code})`)
    else results.accepted(`${count} events accepted in one batch`, '')
  }

  const presets = h(
    'div',
    { class: 'chips', role: 'group', 'aria-label': 'Presets' },
    ...PRESETS.map((preset) =>
      h('button', { class: 'chip', type: 'button', onclick: () => usePreset(preset) }, preset.label),
    ),
  )
  usePreset(PRESETS[0] as Preset)
  return h(
    'form',
    {
      class: 'stack send',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault()
        void send()
      },
    },
    presets,
    field('Event', 'event-name', name),
    field('To', 'event-to', to, topic),
    field('Properties', 'event-properties', ...editor.elements),
    h(
      'div',
      { class: 'row spread' },
      field('Times', 'event-times', times),
      field('Idempotency key', 'event-key', key),
      button,
    ),
    results.element,
  )
}

function journal(event: { name: string }, note: string, isGood: boolean): void {
  addEntry({
    lane: 'tracked',
    title: event.name || '(no name)',
    note,
    tone: isGood ? 'good' : 'bad',
    detail: JSON.stringify(event, null, 2),
  })
}

function field(label: string, forId: string, ...content: HTMLElement[]): HTMLElement {
  return h('div', { class: 'field' }, h('label', { for: forId }, label), ...content)
}
