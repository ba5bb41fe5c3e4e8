// Asks before one message, event or run is sent or run again, and says what became of it.

import { html, nothing, type TemplateResult } from 'lit'
import { type AgainFrom, type AgainVersion, UNSENT_STATUSES, type UnsentStatus } from '../../../contract/again.ts'
import type { AgainAnswer } from '../../../contract/resources/again.ts'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { RunSummaryAnswer } from '../../../contract/resources/run.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { newKey } from '../../lib/new-key.ts'
import { keepOwnUser, ownUser } from '../../lib/own-user.ts'
import { reasonName } from '../../lib/reasons.ts'
import type { AppContext } from '../../shell/context.ts'

export const isUnsent = (status: string): status is UnsentStatus => UNSENT_STATUSES.some((one) => one === status)

type Told = Pick<AppContext, 'api' | 'environment' | 'link' | 'notify' | 'router'>

/** The version that is used: that of now first. */
export function versionField(then: number | undefined): TemplateResult {
  return html`<div class="field">
    <label for="again-version">Version</label>
    <select id="again-version" name="version" class="select">
      <option value="now">The published one</option>
      <option value="then">${then === undefined ? 'That of then' : `Version ${then}, as then`}</option>
    </select>
  </div>`
}

export const versionOf = (form: FormData): AgainVersion => (form.get('version') === 'then' ? 'then' : 'now')

export function sendAgainQuestion(
  context: Told,
  { messageId, userId, version }: Pick<DeliveryRecordAnswer, 'messageId' | 'userId' | 'version'>,
): Question {
  // One press is one message, also where the answer is lost and it is pressed again.
  const idempotencyKey = newKey()
  let answer: AgainAnswer | undefined
  return {
    title: 'Send this message again',
    text: html`<p>
      A new message to ${userId} is made from the stored event. A suppression or preference that still holds it back does so
      again.
    </p>`,
    fields: versionField(version),
    button: 'Send again',
    async run(form) {
      answer = await context.api.sendAgain(messageId, { version: versionOf(form), idempotencyKey })
    },
    afterwards: () => tell(context, answer, 'The message is sent again.'),
  }
}

export function runAgainQuestion(
  context: Told,
  { runId, version, state }: Pick<RunSummaryAnswer, 'runId' | 'version' | 'state'>,
): Question {
  const idempotencyKey = newKey()
  let answer: AgainAnswer | undefined
  return {
    title: 'Run this again',
    text: html`<p>
      From its failed step it goes on with the answers that its enrichers give now; what was sent before is not sent again. From
      the start, all of it is.
    </p>`,
    fields: html`<div class="field">
        <label for="again-from">From</label>
        <select id="again-from" name="from" class="select">
          ${state === 'failed' ? html`<option value="failed-step">The failed step</option>` : nothing}
          <option value="start">The start</option>
        </select>
      </div>
      ${versionField(version)}`,
    button: 'Run again',
    async run(form) {
      const from: AgainFrom = form.get('from') === 'start' ? 'start' : 'failed-step'
      answer = await context.api.runAgain(runId, { from, version: versionOf(form), idempotencyKey })
    },
    afterwards: () => tell(context, answer, 'The run goes on.'),
  }
}

export function eventAgainQuestion(context: Told, { eventId, name }: { eventId: string; name: string }): Question {
  const idempotencyKey = newKey()
  let made = ''
  return {
    title: 'Run this event again',
    text: html`<p>
      A new <code>${name}</code> with the same data begins the campaigns of now, and they send what it triggers: also what
      this one has sent already.
    </p>`,
    button: 'Run again',
    async run() {
      made = (await context.api.runEventAgain(eventId, { idempotencyKey })).eventId
    },
    afterwards() {
      context.notify('The event runs again.')
      context.router.go(context.link('event', made))
    },
  }
}

/** The user is remembered in this browser. */
export function sendToMeQuestion(
  context: Told,
  { messageId, version }: Pick<DeliveryRecordAnswer, 'messageId' | 'version'>,
): Question {
  let answer: AgainAnswer | undefined
  const { environment } = context
  return {
    title: 'Send this message to me',
    text: html`<p>It is made from the same event with your profile, marked as a test, and counts nowhere.</p>`,
    fields: html`<div class="field">
        <label for="again-user">Your user ID</label>
        <input id="again-user" name="userId" class="input" required autocomplete="off" spellcheck="false" autofocus .value=${ownUser(environment.id) ?? ''} />
        <p class="hint">This browser remembers it. A mail goes to the address of this user.</p>
      </div>
      ${versionField(version)}`,
    button: 'Send to me',
    async run(form) {
      const userId = String(form.get('userId') ?? '').trim()
      answer = await context.api.sendToMe(messageId, { userId, version: versionOf(form) })
      keepOwnUser(environment.id, userId)
    },
    afterwards: () => tell(context, answer, 'The test is sent.'),
  }
}

/** Says what became of it, and shows its message. */
function tell({ notify, router, link }: Told, answer: AgainAnswer | undefined, sent: string): void {
  const [message] = answer?.messages ?? []
  notify(outcomeOf(answer, sent))
  if (message !== undefined) router.go(link('inbox', '', { messageId: message.messageId, message: message.messageId }))
}

/** @returns One sentence. */
export function outcomeOf(answer: AgainAnswer | undefined, sent: string): string {
  const held = answer?.messages.find(({ status }) => isUnsent(status))
  if (held !== undefined) {
    const why = held.statusReason === null ? '' : `: ${reasonName(held.statusReason)}`
    return `${held.status === 'failed' ? 'It failed again' : 'It is held back again'}${why}.`
  }
  if (answer?.state === 'failed')
    return `It failed again${answer.stateReason === null ? '' : `: ${reasonName(answer.stateReason)}`}.`
  return answer?.state === 'waiting' ? 'It runs, and goes on by itself.' : sent
}
