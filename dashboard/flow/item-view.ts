// Renders one box of the picture: a step with its type, its words and its numbers, a way, the trigger or the end.

import { html, nothing, type TemplateResult } from 'lit'
import { icon } from '../elements/icon.ts'
import { setStyle } from '../lib/set-style.ts'
import type { FlowItem } from './layout.ts'
import { countSteps, type Flow, type FlowStep, waysBelow } from './tree.ts'
import { isWaiting, kindOf, stepWords, triggerWords, wayWords } from './words.ts'

/** Numbers in a box. */
export interface FlowNote {
  /** Such as "1,204". */
  count: string
  /** The part of all runs, from 0 to 1; null where there is none. */
  share: number | null
  /** Further numbers in words, such as "12 wait". */
  marks: readonly { text: string; tone: 'info' | 'warn' | 'bad' | 'quiet' }[]
}

export interface ItemState {
  note: FlowNote | undefined
  isSelected: boolean
  isHighlighted: boolean
  /** By the tab key. */
  isReachable: boolean
}

export function itemView(flow: Flow, item: FlowItem, state: ItemState): TemplateResult {
  const { x, y, width, height, level, id, kind, step } = item
  const place = {
    '--x': `${x}px`,
    '--y': `${y}px`,
    '--width': `${width}px`,
    '--height': `${height}px`,
    '--depth': String(level - 1),
    '--share': String(state.note?.share ?? 0),
  }
  return html`<div
    class="flow-item"
    role="treeitem"
    data-item=${id}
    data-kind=${kind}
    data-type=${kind === 'step' ? (step?.type ?? nothing) : nothing}
    ?data-waits=${kind === 'step' && step !== undefined && isWaiting(step)}
    ?data-highlighted=${state.isHighlighted}
    tabindex=${state.isReachable ? 0 : -1}
    aria-selected=${state.isSelected}
    aria-level=${level}
    aria-posinset=${item.position}
    aria-setsize=${item.siblings}
    aria-expanded=${step?.folded !== undefined && kind === 'step' ? 'false' : hasChildren(item) ? 'true' : nothing}
    ${setStyle(place)}
  >
    ${kind === 'step' || kind === 'trigger' ? nodeView(flow, item, state.note) : labelView(item, state.note)}
  </div>`
}

const hasChildren = ({ kind, step, way }: FlowItem): boolean =>
  kind === 'way' ? (way?.steps.length ?? 0) > 0 : kind === 'step' && (step?.ways.length ?? 0) > 0

function nodeView(flow: Flow, { kind, step }: FlowItem, note: FlowNote | undefined): TemplateResult {
  const [name, words] =
    step === undefined ? [['bolt', 'Event'] as const, triggerWords(flow)] : [kindOf(step), stepWords(step)]
  return html`<span class="flow-icon">${icon(name[0])}</span>
    <span class="flow-type">${name[1]}</span>
    ${note === undefined ? nothing : html`<span class="flow-count">${note.count}</span>`}
    <span class="flow-words" title=${words}>${words}</span>
    ${note === undefined ? nothing : marksView(note, kind === 'trigger' ? null : note.share)}
    ${step === undefined || waysBelow(step).length === 0 ? nothing : foldView(step)}`
}

/** For the pointer: by keyboard the arrow keys fold, and screen readers know it of the item. */
function foldView({ folded }: FlowStep): TemplateResult {
  const words = folded === undefined ? 'Fold its ways' : 'Unfold its ways'
  return html`<span class="flow-fold" data-fold aria-hidden="true" title=${words}
    >${folded === undefined ? nothing : stepsText(countSteps(folded))}${icon(folded === undefined ? 'chevron-up' : 'chevron-down')}</span
  >`
}

function marksView({ marks }: FlowNote, share: number | null): TemplateResult {
  return html`<span class="flow-marks">
      ${share === null ? nothing : html`<span class="flow-share">${shareText(share)}</span>`}
      ${marks.map(({ text, tone }) => html`<span class="flow-mark" data-tone=${tone}>${text}</span>`)}
    </span>
    ${share === null ? nothing : html`<span class="flow-bar"></span>`}`
}

function labelView({ kind, step, way }: FlowItem, note: FlowNote | undefined): TemplateResult {
  const isEnd = kind === 'end' || step === undefined || way === undefined
  const words = isEnd ? 'End' : wayWords(step, way)
  return html`${isEnd ? html`<span class="flow-icon">${icon('flag')}</span>` : nothing}
    <span class="flow-words" title=${words}>${words}</span>
    ${note === undefined ? nothing : html`<span class="flow-count">${note.count}</span>`}
    ${note === undefined || note.share === null ? nothing : html`<span class="flow-share">${shareText(note.share)}</span>`}`
}

/** Whole per cent, as there is little room; what is more than nothing is not 0. */
function shareText(share: number): string {
  const percent = Math.round(share * 100)
  return percent === 0 && share > 0 ? '< 1 %' : `${percent} %`
}

const stepsText = (count: number): string => (count === 1 ? '1 step' : `${count} steps`)
