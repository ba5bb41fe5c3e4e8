// The views of the panel that few need at once: choosing a time to snooze to, what to do with many, the list of keys. A part of its own.

import { html, nothing, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../contract/api.ts'
import { adopt, createSheet } from '../../lib/sheet.ts'
import { EN_RARE } from '../../locales/en-rare.ts'
import { type IconName, iconButton } from './icons.ts'
import type { PanelHost } from './panel-types.ts'
import type { ViewContext } from './view-context.ts'

export interface Rare {
  snooze(context: ViewContext, message: InboxMessage): TemplateResult
  bulk(context: ViewContext, selected: ReadonlySet<string>): TemplateResult
  help(context: ViewContext): TemplateResult
  /** A picture for the moment when there is nothing. */
  restingBell: TemplateResult
}

export function createRare({ shadow, voice }: Pick<PanelHost, 'shadow' | 'voice'>): Rare {
  adopt(shadow, rareStyles())
  voice.learn(EN_RARE)
  return { snooze, bulk, help, restingBell }
}

const EVENING_HOUR = 18
const MORNING_HOUR = 9
const HOUR_MS = 3_600_000

function snooze({ t, act, now, locale }: ViewContext, message: InboxMessage): TemplateResult {
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  const dayAndTime = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })
  const isToday = (at: Date): boolean => at.toDateString() === new Date(now).toDateString()
  const evening = hourOf(now, 0, EVENING_HOUR)
  const choices: [string, Date][] = [
    ['snoozeHour', new Date(now + HOUR_MS)],
    ...(evening.getTime() - now > 2 * HOUR_MS ? [['snoozeEvening', evening] as [string, Date]] : []),
    ['snoozeTomorrow', hourOf(now, 1, MORNING_HOUR)],
    ['snoozeWeek', hourOf(now, 7, MORNING_HOUR)],
  ]
  const until = (at: Date): void => act.change([message], { snoozedUntil: at.toISOString() }, 'done_snoozed')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('until') as HTMLInputElement
    const at = new Date(field.value)
    if (at.getTime() > now) until(at)
    else field.focus()
  }
  return html`<div class="sheet" role="group" aria-label=${t('snooze')}>
    ${heading(t('snooze'), t('dismiss'), () => act.chooseSnooze(undefined))}
    ${choices.map(
      ([key, at]) =>
        html`<button type="button" class="choice" @click=${() => until(at)}>
          <span>${t(key)}</span><span class="time">${(isToday(at) ? time : dayAndTime).format(at)}</span>
        </button>`,
    )}
    <form class="choice" @submit=${submit}>
      <label>${t('snoozeTime')} <input type="datetime-local" name="until" required .value=${localTime(choices.at(-2)?.[1])} min=${localTime(new Date(now))} /></label>
      <button type="submit" class="button primary">${t('snooze')}</button>
    </form>
  </div>`
}

function hourOf(now: number, days: number, hour: number): Date {
  const day = new Date(now)
  day.setDate(day.getDate() + days)
  day.setHours(hour, 0, 0, 0)
  return day
}

/** As `datetime-local` wants it: the local time, without a zone. */
function localTime(at: Date | undefined): string {
  if (at === undefined) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function heading(title: string, dismiss: string, close: () => void): TemplateResult {
  return html`<h2 class="sheet-title">
    ${title}
    ${iconButton(dismiss, 'close', close)}
  </h2>`
}

function bulk({ t, act, messages = [] }: ViewContext, selected: ReadonlySet<string>): TemplateResult {
  const chosen = messages.filter(({ id }) => selected.has(id))
  const isArchived = chosen.some(({ archivedAt }) => archivedAt !== null)
  const isUnopened = chosen.some(({ unopened }) => unopened)
  const press = (word: string, name: IconName, does: () => void): TemplateResult =>
    iconButton(t(word), name, does, { isOff: chosen.length === 0 })
  return html`<div class="bulk" role="toolbar" aria-label=${t('select')}>
    ${iconButton(t('cancel'), 'close', () => act.select(undefined))}
    <span class="chosen" role="status" .textContent=${t('selected', { count: chosen.length })}></span>
    <button type="button" class="link" @click=${() => act.select(messages.map(({ id }) => id))}>${t('selectAll')}</button>
    <span class="spring">
    ${
      isArchived
        ? nothing
        : press(isUnopened ? 'markRead' : 'markUnread', isUnopened ? 'check' : 'dotted', () =>
            act.change(chosen, { unopened: !isUnopened }, ''),
          )
    }
    ${press(isArchived ? 'unarchive' : 'archive', isArchived ? 'unarchive' : 'archive', () => act.archive(chosen))}
    ${press('delete', 'trash', () => act.remove(chosen))}
    </span>
  </div>`
}

const KEYS: [keys: string[], word: string][] = [
  [['j', 'k', '↓', '↑'], 'key_move'],
  [['Home', 'End'], 'key_ends'],
  [['Enter'], 'openLink'],
  [['e'], 'archive'],
  [['h'], 'snooze'],
  [['u'], 'markUnread'],
  [['x'], 'select'],
  [['z'], 'undo'],
  [['Esc'], 'key_back'],
  [['?'], 'shortcuts'],
]

function help({ t, act }: ViewContext): TemplateResult {
  return html`<section class="sheet keys" aria-label=${t('shortcuts')}>
    ${heading(t('shortcuts'), t('dismiss'), () => act.help(false))}
    <dl>
      ${KEYS.map(
        ([keys, word]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${t(word)}</dd></div>`,
      )}
    </dl>
  </section>`
}

/** A picture for the moment when there is nothing: a bell at rest. */
const restingBell: TemplateResult = html`<svg class="resting" viewBox="0 0 120 96" aria-hidden="true">
  <ellipse class="ground" cx="60" cy="86" rx="34" ry="4" />
  <circle class="halo" cx="60" cy="44" r="38" />
  <path class="body" d="M60 18a18 18 0 0 0-18 18c0 19-7 24-9 26-1 1.4 0 3 1.7 3h50.6c1.7 0 2.7-1.6 1.7-3-2-2-9-7-9-26a18 18 0 0 0-18-18z" />
  <path class="shine" d="M50 30a12 12 0 0 0-3 9c0 6-.7 10-2 14" />
  <path class="clapper" d="M53 69a7 7 0 0 0 14 0z" />
  <path class="zed" d="M88 24h9l-9 11h9M101 10h6l-6 7.5h6" />
</svg>`

const rareStyles = createSheet(`
.sheet, .bulk { position: relative; z-index: 1; background: var(--_surface) }
.sheet { flex: none; max-height: 70%; overflow-y: auto; padding: 8px 10px; border-block-start: 1px solid var(--_line); display: grid; grid-template-columns: minmax(0, 1fr) }
.choice { all: unset; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 12px; padding: 9px 12px; border-radius: 10px; font-size: .964em; font-weight: 540; cursor: pointer }
button.choice:hover { background: var(--_raised) }
form.choice { align-items: end; cursor: default }
.choice label { display: grid; gap: 4px; flex: 999 1 17em; min-width: 0 }
.choice :is(input, .button) { min-height: 36px }
.choice .button { flex: 1; justify-content: center; white-space: nowrap }
.choice input { min-width: 0; font: inherit; font-weight: 400; font-size: min(1em, 5.2vw); color: inherit; background: var(--_surface); border: 1px solid color-mix(in srgb, var(--_muted) 75%, var(--_surface)); border-radius: 9px; padding: 5px 8px; color-scheme: inherit }
@media (any-pointer: coarse) { .choice input { font-size: clamp(16px, 1em, 5.2vw) } }
.bulk { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 2px; padding: 8px 10px; border-block-start: 1px solid var(--_line); font-size: .929em }
.row:has(:checked) { background: var(--_raised) }
.bulk .chosen { white-space: nowrap; font-weight: 600; font-variant-numeric: tabular-nums }
.bulk .link { margin-inline-start: 6px; color: var(--_accent) }
.sheet-title { display: flex; justify-content: space-between; align-items: center; margin-block: 4px; margin-inline: 12px 2px; font-size: 1.071em; font-weight: 650 }
.keys dl { margin: 0; padding: 0 12px 10px }
.keys dl > div { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; padding: 5px 0 }
.keys dt { order: 2; display: flex; gap: 4px; direction: ltr }
.keys dd { margin: 0; color: var(--_muted); font-size: .964em }
.keys kbd { min-width: 22px; padding: 2px 6px; border: 1px solid var(--_line); border-radius: 6px; background: var(--_raised); font: .857em/1.4 ui-monospace, Menlo, Consolas, monospace; text-align: center }
.resting .halo { fill: color-mix(in srgb, var(--_accent) 9%, transparent) }
.resting .ground { fill: color-mix(in srgb, var(--_text) 8%, transparent) }
.resting .body { fill: color-mix(in srgb, var(--_accent) 26%, var(--_surface)); stroke: var(--_accent); stroke-width: 2.5 }
.resting .shine { fill: none; stroke: var(--_surface); stroke-width: 3; stroke-linecap: round }
.resting .clapper { fill: var(--_accent) }
.resting .zed { fill: none; stroke: var(--_muted); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
`)
