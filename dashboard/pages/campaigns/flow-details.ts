// Shows what is selected in the picture of a campaign: its numbers, its ways, why messages were held back, and its own words.

import { html, nothing, type TemplateResult } from 'lit'
import type { FlowStatsAnswer, FlowStepStats } from '../../../contract/resources/flow-stats.ts'
import { type Fact, facts, jsonView } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { allSteps, END, type Flow, type FlowStep, TRIGGER } from '../../flow/tree.ts'
import { conditionWords, kindOf, sends, stepWords, wayWords } from '../../flow/words.ts'
import { durationWords } from '../../lib/duration-words.ts'
import { formatCount, formatPercent, toWords } from '../../lib/format.ts'
import { reasonName } from '../../lib/reasons.ts'
import { waysOf } from './flow-notes.ts'
import { percentOf } from './funnel-branches.ts'

export interface Selection {
  flow: Flow
  /** Of an item of the picture. */
  id: string
  /** Undefined without numbers: of a draft, or while they load. */
  stats: FlowStatsAnswer | undefined
  /** The history of the messages that a reason held back. */
  historyOf(reason: string, step: FlowStep): string
  /** The tracked events of the trigger. */
  events: string
  /** A preview of the message of a step that sends. */
  previewOf(step: FlowStep): string
  close(): void
}

/** @returns Undefined when the id is that of no item. */
export function detailsView(selection: Selection): TemplateResult | undefined {
  const { flow, id, stats } = selection
  if (id === TRIGGER || id === END) return runsView(selection)
  // A way stands for its step.
  const [stepId] = id.split('/')
  const step = allSteps(flow.steps).find((one) => one.id === stepId)
  if (step === undefined) return undefined
  const numbers = stats?.steps.find(({ stepId }) => stepId === step.id)
  const [name, type] = kindOf(step)
  return html`<section class="card" aria-labelledby="flow-details-title">
    ${headView(selection, name, type, stepWords(step))}
    ${numbers === undefined ? nothing : numbersView(numbers, stats?.runs.started ?? 0)}
    ${numbers === undefined ? nothing : waysView(step, numbers)}
    ${numbers === undefined ? nothing : reasonsView(selection, step, numbers)}
    <h3 class="card-section">As it is written</h3>
    ${facts([['Step', html`<code>${step.id}</code>`], ...wordsOf(step)])}
    ${sends(step) ? html`<p><a class="link" href=${selection.previewOf(step)}>Preview the message</a></p>` : nothing}
    <details class="flow-json">
      <summary>As JSON</summary>
      ${jsonView(step.written, `Step ${step.id} as JSON`)}
    </details>
  </section>`
}

function headView({ close }: Selection, name: string, type: string, words: string): TemplateResult {
  return html`<header class="side-head">
    <div class="side-title">
      <p class="flow-kind">${icon(name)} ${type}</p>
      <h2 id="flow-details-title">${words}</h2>
    </div>
    <button type="button" class="icon-button" aria-label="Close" title="Close" @click=${close}>${icon('xmark')}</button>
  </header>`
}

function runsView(selection: Selection): TemplateResult {
  const { flow, stats, events } = selection
  const runs = stats?.runs
  return html`<section class="card" aria-labelledby="flow-details-title">
    ${headView(selection, 'bolt', 'Event', flow.event)}
    ${facts([
      ['Only if', flow.where === undefined ? null : html`<code>${flow.where}</code>`],
      ...(runs === undefined
        ? []
        : Object.entries(runs).map(
            ([name, count]): Fact => [name === 'waiting' ? 'Waiting now' : toWords(name), formatCount(count)],
          )),
    ])}
    <a class="link" href=${events}>See its events</a>
  </section>`
}

function numbersView({ reached, waiting, funnel }: FlowStepStats, started: number): TemplateResult {
  const share = percentOf(reached, started)
  return html`${facts([
    ['Runs', `${formatCount(reached)}${share === null ? '' : `, ${formatPercent(share)} of all`}`],
    ['Waiting now', waiting === 0 ? null : formatCount(waiting)],
  ])}
  ${
    funnel === null
      ? nothing
      : table('Messages', 'Of delivered', [
          ['Delivered', funnel.delivery, null],
          ['Read', funnel.read, percentOf(funnel.read, funnel.delivery)],
          ['Opened', funnel.opened, percentOf(funnel.opened, funnel.delivery)],
          ['Clicked', funnel.clicked, percentOf(funnel.clicked, funnel.delivery)],
        ])
  }`
}

function waysView(step: FlowStep, numbers: FlowStepStats): TemplateResult | typeof nothing {
  if (step.ways.length === 0) return nothing
  const counts = new Map(waysOf(numbers))
  const rows = step.ways.map((way): Row => {
    const count = counts.get(way.key) ?? 0
    return [wayWords(step, way), count, percentOf(count, numbers.reached)]
  })
  return table('Ways', 'Of the step', rows)
}

function reasonsView(
  { historyOf }: Selection,
  step: FlowStep,
  { reasons }: FlowStepStats,
): TemplateResult | typeof nothing {
  const rows = Object.entries(reasons)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
  if (rows.length === 0) return nothing
  return table(
    step.type === 'digest' ? 'Gathered' : sends(step) ? 'Not sent, because' : 'Stopped, because',
    '',
    rows.map(
      ([reason, count]): Row => [
        html`<a class="link" href=${historyOf(reason, step)}>${reasonName(reason)}</a>`,
        count,
        null,
      ],
    ),
  )
}

type Row = [name: unknown, count: number, percent: number | null]

function table(title: string, share: string, rows: readonly Row[]): TemplateResult {
  const cell = (percent: number | null) =>
    share === '' ? nothing : html`<td class="number">${percent === null ? nothing : formatPercent(percent)}</td>`
  return html`<table class="table">
    <thead>
      <tr>
        <th scope="col">${title}</th>
        <th scope="col" class="number">Count</th>
        ${share === '' ? nothing : html`<th scope="col" class="number">${share}</th>`}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, count, percent]) =>
          html`<tr><th scope="row">${name}</th><td class="number">${formatCount(count)}</td>${cell(percent)}</tr>`,
      )}
    </tbody>
  </table>`
}

/** Fields with steps of their own, or that stand elsewhere. */
const ELSEWHERE = ['id', 'type', 'branches', 'then', 'onTimeout', 'data']
const DURATIONS = ['for', 'timeout', 'window', 'expiresAfter']

/** The fields of a step that are texts, numbers or lists of labels. */
function wordsOf({ written }: FlowStep): Fact[] {
  const fields = Object.entries(written).filter(([key]) => !ELSEWHERE.includes(key))
  return fields.flatMap(([key, value]): Fact[] => {
    const shown = shownValue(key, value)
    return shown === undefined ? [] : [[labelOf(key), shown]]
  })
}

/** `expiresAfter` → "Expires after". */
const labelOf = (key: string): string => toWords(key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

function shownValue(key: string, value: unknown): unknown {
  if (typeof value === 'string' && DURATIONS.includes(key)) return durationWords(value)
  if (typeof value === 'string' && key === 'where') return conditionWords(value)
  if (typeof value === 'string') return html`<span class="pre">${value}</span>`
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (key === 'locales' && typeof value === 'object' && value !== null) return Object.keys(value).join(', ')
  const labels = Array.isArray(value) ? value.flatMap((one) => (typeof one?.label === 'string' ? [one.label] : [])) : []
  return labels.length === 0 ? undefined : labels.join(', ')
}
