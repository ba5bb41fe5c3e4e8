// Asks for a time whose deliveries run again, says how many they are, and shows how far the run is.

import { html, nothing, type TemplateResult } from 'lit'
import { AGAIN_PACE } from '../../../contract/again.ts'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import type {
  DeliveryRangeInput,
  SourceDeliveryAnswer,
  SourceRunAnswer,
} from '../../../contract/resources/source-delivery.ts'
import { badge, type Tone } from '../../elements/badge.ts'
import { age } from '../../elements/bits.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { formatCount } from '../../lib/format.ts'
import { toInstant, toLocal } from '../../lib/instant.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import type { AppContext } from '../../shell/context.ts'

const OUTCOMES: readonly SourceDeliveryAnswer['outcome'][] = [
  'dropped',
  'refused',
  'unreadable',
  'accepted',
  'duplicate',
]
const KEPT_DAYS = 7
/** The characters of a local time to the minute. */
const MINUTES = 16
const TONES: Readonly<Record<SourceRunAnswer['state'], Tone>> = {
  running: 'info',
  stopped: 'quiet',
  done: 'good',
  failed: 'bad',
}

type Ask = (question: Question) => void
const countOf = (count: number): string => (count === 1 ? '1 delivery' : `${formatCount(count)} deliveries`)

/** Asks twice: for the time, and then with the number of its deliveries. */
export function askToRun(context: AppContext, source: SourceAnswer, ask: Ask, begun: () => void): void {
  const { sources, notify } = context
  let counted: { range: DeliveryRangeInput; count: number } | undefined
  ask({
    title: 'Run deliveries again',
    text: html`<p>Bodies are kept for ${KEPT_DAYS} days. They run with the mappings of now.</p>`,
    fields: fieldsOf(),
    button: 'Count them',
    async run(form) {
      const range = readRange(form)
      counted = { range, count: (await sources.run(source.id, { ...range, dryRun: true })).accepted }
    },
    afterwards() {
      if (counted === undefined) return
      const { range, count } = counted
      if (count === 0) return notify('No delivery of this time is kept.')
      ask({
        title: `Run ${countOf(count)} again`,
        text: html`<p>
          Each becomes an event with the mappings of now, and campaigns send what it triggers. What these mappings have run
          already gives no second event. It goes on without this page.
        </p>`,
        button: 'Run again',
        async run() {
          await sources.run(source.id, range)
          begun()
        },
      })
    },
  })
}

/** How far the last run is. @param stop Absent for those who may not. */
export function runView(run: SourceRunAnswer | null, stop?: () => void): TemplateResult | typeof nothing {
  if (run === null) return nothing
  const { state, deliveries, done, accepted, refused, startedAt } = run
  const results = [`${formatCount(accepted)} new ${accepted === 1 ? 'event' : 'events'}`]
  if (refused > 0) results.push(`${formatCount(refused)} refused`)
  return html`<div class="run-state" role="status">
    <span class="badges">${badge(`run-${state}`, TONES[state])} ${age(startedAt)}</span>
    <span>${formatCount(done)} of ${countOf(deliveries)}: ${results.join(', ')}</span>
    ${
      state === 'running'
        ? html`<progress aria-label="Deliveries that were run" max=${Math.max(1, deliveries)} .value=${done}></progress>`
        : nothing
    }
    ${state === 'running' && stop !== undefined ? html`<wa-button size="s" appearance="outlined" @click=${stop}>Stop</wa-button>` : nothing}
    ${state === 'failed' ? html`<span class="row-note">It was given up. It goes on when it is run again from the list of what was given up.</span>` : nothing}
  </div>`
}

function fieldsOf(): TemplateResult {
  const now = new Date()
  const first = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000)
  const timeField = (name: string, label: string, value: Date) =>
    html`<div class="field">
      <label for=${`run-${name}`}>${label}</label>
      <input id=${`run-${name}`} name=${name} class="input" type="datetime-local" required .value=${toLocal(value.toISOString()).slice(0, MINUTES)} />
    </div>`
  return html`${timeField('from', 'From', first)} ${timeField('to', 'To', new Date(now.getTime() + 60_000))}
    <div class="field">
      <label for="run-outcome">Outcome</label>
      <select id="run-outcome" name="outcome" class="select">
        <option value="">All</option>
        ${OUTCOMES.map((outcome) => html`<option value=${outcome}>${outcome}</option>`)}
      </select>
    </div>
    <div class="field">
      <label for="run-pace">How many a minute (optional)</label>
      <input id="run-pace" name="pace" class="input" type="number" min=${AGAIN_PACE.least} max=${AGAIN_PACE.most} />
    </div>`
}

function readRange(form: FormData): DeliveryRangeInput {
  const [from, to] = ['from', 'to'].map((name) => toInstant(String(form.get(name))))
  if (from === undefined || to === undefined) throw new InvalidInput('Give both times.')
  const outcome = OUTCOMES.find((one) => one === form.get('outcome'))
  const pace = Number(form.get('pace'))
  return { from, to, ...(outcome && { outcome }), ...(pace > 0 && { pace }) }
}
