// <nc-flow>: the steps of a campaign as a picture that is a tree for the keyboard and screen readers, and a list where it is narrow.

import { html, nothing, svg, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { icon } from '../elements/icon.ts'
import { LightElement } from '../lib/light-element.ts'
import { setStyle } from '../lib/set-style.ts'
import { type FlowNote, itemView } from './item-view.ts'
import {
  type FlowGap,
  type FlowItem,
  type FlowLayout,
  type FlowLine,
  layoutFlow,
  pathOf,
  type Sizes,
} from './layout.ts'
import { foldFlow, readFlow, stepsAround } from './tree.ts'
import { nextItem } from './tree-keys.ts'

const SIZES: Sizes = { nodeWidth: 248, nodeHeight: 92, wayHeight: 34, endHeight: 34, gapX: 28, gapY: 36 }
/** Of boxes that have no numbers. */
const WITHOUT_NOTES: Sizes = { ...SIZES, nodeHeight: 72 }
/** Smaller texts are hard to read: a wider picture scrolls. */
const SMALLEST_FIT = 0.7
const SMALLEST = 0.4
const LARGEST = 1
const ZOOM_STEP = 1.25

/** A step or a way was pressed. */
export class FlowSelect extends Event {
  /** Of the item (flow/tree.ts); a way stands for its step. */
  readonly itemId: string
  constructor(itemId: string) {
    super('flow-select')
    this.itemId = itemId
  }
}

export class NcFlow extends LightElement {
  static override properties = {
    definition: { attribute: false },
    label: { attribute: false },
    selected: { attribute: false },
    highlighted: { attribute: false },
    notes: { attribute: false },
    hasNotes: { type: Boolean },
    between: { attribute: false },
    folded: { state: true },
    zoom: { state: true },
    room: { state: true },
  }

  declare definition: Readonly<Record<string, unknown>>
  /** The name of the tree. */
  declare label: string
  /** The id of the selected item. */
  declare selected: string | undefined
  /** Ids of the items of a path. Lines between two of them stand out as well. */
  declare highlighted: ReadonlySet<string>
  /** Numbers by id of an item. */
  declare notes: ReadonlyMap<string, FlowNote>
  /** Whether there is room for numbers, also before they are known. */
  declare hasNotes: boolean
  /** Draws what stands between two steps, in a layer over the picture; not in the list. */
  declare between: ((gap: FlowGap) => unknown) | undefined
  /** Ids of the steps whose ways are folded. */
  declare protected folded: ReadonlySet<string>
  /** Undefined: as wide as the room. */
  declare protected zoom: number | undefined
  declare protected room: number

  #layout: FlowLayout = { width: 0, height: 0, items: [], lines: [], gaps: [] }
  /** The one item that the tab key reaches. */
  #focused: string | undefined
  /** Measures when the picture is first seen. Later its size stays, also when something opens beside it. */
  readonly #observer = new ResizeObserver(() => {
    if (this.room === 0) this.#fit()
  })

  constructor() {
    super()
    this.label = 'Steps'
    this.highlighted = new Set()
    this.notes = new Map()
    this.hasNotes = true
    this.folded = new Set()
    this.room = 0
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('definition')) this.#flow = readFlow(this.definition)
    if (changed.has('selected') && this.selected !== undefined) this.#unfoldTo(this.selected)
    if (!changed.has('definition') && !changed.has('folded') && this.#laidOut === this.folded) return
    this.#laidOut = this.folded
    this.#layout = layoutFlow(foldFlow(this.#flow, this.folded), this.hasNotes ? SIZES : WITHOUT_NOTES)
  }

  #laidOut: ReadonlySet<string> | undefined

  /** What is selected is seen. */
  #unfoldTo(id: string): void {
    const around = stepsAround(this.#flow.steps, id) ?? []
    if (around.some((outer) => this.folded.has(outer)))
      this.folded = new Set([...this.folded].filter((one) => !around.includes(one)))
  }

  #fold(id: string): void {
    const others = [...this.folded].filter((one) => one !== id)
    this.folded = new Set(this.folded.has(id) ? others : [...others, id])
  }

  #flow = readFlow({})

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('resize', this.#fit)
    void this.updateComplete.then(() => {
      const view = this.querySelector('.flow-view')
      if (view !== null) this.#observer.observe(view)
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('resize', this.#fit)
    this.#observer.disconnect()
  }

  readonly #fit = (): void => {
    const view = this.querySelector('.flow-view')
    if (view === null || view.clientWidth === 0) return
    const { paddingLeft, paddingRight } = getComputedStyle(view)
    this.room = view.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    this.zoom = undefined
  }

  protected override updated(changed: Map<string, unknown>): void {
    const view = this.querySelector('.flow-view')
    if (changed.get('room') === 0 && view !== null) {
      // A picture that is wider than its room begins with its middle, where the first step is.
      view.scrollLeft = (view.scrollWidth - view.clientWidth) / 2
      this.#reveal()
    } else if (changed.has('selected')) this.#reveal()
  }

  #reveal(): void {
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  get #scale(): number {
    const fit = this.room === 0 ? LARGEST : Math.min(LARGEST, this.room / Math.max(1, this.#layout.width))
    return this.zoom ?? Math.max(SMALLEST_FIT, fit)
  }

  override render(): TemplateResult {
    const { width, height, items, lines, gaps } = this.#layout
    const scale = this.#scale
    const size = { '--width': `${width}px`, '--height': `${height}px`, '--scale': String(scale) }
    return html`<div class="flow-frame">
      <div class="flow-view">
        <div class="flow-canvas" ${setStyle(size)}>
          <svg class="flow-lines" width=${width} height=${height} aria-hidden="true">
            ${repeat(
              lines,
              ({ from, to }) => `${from} ${to}`,
              (line) => this.#line(line),
            )}
          </svg>
          <div class="flow-tree" role="tree" aria-label=${this.label} @click=${this.#click} @keydown=${this.#key}>
            ${repeat(
              items,
              ({ id }) => id,
              (item) => this.#item(item),
            )}
          </div>
          ${this.between === undefined ? nothing : html`<div class="flow-gaps">${gaps.map((gap) => this.#gap(gap))}</div>`}
        </div>
      </div>
      ${this.#tools(scale)}
    </div>`
  }

  #tools(scale: number): TemplateResult {
    const zoomTo = (zoom: number) => () => this.#zoomTo(Math.min(LARGEST, Math.max(SMALLEST, zoom)), scale)
    const tool = (name: string, label: string, press: () => void, isOff = false) =>
      html`<button type="button" class="icon-button" aria-label=${label} title=${label} ?disabled=${isOff} @click=${press}>${icon(name)}</button>`
    return html`<div class="flow-tools" role="group" aria-label="Size of the picture">
      ${tool('minus', 'Smaller', zoomTo(scale / ZOOM_STEP), scale <= SMALLEST)}
      ${tool('plus', 'Larger', zoomTo(scale * ZOOM_STEP), scale >= LARGEST)}
      ${tool('fit', 'Fit to width', this.#fit)}
    </div>`
  }

  /** The middle of the view stays where it is. */
  async #zoomTo(zoom: number, before: number): Promise<void> {
    const view = this.querySelector('.flow-view')
    if (view === null) return
    const [x, y] = [view.scrollLeft + view.clientWidth / 2, view.scrollTop + view.clientHeight / 2]
    this.zoom = zoom
    await this.updateComplete
    const ratio = zoom / before
    view.scrollTo(x * ratio - view.clientWidth / 2, y * ratio - view.clientHeight / 2)
  }

  #line(line: FlowLine): TemplateResult {
    const isHighlighted = this.highlighted.has(line.from) && this.highlighted.has(line.to)
    return svg`<path class="flow-line" d=${pathOf(line)} ?data-highlighted=${isHighlighted}></path>`
  }

  #item(item: FlowItem): TemplateResult {
    const isFirst = item === this.#layout.items[0]
    return itemView(this.#flow, item, {
      note: this.notes.get(item.id),
      isSelected: item.id === this.selected,
      isHighlighted: this.highlighted.has(item.id),
      isReachable: this.#reachable === undefined ? isFirst : item.id === this.#reachable,
    })
  }

  /** The item that had the focus last, else the selected one; undefined: the first. */
  get #reachable(): string | undefined {
    const { items } = this.#layout
    return [this.#focused, this.selected].find((id) => id !== undefined && items.some((item) => item.id === id))
  }

  #gap(gap: FlowGap): TemplateResult {
    const place = { '--x': `${gap.x}px`, '--y': `${gap.y}px` }
    return html`<div class="flow-gap" ${setStyle(place)}>${this.between?.(gap)}</div>`
  }

  readonly #click = ({ target }: Event): void => {
    const id = (target as HTMLElement).closest<HTMLElement>('[role=treeitem]')?.dataset.item
    if (id === undefined) return
    if ((target as HTMLElement).closest('[data-fold]') === null) this.#select(id)
    else this.#fold(id)
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const id = (event.target as HTMLElement).dataset.item
    if (id === undefined) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      this.#select(id)
      return
    }
    const step = this.#layout.items.find((item) => item.id === id && item.kind === 'step')?.step
    const isOpen = (step?.ways.length ?? 0) > 0
    if ((event.key === 'ArrowLeft' && isOpen) || (event.key === 'ArrowRight' && step?.folded !== undefined)) {
      event.preventDefault()
      this.#fold(id)
      return
    }
    const next = nextItem(this.#layout.items, id, event.key)
    if (next === undefined) return
    event.preventDefault()
    this.focusItem(next)
  }

  #select(id: string): void {
    this.focusItem(id)
    this.dispatchEvent(new FlowSelect(id))
  }

  /** Gives an item the focus, and makes it the one that the tab key reaches. */
  focusItem(id: string): void {
    this.#focused = id
    this.requestUpdate()
    void this.focusOn(`[data-item="${CSS.escape(id)}"]`)
  }
}

customElements.define('nc-flow', NcFlow)
