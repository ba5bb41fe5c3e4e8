// Shows requests, frames, delivery events and the element's events, newest first.

import { h } from '../dom.ts'
import { clearEntries, type Entry, type Lane, MAX_ENTRIES, watchEntries } from '../journal.ts'

const LANES: [Lane, string][] = [
  ['tracked', 'Tracked'],
  ['request', 'Requests'],
  ['frame', 'Frames'],
  ['delivery', 'Delivery'],
  ['element', 'Element'],
]

export interface WatchPanel {
  element: HTMLElement
  shown(isShown: boolean): void
}

export function createWatchPanel(): WatchPanel {
  const hidden = new Set<Lane>()
  const list = h('ol', { class: 'entries', id: 'entries', 'aria-label': 'What went by' })
  const empty = h('p', { class: 'empty' }, 'Nothing has gone by yet. Send an event, or open the bell.')
  let isPaused = false

  const entries = watchEntries((entry) => {
    if (!isPaused) add(entry)
  })
  function add(entry: Entry): void {
    list.prepend(row(entry, hidden.has(entry.lane)))
    if (list.childElementCount > MAX_ENTRIES) list.lastElementChild?.remove()
    settle()
  }
  function settle(): void {
    empty.hidden = list.querySelector('li:not([hidden])') !== null
  }
  function rebuild(): void {
    list.replaceChildren(...[...entries].reverse().map((entry) => row(entry, hidden.has(entry.lane))))
    settle()
  }

  const filters = LANES.map(([lane, label]) => {
    const button = h(
      'button',
      {
        class: `chip lane-${lane}`,
        type: 'button',
        'aria-pressed': 'true',
        onclick: () => {
          if (!hidden.delete(lane)) hidden.add(lane)
          button.setAttribute('aria-pressed', String(!hidden.has(lane)))
          for (const item of list.querySelectorAll<HTMLElement>(`[data-lane="${lane}"]`)) item.hidden = hidden.has(lane)
          settle()
        },
      },
      label,
    )
    return button
  })
  const pause = h(
    'button',
    { class: 'button small', type: 'button', 'aria-pressed': 'false', onclick: () => hold(!isPaused) },
    'Pause',
  )
  function hold(isToPause: boolean): void {
    isPaused = isToPause
    pause.setAttribute('aria-pressed', String(isPaused))
    pause.textContent = isPaused ? 'Go on' : 'Pause'
    if (!isPaused) rebuild()
  }
  const clear = h(
    'button',
    {
      class: 'button small',
      type: 'button',
      onclick: () => {
        clearEntries()
        rebuild()
      },
    },
    'Clear',
  )
  rebuild()
  return {
    element: h(
      'div',
      { class: 'stack' },
      h('div', { class: 'chips', role: 'group', 'aria-label': 'Show' }, ...filters),
      h('div', { class: 'row' }, pause, clear),
      empty,
      list,
    ),
    shown: settle,
  }
}

function row(entry: Entry, isHidden: boolean): HTMLElement {
  const time = new Date(entry.at).toISOString().slice(11, 23)
  const head = [
    h('time', {}, time),
    h('span', { class: `lane lane-${entry.lane}` }, entry.lane),
    h('span', { class: 'title' }, entry.title),
    h('span', { class: 'note' }, entry.note),
  ]
  const body =
    entry.detail === undefined
      ? h('div', { class: 'entry' }, ...head)
      : h('details', { class: 'entry' }, h('summary', {}, ...head), h('pre', { tabindex: 0 }, entry.detail))
  return h('li', { 'data-lane': entry.lane, 'data-tone': entry.tone, hidden: isHidden }, body)
}
