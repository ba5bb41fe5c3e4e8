// <nc-flow-editor>: the picture of the steps, in which they are added, moved, copied and removed, by pointer and by keyboard.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { printCopied, readCopied } from '../../editor/copied-steps.ts'
import { insertSteps, moveByKey, moveStep, placeOf, removeStep, withFreeIds } from '../../editor/edits.ts'
import { type FlowOfDraft, flowOf, idAt, listOfWay } from '../../editor/flow-of.ts'
import { type NewStepType, newStep } from '../../editor/new-steps.ts'
import { type Draft, type DraftStep, type Path, readAt, stepsAt } from '../../editor/step-tree.ts'
import { icon } from '../../elements/icon.ts'
import '../../flow/flow.ts'
import type { FlowSelect, NcFlow } from '../../flow/flow.ts'
import type { FlowGap } from '../../flow/layout.ts'
import { TRIGGER } from '../../flow/tree.ts'
import { kindOf } from '../../flow/words.ts'
import { LightElement } from '../../lib/light-element.ts'
import { StepDrag } from './step-drag.ts'
import type { NcStepMenu } from './step-menu.ts'
import './step-menu.ts'

/** An edit of the steps. `select`: the step that is selected afterwards. */
export type EditSteps = (draft: Draft, words: string, select?: Path) => void

export class NcFlowEditor extends LightElement {
  static override properties = {
    draft: { attribute: false },
    selected: { attribute: false },
    highlighted: { attribute: false },
    enrichers: { attribute: false },
    mayChange: { attribute: false },
    edit: { attribute: false },
    select: { attribute: false },
  }

  declare draft: Draft
  /** The path of the selected step; undefined: the campaign itself. */
  declare selected: Path | undefined
  declare highlighted: ReadonlySet<string>
  declare enrichers: readonly string[]
  declare mayChange: boolean
  declare edit: EditSteps
  /** @param path undefined: the campaign itself */
  declare select: (path: Path | undefined) => void

  readonly #menu = createRef<NcStepMenu>()
  #flow: FlowOfDraft = flowOf({})
  #wantsFocus = false

  constructor() {
    super()
    this.highlighted = new Set()
    this.enrichers = []
    new StepDrag(this, (id, list, index) => this.#drop(id, list, index))
    this.addEventListener('keydown', this.#key)
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('draft')) this.#flow = flowOf(this.draft)
  }

  /** A step that moves in the document loses the focus; a new one has it, so that the keys go on there. */
  protected override updated(changed: Map<string, unknown>): void {
    if (!this.#wantsFocus || !(changed.has('draft') || changed.has('selected'))) return
    this.#wantsFocus = false
    const id = this.selected === undefined ? TRIGGER : idAt(this.#flow, this.selected)
    const flow = this.querySelector('nc-flow') as NcFlow
    void flow.updateComplete.then(() => flow.focusItem(id ?? TRIGGER))
  }

  /** @param select The step that is selected afterwards. */
  #edit(draft: Draft, words: string, select: Path | undefined): void {
    const { activeElement } = document
    // A menu that closes leaves the focus to the body.
    this.#wantsFocus = this.contains(activeElement) || activeElement === document.body
    this.edit(draft, words, select)
  }

  override render(): TemplateResult {
    const { definition } = this.#flow
    const selected = this.selected === undefined ? TRIGGER : idAt(this.#flow, this.selected)
    return html`<nc-flow
        .definition=${definition}
        .label=${'Steps of the campaign'}
        .hasNotes=${false}
        .selected=${selected}
        .highlighted=${this.highlighted}
        .between=${this.mayChange ? this.#gap : undefined}
        @flow-select=${this.#onSelect}
      ></nc-flow>
      <nc-step-menu ${ref(this.#menu)}></nc-step-menu>`
  }

  readonly #gap = ({ parent, index }: FlowGap): unknown => {
    const list = listOfWay(this.#flow, parent)
    if (list === undefined) return ''
    const add = ({ currentTarget }: Event) => this.#openMenu(currentTarget as HTMLElement, list, index)
    return html`<button type="button" class="flow-add" tabindex="-1" data-list=${JSON.stringify(list)} data-index=${index} aria-label="Add a step here" title="Add a step here" @click=${add}>${icon('plus')}</button>`
  }

  /** Opens the menu of steps at an element; the chosen one comes after the selected step. */
  addAfter(anchor: HTMLElement): void {
    const { list, index } = this.#place
    this.#openMenu(anchor, list, index + 1)
  }

  #openMenu(anchor: HTMLElement, list: Path, index: number): void {
    void this.#menu.value?.open(anchor, (type) => this.#add(type, list, index))
  }

  #add(type: NewStepType, list: Path, index: number): void {
    const step = newStep(type, this.draft, this.enrichers)
    this.#edit(insertSteps(this.draft, list, index, [step]), `New step: ${kindOf(step as { type: string })[1]}`, [
      ...list,
      index,
    ])
  }

  readonly #onSelect = ({ itemId }: FlowSelect): void => {
    const own = itemId.slice(0, itemId.includes('/', 1) ? itemId.lastIndexOf('/') : undefined)
    this.select(this.#flow.paths.get(own))
  }

  #drop(id: string, list: Path, index: number): void {
    const from = this.#flow.paths.get(id)
    const moved = from && moveStep(this.draft, from, list, index)
    if (moved !== undefined) this.#edit(moved.draft, 'Move of a step', moved.path)
  }

  move(by: 'up' | 'down'): void {
    const moved = this.selected && moveByKey(this.draft, this.selected, by)
    if (moved !== undefined) this.#edit(moved.draft, 'Move of a step', moved.path)
  }

  /** The neighbour is selected, so that the keys go on. */
  removeSelected(): void {
    if (this.selected === undefined) return
    const { list, index } = placeOf(this.selected)
    const left = stepsAt(this.draft, list).length - 1
    const next = left === 0 ? undefined : [...list, Math.min(index, left - 1)]
    this.#edit(removeStep(this.draft, this.selected), 'Removal of a step', next)
    this.dispatchEvent(new Event('step-removed'))
  }

  duplicate(): void {
    const step = this.#step
    if (step !== undefined) this.#paste([step])
  }

  /** Of the selected step; what comes after it is the first step where the campaign itself is selected. */
  get #place(): { list: Path; index: number } {
    return this.selected === undefined ? { list: ['steps'], index: -1 } : placeOf(this.selected)
  }

  get #step(): DraftStep | undefined {
    return this.selected && (readAt(this.draft, this.selected) as DraftStep | undefined)
  }

  /** After the selected step, or as the first one. */
  #paste(steps: readonly DraftStep[]): void {
    const { list, index } = this.#place
    const fresh = withFreeIds(this.draft, steps)
    const words = steps.length === 1 ? 'Paste of a step' : `Paste of ${steps.length} steps`
    this.#edit(insertSteps(this.draft, list, index + 1, fresh), words, [...list, index + 1])
  }

  /** @returns whether there was something to copy; with `isCut` it is removed */
  copy(data: DataTransfer, isCut: boolean): boolean {
    this.#selectFocused()
    const step = this.#step
    if (step === undefined) return false
    data.setData('text/plain', printCopied([step]))
    if (isCut && this.mayChange) this.removeSelected()
    return true
  }

  /** @returns whether the text has steps */
  paste(text: string): boolean {
    const steps = readCopied(text)
    if (steps === undefined || !this.mayChange) return false
    this.#selectFocused()
    this.#paste(steps)
    return true
  }

  readonly #key = (event: KeyboardEvent): void => {
    const item = (event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]')
    const run = item === null || !this.mayChange ? undefined : this.#actionOf(event, item)
    if (run === undefined) return
    event.preventDefault()
    event.stopPropagation()
    this.#selectFocused()
    void this.updateComplete.then(run)
  }

  #actionOf(event: KeyboardEvent, item: HTMLElement): (() => void) | undefined {
    const { key, altKey, ctrlKey, metaKey } = event
    if (ctrlKey || metaKey) return key.toLowerCase() === 'd' ? () => this.duplicate() : undefined
    if (altKey) {
      const by = ({ ArrowUp: 'up', ArrowDown: 'down' } as const)[key]
      return by && (() => this.move(by))
    }
    if (key === 'Delete' || key === 'Backspace') return () => this.removeSelected()
    return key === '+' || key === 'Insert' ? () => this.addAfter(item) : undefined
  }

  /** What has the focus is meant, also when another step is selected. */
  #selectFocused(): void {
    const item = document.activeElement?.closest<HTMLElement>('[role=treeitem]')
    if (item == null || !this.contains(item)) return
    const path = this.#flow.paths.get(item.dataset.item ?? '')
    this.selected = path
    this.select(path)
  }
}

customElements.define('nc-flow-editor', NcFlowEditor)
