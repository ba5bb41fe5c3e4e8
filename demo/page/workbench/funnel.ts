// Shows delivery, read, opened and clicked of one campaign by channel, window and branch, as bars and a table.

import { backend, type CampaignRow, explain } from '../backend.ts'
import { h } from '../dom.ts'
import { watchEntries } from '../journal.ts'
import type { Page } from '../state.ts'
import { segmented } from './who.ts'

interface Step {
  step: string
  count: number
  percentOfPrevious: number | null
}

interface Funnel {
  steps: Step[]
  branches?: { version: number; branch: string | null; steps: Step[] }[]
}

const EVERY_MS = 3000
/** Delay of the reload after an event that changes the funnel. */
const SOON_MS = 250

export interface FunnelPanel {
  element: HTMLElement
  shown(isShown: boolean): void
}

export function createFunnelPanel(page: Page): FunnelPanel {
  const campaign = h('select', { id: 'funnel-campaign', onchange: () => void draw() })
  const charts = h('div', { class: 'funnels', id: 'funnels' })
  let window = 'all'
  let channel = 'inbox'
  let isShown = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn = 0
  /** The name of the event that was sent last; undefined when its campaign was shown, or another was chosen since. */
  let sentLast: string | undefined

  async function fillCampaigns(): Promise<void> {
    const answer = await backend.campaigns(page.choice.get().environment)
    if (!answer.ok) {
      charts.replaceChildren(h('p', { class: 'problem' }, explain(answer)))
      return
    }
    const rows = [...answer.body.data].sort(shopFirst)
    const sent = rows.find((row) => row.status === 'active' && row.draft.trigger.event === sentLast)
    const wanted = sent?.id ?? campaign.value
    sentLast = undefined
    campaign.replaceChildren(
      ...rows.map(({ id, name, status }) =>
        h('option', { value: id }, status === 'active' ? name : `${name} (${status})`),
      ),
    )
    campaign.value = rows.some((row) => row.id === wanted) ? wanted : (rows[0]?.id ?? '')
    campaign.disabled = rows.length === 0
    await draw()
  }

  async function draw(): Promise<void> {
    turn += 1
    const mine = turn
    if (campaign.value === '') {
      charts.replaceChildren(h('p', { class: 'empty' }, 'This environment has no campaign yet.'))
      return
    }
    const answer = await backend.stats<Funnel>(page.choice.get().environment, campaign.value, window, channel)
    if (mine !== turn) return
    if (!answer.ok) charts.replaceChildren(h('p', { class: 'problem' }, explain(answer)))
    else update(charts, answer.body)
    schedule(EVERY_MS)
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (isShown) timer = setTimeout(() => void draw(), delayMs)
  }

  watchEntries(({ lane, title, tone }) => {
    if (lane === 'tracked' && tone === 'good') {
      sentLast = title
      if (isShown) void fillCampaigns()
    } else if (lane === 'delivery' || lane === 'tracked') schedule(SOON_MS)
  })
  page.choice.watch(() => {
    campaign.replaceChildren()
    if (isShown) void fillCampaigns()
  })
  return {
    element: h(
      'div',
      { class: 'stack' },
      h('div', { class: 'field' }, h('label', { for: 'funnel-campaign' }, 'Campaign'), campaign),
      segmented(
        'Channel',
        'channel',
        [
          ['inbox', 'Inbox'],
          ['email', 'Email'],
        ],
        channel,
        (value) => {
          channel = value
          void draw()
        },
      ),
      segmented(
        'Delivered within',
        'window',
        [
          ['24h', '24 h'],
          ['7d', '7 days'],
          ['30d', '30 days'],
          ['all', 'All time'],
        ],
        window,
        (value) => {
          window = value
          void draw()
        },
      ),
      charts,
    ),
    shown(isNow) {
      isShown = isNow
      if (isNow) void fillCampaigns()
      else clearTimeout(timer)
    },
  }
}

/** Changes existing bars instead of rebuilding them, so that they move and do not jump. */
function update(charts: HTMLElement, funnel: Funnel): void {
  const slices = [
    { title: 'All', steps: funnel.steps },
    ...(funnel.branches ?? []).map(({ version, branch, steps }) => ({
      title: `${branch ?? 'no branch'} · v${version}`,
      steps,
    })),
  ]
  const titles = slices.map((slice) => slice.title).join('\n')
  if (charts.dataset.titles !== titles || charts.querySelector('table') === null) {
    charts.dataset.titles = titles
    charts.replaceChildren(...slices.map(({ title, steps }) => table(title, steps)))
  }
  for (const [index, { steps }] of slices.entries()) {
    const rows = charts.querySelectorAll('table')[index]?.querySelectorAll('tbody tr') ?? []
    const most = Math.max(1, steps[0]?.count ?? 1)
    for (const [at, step] of steps.entries()) fillRow(rows[at], step, most)
  }
}

function table(title: string, steps: Step[]): HTMLElement {
  const rows = steps.map(({ step }) =>
    h(
      'tr',
      { 'data-step': step },
      h('th', { scope: 'row' }, step),
      h('td', { class: 'bar-cell' }, h('span', { class: 'bar' })),
      h('td', { class: 'count' }),
      h('td', { class: 'percent' }),
    ),
  )
  const head = h(
    'thead',
    { class: 'sr' },
    h(
      'tr',
      {},
      ...['Step', 'Bar', 'Count', 'Percent of the step before'].map((word) => h('th', { scope: 'col' }, word)),
    ),
  )
  return h('table', { class: 'funnel' }, h('caption', {}, title), head, h('tbody', {}, ...rows))
}

function fillRow(row: Element | undefined, { count, percentOfPrevious }: Step, most: number): void {
  const bar = row?.querySelector<HTMLElement>('.bar')
  if (row === undefined || bar === null || bar === undefined) return
  bar.style.setProperty('--share', String(count / most))
  row.querySelector('.count')?.replaceChildren(String(count))
  row.querySelector('.percent')?.replaceChildren(percentOfPrevious === null ? '–' : `${percentOfPrevious.toFixed(1)} %`)
}

function shopFirst(one: CampaignRow, other: CampaignRow): number {
  const rank = (row: CampaignRow) => (row.key.startsWith('github-') ? 1 : 0)
  return rank(one) - rank(other) || one.name.localeCompare(other.name)
}
