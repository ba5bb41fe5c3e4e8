// Asks how all of a filter is sent again: first its number, then whether, at which pace.

import { html, type TemplateResult } from 'lit'
import { AGAIN_PACE, UNSENT_STATUSES, type UnsentStatus } from '../../../contract/again.ts'
import type { AgainJobAnswer, AgainJobInput } from '../../../contract/resources/again-job.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { formatCount, formatSpan } from '../../lib/format.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import type { AppContext } from '../../shell/context.ts'
import { isUnsent, versionField, versionOf } from './again-questions.ts'

const STATUS_WORDS: Readonly<Record<UnsentStatus, string>> = {
  failed: 'Failed',
  skipped: 'Held back',
  cancelled: 'Cancelled',
  bounced: 'Bounced',
}
export type ShownFilters = Readonly<Record<string, string | undefined>>

const NO_RUNS = 'Only runs that failed or were cancelled run again: send each of these messages alone.'
const MINUTE_MS = 60_000

type Ask = (question: Question) => void
type Told = Pick<AppContext, 'api' | 'notify'>

export const countOf = (kind: AgainJobInput['kind'], count: number): string => {
  const noun = kind === 'events' ? 'event' : 'message'
  const counted = count === 1 ? `1 ${noun}` : `${formatCount(count)} ${noun}s`
  return kind === 'runs' ? `the runs of ${counted}` : counted
}

/** @param filters Those of the history, as its address has them. */
export function askToSendAll(
  { api, notify }: Told,
  filters: ShownFilters,
  ask: Ask,
  begun: (job: AgainJobAnswer) => void,
): void {
  askTwice({ api, notify }, ask, begun, {
    title: 'Send again what this filter lists',
    text: html`<p>All filters of the list hold. Tests are left out.</p>`,
    fields: html`${statusField(filters.status)} ${kindField} ${versionField(undefined)}`,
    toRequest(form) {
      const status = String(form.get('status'))
      const kind = form.get('kind') === 'runs' ? 'runs' : 'messages'
      if (kind === 'runs' && status !== 'failed' && status !== 'cancelled') throw new InvalidInput(NO_RUNS)
      // A run that was cancelled has no failed step.
      const from = status === 'cancelled' ? 'start' : 'failed-step'
      return { kind, filter: { ...filters, status }, version: versionOf(form), from } as AgainJobInput
    },
  })
}

/** @param filters Those of the list of events. */
export function askToRunAllEvents(
  { api, notify }: Told,
  filters: ShownFilters,
  ask: Ask,
  begun: (job: AgainJobAnswer) => void,
): void {
  askTwice({ api, notify }, ask, begun, {
    title: 'Run again the events that this filter lists',
    text: html`<p>Each becomes a new event, which begins the campaigns of now: also what it has sent already is sent.</p>`,
    fields: html``,
    toRequest: () => ({ kind: 'events', filter: filters }),
  })
}

interface Asked {
  title: string
  text: TemplateResult
  fields: TemplateResult
  toRequest(form: FormData): AgainJobInput
}

function askTwice({ api, notify }: Told, ask: Ask, begun: (job: AgainJobAnswer) => void, asked: Asked): void {
  let counted: { request: AgainJobInput; count: number } | undefined
  ask({
    title: asked.title,
    text: asked.text,
    fields: html`${asked.fields} ${paceField}`,
    button: 'Count them',
    async run(form) {
      const request = { ...asked.toRequest(form), pace: Number(form.get('pace')) }
      counted = { request, count: (await api.beginAgain({ ...request, dryRun: true })).count }
    },
    afterwards() {
      if (counted === undefined) return
      const { request, count } = counted
      if (count === 0) return notify('Nothing of this filter can be sent again.')
      ask(
        confirmAll(request, count, async () => {
          const { job } = await api.beginAgain(request)
          if (job !== null) begun(job)
        }),
      )
    },
  })
}

function confirmAll(request: AgainJobInput, count: number, run: () => Promise<void>): Question {
  const pace = request.pace ?? AGAIN_PACE.usual
  const lasts = formatSpan((count / pace) * MINUTE_MS)
  const verb = request.kind === 'messages' ? 'Send' : 'Run'
  return {
    title: `${verb} ${countOf(request.kind, count)} again`,
    text: html`<p>
      At ${formatCount(pace)} a minute this takes about ${lasts}. It goes on without this page, and can be stopped. Each is
      ${request.kind === 'messages' ? 'sent' : 'run'} once, also when the server restarts meanwhile.
    </p>`,
    button: `${verb} again`,
    run,
  }
}

function statusField(status: string | undefined): TemplateResult {
  const chosen = status !== undefined && isUnsent(status) ? status : 'failed'
  return html`<div class="field">
    <label for="again-status">Which</label>
    <select id="again-status" name="status" class="select">
      ${UNSENT_STATUSES.map((one) => html`<option value=${one} ?selected=${one === chosen}>${STATUS_WORDS[one]}</option>`)}
    </select>
  </div>`
}

const kindField = html`<div class="field">
  <label for="again-kind">What</label>
  <select id="again-kind" name="kind" class="select">
    <option value="messages">Each message alone</option>
    <option value="runs">Their runs, from where they failed</option>
  </select>
</div>`

const paceField = html`<div class="field">
  <label for="again-pace">How many a minute</label>
  <input id="again-pace" name="pace" class="input" type="number" required min=${AGAIN_PACE.least} max=${AGAIN_PACE.most} .value=${String(AGAIN_PACE.usual)} />
</div>`
