// <nc-settings>: what comes by which channel, and when it is quiet.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { InboxPreferences } from '../../../../contract/api.ts'
import type { Channel } from '../../../../contract/delivery.ts'
import type { Translate } from '../../../lib/translations.ts'
import { readable } from '../categories.ts'
import { icon } from '../icons.ts'
import { PanelPiece } from '../panel-piece.ts'
import type { PreferencesChange, QuietHours } from './preferences.ts'
import { settingsStyles } from './settings.styles.ts'

const CHANNELS = ['inbox', 'email'] as const satisfies Channel[]
const NIGHT = { start: '22:00', end: '07:00' }

/**
 * Fires `preferences-change` with a PreferencesChange, `retry` to read the preferences again, and `show-keys` to show
 * the list of keys.
 */
export class NcSettings extends PanelPiece {
  static override readonly styles = [settingsStyles]
  static override readonly properties = {
    // A refused change leaves them as they were, but the switch as it was pressed.
    preferences: { attribute: false, hasChanged: () => true },
    hasFailed: { attribute: false },
    t: { attribute: false },
  }

  /** Undefined until they are read. */
  declare preferences: InboxPreferences | undefined
  declare hasFailed: boolean
  declare t: Translate

  protected override render(): TemplateResult {
    const { preferences, hasFailed, t } = this
    const isReading = preferences === undefined && !hasFailed
    return html`<div
      class="detail-scroll"
      tabindex="0"
      role="group"
      aria-label=${t('preferences')}
      aria-busy=${isReading}
    >
      ${preferences === undefined ? (hasFailed ? this.#failed() : SKELETON) : this.#choices(preferences)}
    </div>`
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.detail-scroll')?.focus()
  }

  #choices({ categories, quietHours }: InboxPreferences): TemplateResult {
    const { t } = this
    // A channel that the environment cannot send by is in no category.
    const columns = CHANNELS.filter((channel) => categories.some(({ channels }) => channels[channel] !== undefined))
    return html`${
      categories.length === 0
        ? html`<p class="settings-hint none">${t('noCategories')}</p>`
        : html`<div class="settings-heads" aria-hidden="true">
            ${columns.map((channel) => html`<span>${t(`channel_${channel}`)}</span>`)}
          </div>
          ${categories.map((category) => this.#category(columns, category))}`
    }
    ${this.#quiet(quietHours)}
    <button type="button" class="link keys-link" @click=${() => this.dispatchEvent(new CustomEvent('show-keys'))}>
      ${t('shortcuts')}
    </button>`
  }

  #category(
    columns: readonly Channel[],
    { key, name: given, critical, channels }: InboxPreferences['categories'][number],
  ): TemplateResult {
    const { t } = this
    const name = readable(key, given)
    return html`<div class="setting" role="group" aria-label=${name}>
      <span class="setting-name"
        ><span><bdi>${name}</bdi></span>
        ${critical ? html`<span class="settings-hint locked">${icon('locked')}${t('critical')}</span>` : nothing}
      </span>
      ${columns.map((channel) =>
        toggle({
          label: `${name}: ${t(`channel_${channel}`)}${critical ? `, ${t('critical')}` : ''}`,
          isOn: critical || channels[channel] === true,
          isLocked: critical,
          set: (isOn) => this.#change({ categories: [{ key, channels: { ...channels, [channel]: isOn } }] }),
        }),
      )}
    </div>`
  }

  #quiet(hours: QuietHours): TemplateResult {
    const { t } = this
    return html`<div class="setting quiet" role="group" aria-label=${t('quietHours')}>
      <span class="setting-name">${t('quietHours')}<span class="settings-hint">${t('quietHint')}</span></span>
      ${toggle({
        label: t('quietHours'),
        isOn: hours !== null,
        set: (isOn) => this.#change({ quietHours: isOn ? { ...NIGHT, timeZone: zoneHere() } : null }),
      })}
      ${hours === null ? nothing : this.#hours(hours)}
    </div>`
  }

  #hours(hours: NonNullable<QuietHours>): TemplateResult {
    const { t } = this
    const set = (part: Partial<NonNullable<QuietHours>>): void => {
      const next = { ...hours, ...part }
      // A time that is half typed, or no time at all between the two: nothing to be sent yet.
      if (next.start !== '' && next.end !== '' && next.start !== next.end) this.#change({ quietHours: next })
    }
    const time = (name: 'start' | 'end', label: string): TemplateResult => html`<label
      >${label}
      <input type="time" required .value=${live(hours[name])} @change=${(event: Event) => set({ [name]: valueIn(event) })}
    /></label>`
    return html`<div class="hours">
      ${time('start', t('quietStart'))} ${time('end', t('quietEnd'))}
      <label class="zone"
        >${t('timeZone')}
        <select @change=${(event: Event) => set({ timeZone: valueIn(event) })}>
          ${zones(hours.timeZone).map(
            (zone) =>
              html`<option value=${zone} ?selected=${zone === hours.timeZone}>${zone.replaceAll('_', ' ')}</option>`,
          )}
        </select></label
      >
    </div>`
  }

  #failed(): TemplateResult {
    const retry = (): boolean => this.dispatchEvent(new CustomEvent('retry'))
    return html`<div part="error" class="state">
      <span class="avatar large error">${icon('error')}</span>
      <p class="state-title">${this.t('preferencesError')}</p>
      <button type="button" class="button primary" @click=${retry}>${this.t('tryAgain')}</button>
    </div>`
  }

  #change(detail: PreferencesChange): void {
    this.dispatchEvent(new CustomEvent('preferences-change', { detail }))
  }
}

const SKELETON = [0, 1, 2, 3].map(
  () => html`<div class="setting" aria-hidden="true"><span class="bone bone-title"></span></div>`,
)

interface Toggle {
  label: string
  isOn: boolean
  isLocked?: boolean
  set: (isOn: boolean) => void
}

function toggle({ label, isOn, isLocked = false, set }: Toggle): TemplateResult {
  return html`<input
    type="checkbox"
    role="switch"
    class="switch"
    aria-label=${label}
    .checked=${live(isOn)}
    ?disabled=${isLocked}
    @change=${(event: Event) => set((event.currentTarget as HTMLInputElement).checked)}
  />`
}

const valueIn = (event: Event): string => (event.currentTarget as HTMLInputElement | HTMLSelectElement).value

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone that is set and that of this browser first. */
function zones(set: string): string[] {
  return [...new Set([set, zoneHere(), 'UTC', ...(Intl.supportedValuesOf?.('timeZone') ?? [])])]
}
