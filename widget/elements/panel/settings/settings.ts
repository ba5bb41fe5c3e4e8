// What comes by which channel, and when it is quiet: the settings of the user, in the panel. A part of its own.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { InboxPreferences } from '../../../../contract/api.ts'
import type { Channel } from '../../../../contract/delivery.ts'
import { adopt, createSheet } from '../../../lib/sheet.ts'
import { EN_SETTINGS } from '../../../locales/en-settings.ts'
import type { Call } from '../../../transport/api.ts'
import type { Voice } from '../../voice.ts'
import { readable } from '../categories.ts'
import { icon } from '../icons.ts'
import type { ViewContext } from '../view-context.ts'
import { createPreferences, type Preferences, type QuietHours } from './preferences.ts'

export interface Settings {
  view(context: ViewContext): TemplateResult
  /** Reads anew. */
  read(): void
}

export interface SettingsDeps {
  shadow: ShadowRoot
  voice: Pick<Voice, 'learn'>
  call: () => Call | undefined
  onChange: () => void
  onRefused: () => void
}

const CHANNELS = ['inbox', 'email'] as const satisfies Channel[]
const NIGHT = { start: '22:00', end: '07:00' }

export function createSettings({ shadow, voice, ...deps }: SettingsDeps): Settings {
  const preferences = createPreferences(deps)
  adopt(shadow, settingsStyles())
  voice.learn(EN_SETTINGS)
  return {
    view: (context) => view(context, preferences),
    read: () => void preferences.read(),
  }
}

function view(context: ViewContext, preferences: Preferences): TemplateResult {
  const { shown, hasFailed } = preferences
  return html`<section class="detail settings" aria-label=${context.t('preferences')}>
    <div class="detail-scroll" tabindex="0" role="group" aria-label=${context.t('preferences')} aria-busy=${shown === undefined && !hasFailed}>
      ${shown !== undefined ? choices(context, preferences, shown) : hasFailed ? failed(context, preferences) : waiting()}
    </div>
  </section>`
}

function choices(context: ViewContext, preferences: Preferences, shown: InboxPreferences): TemplateResult {
  const { t } = context
  // A channel that the environment cannot send by is in no category.
  const columns = CHANNELS.filter((channel) => shown.categories.some(({ channels }) => channels[channel] !== undefined))
  return html`${
    shown.categories.length === 0
      ? html`<p class="settings-hint none">${t('noCategories')}</p>`
      : html`<div class="settings-heads" aria-hidden="true">
          ${columns.map((channel) => html`<span>${t(`channel_${channel}`)}</span>`)}
        </div>
        ${shown.categories.map((category) => categoryRow(context, preferences, columns, category))}`
  }
  ${quiet(context, preferences, shown.quietHours)}`
}

function categoryRow(
  { t }: ViewContext,
  preferences: Preferences,
  columns: readonly Channel[],
  { key, name: given, critical, channels }: InboxPreferences['categories'][number],
): TemplateResult {
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
        set: (isOn) => preferences.change({ categories: [{ key, channels: { ...channels, [channel]: isOn } }] }),
      }),
    )}
  </div>`
}

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

function quiet({ t }: ViewContext, preferences: Preferences, hours: QuietHours): TemplateResult {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const change = (quietHours: QuietHours): void => preferences.change({ quietHours })
  return html`<div class="setting quiet" role="group" aria-label=${t('quietHours')}>
    <span class="setting-name">${t('quietHours')}<span class="settings-hint">${t('quietHint')}</span></span>
    ${toggle({
      label: t('quietHours'),
      isOn: hours !== null,
      set: (isOn) => change(isOn ? { ...NIGHT, timeZone: here } : null),
    })}
    ${hours === null ? nothing : times(t, hours, here, change)}
  </div>`
}

function times(
  t: ViewContext['t'],
  hours: NonNullable<QuietHours>,
  here: string,
  change: (hours: QuietHours) => void,
): TemplateResult {
  const set = (part: Partial<NonNullable<QuietHours>>): void => {
    const next = { ...hours, ...part }
    // A time that is half typed, or no time at all between the two: nothing to be sent yet.
    if (next.start !== '' && next.end !== '' && next.start !== next.end) change(next)
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
        ${zones(hours.timeZone, here).map(
          (zone) =>
            html`<option value=${zone} ?selected=${zone === hours.timeZone}>${zone.replaceAll('_', ' ')}</option>`,
        )}
      </select></label
    >
  </div>`
}

const valueIn = (event: Event): string => (event.currentTarget as HTMLInputElement | HTMLSelectElement).value

/** The zone that is set and that of this browser first. */
function zones(set: string, here: string): string[] {
  return [...new Set([set, here, 'UTC', ...(Intl.supportedValuesOf?.('timeZone') ?? [])])]
}

function failed({ t }: ViewContext, preferences: Preferences): TemplateResult {
  return html`<div part="error" class="state">
    <span class="avatar large error">${icon('error')}</span>
    <p class="state-title">${t('preferencesError')}</p>
    <button type="button" class="button primary" @click=${() => void preferences.read()}>${t('tryAgain')}</button>
  </div>`
}

function waiting(): TemplateResult {
  return html`${[0, 1, 2, 3].map(() => html`<div class="setting" aria-hidden="true"><span class="bone bone-title"></span></div>`)}`
}

const settingsStyles = createSheet(`
.settings .detail-scroll { --_cell: clamp(58px, 4rem, min(18vw, 128px)); display: flex; flex-direction: column; padding-block: 4px 20px; padding-inline: 22px 18px }
.settings-heads { display: flex; justify-content: flex-end; gap: 12px; padding-block: 10px 2px; color: var(--_muted); font-size: min(.821em, 3.6vw); font-weight: 500 }
.settings-heads span { width: calc(var(--_cell) + 22px); margin-inline: -11px; text-align: center; overflow-wrap: anywhere }
.setting { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 12px; min-height: 54px; padding-block: 10px; border-block-end: 1px solid color-mix(in srgb, var(--_line) 70%, transparent) }
.setting-name { flex: 1; min-width: 0; display: grid; gap: 2px; font-weight: 560; overflow-wrap: anywhere }
.settings-hint { display: flex; align-items: center; gap: 4px; margin: 0; color: var(--_muted); font-size: .893em; font-weight: 400 }
.settings-hint.none { padding-block: 16px }
.locked .icon { width: 15px; height: 15px }
.switch { all: unset; flex: none; position: relative; width: 40px; height: 24px; margin-inline: calc(var(--_cell) / 2 - 20px); border-radius: 12px; background: color-mix(in srgb, var(--_muted) 75%, var(--_surface)); cursor: pointer; transition: background-color .15s }
.switch::after { content: ""; position: absolute; inset-block-start: 3px; inset-inline-start: 3px; width: 18px; height: 18px; border-radius: 50%; background: #fff; transition: inset-inline-start .15s }
.switch:checked { background: var(--_accent) }
.switch:checked::after { inset-inline-start: 19px; background: var(--_on-accent) }
.switch:disabled { opacity: .5; cursor: default }
.settings :is(input, select):focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }
.quiet { margin-block-start: 8px; border-block-end: 0 }
.hours { flex-basis: 100%; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10em), 1fr)); gap: 10px 12px }
.hours label { display: grid; gap: 4px; min-width: 0; color: var(--_muted); font-size: .893em }
.hours .zone { grid-column: 1 / -1 }
.hours :is(input, select) { width: 100%; min-height: 36px; padding: 5px 10px; border: 1px solid color-mix(in srgb, var(--_muted) 75%, var(--_surface)); border-radius: 9px; background: var(--_surface); color: var(--_text); font: inherit; font-size: 1.12em; color-scheme: inherit }
@media (any-pointer: coarse) { .hours :is(input, select) { font-size: max(1.12em, 16px) } }
@media (forced-colors: none) {
  .hours .zone select { --_end: 100%; appearance: none; padding-inline-end: 32px; background: linear-gradient(45deg, #0000 50%, var(--_muted) 0) calc(var(--_end) - 16px) 50% / 5px 5px no-repeat, linear-gradient(-45deg, #0000 50%, var(--_muted) 0) calc(var(--_end) - 11px) 50% / 5px 5px no-repeat, var(--_surface) }
  .hours .zone select:dir(rtl) { --_end: 27px }
}
@media (forced-colors: active) {
  .switch { border: 1px solid ButtonText; forced-color-adjust: none; background: ButtonFace }
  .switch::after { background: ButtonText; inset-block-start: 2px }
  .switch:checked { background: Highlight }
  .switch:checked::after { background: HighlightText }
}
`)
