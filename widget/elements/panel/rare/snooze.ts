// <nc-snooze>: offers times to snooze a message to.

import { html, type PropertyValues, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../../contract/api.ts'
import { Sheet } from './sheet.ts'

const EVENING_HOUR = 18
const MORNING_HOUR = 9
const HOUR_MS = 3_600_000

/** Fires `choose` with the chosen time. */
export class NcSnooze extends Sheet {
  static override readonly properties = {
    ...Sheet.properties,
    message: { attribute: false },
    now: { attribute: false },
    locale: { attribute: false },
  }

  declare message: InboxMessage
  /** The service's time, epoch ms. */
  declare now: number
  declare locale: string
  protected override readonly name = 'snooze'
  protected override readonly look = 'snooze'

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed)
    // The sheet takes room from the list.
    const root = this.getRootNode() as ShadowRoot
    root.querySelector('.row.snoozing')?.scrollIntoView({ block: 'nearest' })
  }

  protected override content(): TemplateResult {
    const { t, message, now, locale } = this
    const choices = choicesAt(now)
    const write = createTimeFormat(locale, now)
    return html`<p class="snoozed-title" dir="auto">${message.title}</p>
      ${choices.map(
        ([key, at]) =>
          html`<button type="button" class="choice" @click=${() => this.#choose(at)}>
            <span>${t(key)}</span><span class="time">${write(at)}</span>
          </button>`,
      )}
      <form class="choice" @submit=${this.#submit}>
        <label
          >${t('snoozeTime')}
          <input
            type="datetime-local"
            name="until"
            required
            .value=${localTime(choices.at(-2)?.[1])}
            min=${localTime(new Date(now))}
        /></label>
        <button type="submit" class="button primary">${t('snooze')}</button>
      </form>`
  }

  #choose(at: Date): void {
    this.dispatchEvent(new CustomEvent('choose', { detail: at }))
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('until') as HTMLInputElement
    const at = new Date(field.value)
    if (at.getTime() > this.now) this.#choose(at)
    else field.focus()
  }
}

function choicesAt(now: number): [key: string, at: Date][] {
  const evening = atHour(now, 0, EVENING_HOUR)
  return [
    ['snoozeHour', new Date(now + HOUR_MS)],
    ...(evening.getTime() - now > 2 * HOUR_MS ? [['snoozeEvening', evening] as [string, Date]] : []),
    ['snoozeTomorrow', atHour(now, 1, MORNING_HOUR)],
    ['snoozeWeek', atHour(now, 7, MORNING_HOUR)],
  ]
}

function atHour(now: number, days: number, hour: number): Date {
  const day = new Date(now)
  day.setDate(day.getDate() + days)
  day.setHours(hour, 0, 0, 0)
  return day
}

/** Writes the time, and the day unless it is today. */
function createTimeFormat(locale: string, now: number): (at: Date) => string {
  const time = { hour: 'numeric', minute: '2-digit' } as const
  const today = new Intl.DateTimeFormat(locale, time)
  const otherDay = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', ...time })
  return (at) => (at.toDateString() === new Date(now).toDateString() ? today : otherDay).format(at)
}

/** The local time without a zone, as `datetime-local` takes it. */
function localTime(at: Date | undefined): string {
  if (at === undefined) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
