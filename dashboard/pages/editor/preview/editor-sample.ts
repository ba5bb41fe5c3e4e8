// <nc-editor-sample>: chooses the data that a draft is tried with: one of the last events of its name or a written one,
// and a user. Gives it to the page by the event `sample-changed`.

import { html, nothing, type TemplateResult } from 'lit'
import type { JsonObject } from '../../../../contract/json.ts'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { SampleUser } from '../../../../contract/resources/campaign-trial.ts'
import type { TrackedEventAnswer } from '../../../../contract/resources/tracked-event.ts'
import { ApiFailure } from '../../../api/client.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { choiceField } from '../../../elements/fields.ts'
import { failureView, loadingView } from '../../../elements/states.ts'
import { formatAge } from '../../../lib/format.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import type { AppContext } from '../../../shell/context.ts'
import './properties-form.ts'
import type { PropertiesChanged } from './properties-form.ts'
import {
  eventNameOf,
  keepSample,
  keptSample,
  type Sample,
  SampleChanged,
  type SampleChoice,
  userIdOf,
  valuesInShort,
} from './sample.ts'
import './user-picker.ts'
import type { UserPicked } from './user-picker.ts'

/** Of the name's events. */
const SHOWN = 10
/** Typing in the name of the event waits so long before the server is asked. */
const PAUSE_MS = 400
const WRITTEN = 'written'

export class NcEditorSample extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    choice: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  declare draft: Draft
  declare choice: SampleChoice

  readonly #events = new Loader<readonly TrackedEventAnswer[]>(this)
  readonly #user = new Loader<SampleUser>(this)
  #name: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #given = ''

  constructor() {
    super()
    this.choice = {}
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  protected override willUpdate(): void {
    const name = eventNameOf(this.draft)
    if (name === this.#name) return
    const isFirst = this.#name === undefined
    this.#name = name
    clearTimeout(this.#timer)
    if (isFirst) this.choice = keptSample(this.#kept)
    if (isFirst) void this.#load(name)
    else this.#timer = setTimeout(() => void this.#load(name), PAUSE_MS)
  }

  async #load(name: string): Promise<void> {
    const { eventId } = this.choice
    const { api } = this.context
    await this.#events.load(async (signal) => {
      const { data } = name === '' ? { data: [] } : await api.events({ name, limit: SHOWN }, signal)
      if (eventId === undefined || data.some((one) => one.eventId === eventId)) return data
      // The chosen one may be older than those; retention may have removed it.
      const older = await api.event(eventId, signal).catch(ignoreNotFound)
      return older?.name === name ? [older, ...data] : data
    })
    await this.#give()
  }

  /** The chosen event; the newest where none is chosen, or the chosen one is gone. */
  get #event(): TrackedEventAnswer | undefined {
    if (this.choice.properties !== undefined) return undefined
    const events = this.#events.value ?? []
    return events.find(({ eventId }) => eventId === this.choice.eventId) ?? events[0]
  }

  get #userId(): string | undefined {
    const event = this.#event
    return this.choice.userId ?? (event && userIdOf(event))
  }

  async #give(): Promise<void> {
    const id = this.#userId
    if (id === undefined) this.#user.clear()
    else if (this.#user.value?.id !== id) {
      const found = await this.#user.load((signal) => this.#findUser(id, signal), { quiet: true })
      // A newer choice gives its own.
      if (found === undefined) return
    }
    const user = id === undefined ? undefined : this.#user.value?.id === id ? this.#user.value : { id }
    const sample: Sample = { event: this.#sampleEvent(), ...(user && { user }) }
    const given = JSON.stringify(sample)
    if (given === this.#given) return
    this.#given = given
    this.dispatchEvent(new SampleChanged(sample))
  }

  #sampleEvent(): Sample['event'] {
    const event = this.#event
    const userId = this.#userId
    const properties = this.choice.properties ?? (event?.properties as JsonObject | undefined) ?? {}
    return {
      name: this.#name ?? '',
      properties,
      ...(event && { occurredAt: event.occurredAt }),
      ...(userId !== undefined && { userId }),
    }
  }

  /** A user who is not known yet has no profile. */
  async #findUser(id: string, signal: AbortSignal): Promise<SampleUser> {
    const found = await this.context.api.user(id, signal).catch(ignoreNotFound)
    if (found === undefined) return { id }
    const { email, name, locale, timeZone, attributes } = found
    return { id, email, name, locale, timeZone, attributes }
  }

  /** The name of the choice in this browser, which others may use as well. */
  get #kept(): string {
    return `${this.context.me.person.id} ${this.campaign.id}`
  }

  #choose(choice: SampleChoice): void {
    this.choice = choice
    keepSample(this.#kept, choice)
    void this.#give()
  }

  /** Without one, it is the user of the event again. */
  #chooseUser(userId: string | undefined): void {
    const { userId: _former, ...others } = this.choice
    this.#choose(userId === undefined ? others : { ...others, userId })
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#events
    if (state === 'failed') return failureView(error, () => void this.#load(this.#name ?? ''))
    if (value === undefined) return loadingView(2)
    return html`<section class="sample" aria-label="Data that the draft is tried with">
      <div class="sample-fields">
        ${this.#eventField(value)}
        <nc-user-picker
          .context=${this.context}
          label="User"
          .userId=${this.#userId}
          placeholder="Nobody"
          @user-picked=${({ userId }: UserPicked) => this.#chooseUser(userId)}
        ></nc-user-picker>
      </div>
      ${this.#written(value)}
    </section>`
  }

  #eventField(events: readonly TrackedEventAnswer[]): TemplateResult {
    const { properties } = this.choice
    const userId = this.#userId
    const current = properties !== undefined || events.length === 0 ? WRITTEN : (this.#event?.eventId ?? WRITTEN)
    const kept = userId === undefined ? {} : { userId }
    return choiceField('sample', {
      name: 'event',
      label: 'Event',
      value: current,
      choices: [
        ...events.map((event) => [event.eventId, wordsOf(event)] as const),
        [WRITTEN, events.length === 0 ? 'Written by hand' : 'Write one…'] as const,
      ],
      onChange: (value) =>
        value === WRITTEN
          ? // What the last one had, and for whom it was, is a good beginning.
            this.#choose({ ...kept, properties: (this.#event?.properties as JsonObject | undefined) ?? {} })
          : this.#choose({ eventId: value }),
    })
  }

  #written(events: readonly TrackedEventAnswer[]): TemplateResult | typeof nothing {
    const { properties } = this.choice
    if (properties === undefined && events.length > 0) return nothing
    const names = [...new Set(events.flatMap((event) => Object.keys(event.properties)))]
    const hint =
      events.length === 0
        ? html`<p class="hint">No event ${this.#name === '' ? 'is chosen' : html`<code>${this.#name}</code> has come`} yet. Write what one would have.</p>`
        : nothing
    return html`${hint}
      <nc-properties-form
        .properties=${properties ?? {}}
        .names=${names}
        @properties-changed=${({ properties }: PropertiesChanged) => this.#choose({ ...this.choice, properties })}
      ></nc-properties-form>`
  }
}

function wordsOf(event: TrackedEventAnswer): string {
  const values = valuesInShort(event.properties)
  return [formatAge(event.receivedAt), userIdOf(event), values].filter(Boolean).join(' · ')
}

function ignoreNotFound(error: unknown): undefined {
  if (error instanceof ApiFailure && error.status === 404) return undefined
  throw error
}

customElements.define('nc-editor-sample', NcEditorSample)
