// <nc-mappings-card>: how types of the platform become events, edited in a draft that the page keeps until it is saved.

import { html, nothing, type TemplateResult } from 'lit'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import { plainMappings, USUAL_TYPES } from '../../../contract/usual-types.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import { cleanMappings } from './clean-mappings.ts'
import { MappingFaults, reportFaults } from './mapping-faults.ts'
import { mappingRow } from './mapping-row.ts'
import { PLATFORMS } from './platforms.ts'
import { SourceCard } from './source-card.ts'

/** The mappings as they are typed; undefined gives up the changes. */
export class MappingsEdited extends Event {
  readonly mappings: SourceMapping[] | undefined

  constructor(mappings: SourceMapping[] | undefined) {
    super('mappings-edited', { bubbles: true })
    this.mappings = mappings
  }
}

class NcMappingsCard extends SourceCard {
  static override properties = {
    ...SourceCard.properties,
    draft: { attribute: false },
    faults: { attribute: false },
    opened: { state: true },
  }

  /** Undefined: no change. */
  declare draft: SourceMapping[] | undefined
  declare faults: readonly ErrorDetail[]
  /** Places of the mappings whose fields are shown. */
  declare protected opened: ReadonlySet<number>

  /** What gets the focus once there are so many mappings. */
  #next: { count: number; selector: string } | undefined

  constructor() {
    super()
    this.opened = new Set()
    this.faults = []
  }

  get #mappings(): SourceMapping[] {
    return this.draft ?? this.source.mappings
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('faults')) return
    const places = this.faults.map(({ path }) => Number(/^mappings\[(\d+)\]/.exec(path)?.[1]))
    this.opened = new Set([...this.opened, ...places.filter(Number.isInteger)])
    const before = (changed.get('faults') as typeof this.faults | undefined) ?? []
    // An edit takes faults away; only an answer of the server brings some.
    if (places.length > 0 && places.length >= before.length) void this.focusOn('[aria-invalid]')
  }

  /** The page gives this card a changed draft later than the card asks for it. */
  protected override updated(changed: Map<string, unknown>): void {
    super.updated(changed)
    if (this.#next?.count !== this.#mappings.length) return
    this.querySelector<HTMLElement>(this.#next.selector)?.focus()
    this.#next = undefined
  }

  override render(): TemplateResult {
    const { mayChange } = this
    const { title } = PLATFORMS[this.source.provider]
    return this.card({
      title: 'Mappings',
      name: 'mappings',
      text: html`How types of ${title} become events. A type without a mapping keeps its name.`,
      fields: html`${this.#mappings.length === 0 ? html`<p class="none-found">There is no mapping: every type keeps its name.</p>` : nothing}
        <ul class="mappings">${this.#mappings.map((mapping, at) => this.#row(mapping, at))}</ul>
        ${mayChange ? html`<div><wa-button class="mapping-add" size="s" appearance="outlined" @click=${this.#add}>${icon('plus', 'start')}Add a mapping</wa-button></div>` : nothing}`,
      mayChange,
      tools: html`<wa-button size="s" appearance="outlined" @click=${this.#askForDefaults}>Use the defaults</wa-button>`,
    })
  }

  #row(mapping: SourceMapping, at: number): TemplateResult {
    const { opened, faults, mayChange } = this
    const { provider } = this.source
    return mappingRow({
      mapping,
      at,
      provider,
      mayChange,
      isOpen: opened.has(at),
      faultOf: (field) => faults.find(({ path }) => isAt(path, at, field))?.message,
      onToggle: (isOpen) => {
        if (isOpen !== this.opened.has(at)) this.opened = toggled(this.opened, at)
      },
      onChange: (change, field) => {
        const remaining = faults.filter(({ path }) => !isAt(path, at, field))
        if (remaining.length < faults.length) this.dispatchEvent(new MappingFaults(remaining))
        this.#edit(this.#mappings.map((one, place) => (place === at ? { ...one, ...change } : one)))
      },
      onRemove: () => {
        this.opened = new Set(
          [...opened].filter((place) => place !== at).map((place) => (place > at ? place - 1 : place)),
        )
        this.dispatchEvent(new MappingFaults([]))
        const others = this.#mappings.filter((_, place) => place !== at)
        const place = Math.min(at + 1, others.length)
        const selector = place === 0 ? '.mapping-add' : `.mappings > :nth-child(${place}) summary`
        this.#next = { count: others.length, selector }
        this.#edit(others)
      },
    })
  }

  protected override listChanges(): readonly string[] {
    return this.draft === undefined ? [] : ['Mappings']
  }

  protected override reset(): void {
    this.#edit(undefined)
  }

  #edit(mappings: SourceMapping[] | undefined): void {
    if (mappings === undefined) {
      this.attempt.clear()
      this.dispatchEvent(new MappingFaults([]))
    }
    this.dispatchEvent(new MappingsEdited(mappings))
  }

  readonly #add = (): void => {
    const at = this.#mappings.length
    this.opened = new Set([...this.opened, at])
    this.#edit([...this.#mappings, { providerEvent: '', event: null, userIdPath: null, propertiesPath: null }])
    this.#next = { count: at + 1, selector: `#mapping-${at}-providerEvent` }
  }

  readonly #askForDefaults = (): void => {
    const { title } = PLATFORMS[this.source.provider]
    const question: Question = {
      title: 'Use the defaults',
      text: html`<p>The usual types of ${title} replace all mappings, and take their usual paths. It is saved at once.</p>`,
      button: 'Replace the mappings',
      isDangerous: true,
      run: () => this.#save(plainMappings(USUAL_TYPES[this.source.provider])),
    }
    this.dispatchEvent(new CustomEvent('question', { detail: question, bubbles: true }))
  }

  async #save(mappings: SourceMapping[]): Promise<void> {
    await this.saveSettings({ mappings }, 'The mappings are saved. The next delivery follows them.')
    this.opened = new Set()
    this.#edit(undefined)
  }

  protected override submit(): Promise<void> {
    return reportFaults(this, () => this.#save(cleanMappings(this.#mappings)))
  }
}

function isAt(path: string, at: number, field: string): boolean {
  const own = `mappings[${at}].${field}`
  return path === own || path.startsWith(`${own}[`) || path.startsWith(`${own}.`)
}

function toggled(set: ReadonlySet<number>, at: number): Set<number> {
  const next = new Set(set)
  if (!next.delete(at)) next.add(at)
  return next
}

customElements.define('nc-mappings-card', NcMappingsCard)
