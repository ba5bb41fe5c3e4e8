// Asks for each change of a campaign: pause, resume, archive, and a test to one user. Publishing asks by itself.

import { html, nothing } from 'lit'
import type { JsonObject } from '../../../contract/json.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import type { CampaignAction } from '../../api/environment.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { askerOf, endingWords } from '../../lib/ending-request.ts'
import { toWords } from '../../lib/format.ts'
import { parseJsonObject } from '../../lib/json-object.ts'

/** The actions that a campaign in this state can take, in the order of their buttons. */
export function actionsOf(campaign: CampaignAnswer, hasChanges: boolean): ('publish' | CampaignAction)[] {
  const { status, currentVersion, pendingPublish } = campaign
  if (status === 'archived') return []
  const isNew = currentVersion === null
  // What waits for approval has buttons of its own.
  const isAsked = pendingPublish?.state === 'waiting'
  return [
    ...((isNew || hasChanges) && !isAsked ? (['publish'] as const) : []),
    ...(status === 'active' ? (['pause'] as const) : []),
    ...(status === 'paused' ? (['resume'] as const) : []),
    'archive',
  ]
}

export const ACTION_ICONS: Record<'publish' | CampaignAction, string> = {
  publish: 'upload',
  pause: 'pause',
  resume: 'play',
  archive: 'archive',
}

const TEXTS: Record<CampaignAction, string> = {
  pause: 'Events start no run until you resume. Waiting runs keep their time, and nothing is sent.',
  resume:
    'Events start runs again. Steps that fell due meanwhile run once; those that are later than the campaign allows are cancelled.',
  archive: 'No event starts a run any more, and waiting runs are cancelled. This cannot be undone.',
}

/** @param me The own address. @param run Does it, with the query of the call. */
export function questionOf(
  action: CampaignAction,
  campaign: CampaignAnswer,
  me: string,
  run: (query: Readonly<Record<string, string>>) => Promise<void>,
): Question {
  const { key, name } = campaign
  const isArchive = action === 'archive'
  const ending = isArchive ? endingWords([askerOf(campaign)], me) : ''
  return {
    title: `${toWords(action)} “${name}”`,
    text: html`<p>${TEXTS[action]}</p>${ending === '' ? nothing : html`<p>${ending}</p>`}`,
    button: toWords(action),
    isDangerous: isArchive,
    ...(isArchive && {
      typed: key,
      fields: html`<label class="check">
        <input type="checkbox" name="drain" value="true" /> Let waiting runs finish instead of cancelling them
      </label>`,
    }),
    run: (form) => run(form.get('drain') === 'true' ? { drain: 'true' } : {}),
  }
}

/** What the fields of a test begin with; `properties` is JSON. */
export interface TestSample {
  userId: string
  properties: string
}

/** @param run Sends the test. */
export function testQuestion(
  { name }: CampaignAnswer,
  run: (test: { userId: string; event?: { properties: JsonObject } }) => Promise<void>,
  { userId, properties }: TestSample = { userId: '', properties: '{}' },
): Question {
  return {
    title: `Test “${name}”`,
    text: html`<p>Sends the draft to one user. The message is marked as a test, and counts nowhere.</p>`,
    fields: html`<div class="field">
        <label for="test-user">User ID</label>
        <input id="test-user" name="userId" class="input" required autocomplete="off" spellcheck="false" autofocus .value=${userId} />
      </div>
      <div class="field">
        <label for="test-properties">Properties of the event, as JSON</label>
        <textarea id="test-properties" name="properties" class="input mono" rows="5" spellcheck="false" .value=${properties}></textarea>
      </div>`,
    button: 'Send the test',
    async run(form) {
      const properties = parseProperties(String(form.get('properties') ?? ''))
      await run({ userId: String(form.get('userId') ?? '').trim(), event: { properties } })
    },
  }
}

const NO_OBJECT = 'The properties are no JSON object, such as {"orderId": "A-1"}.'

/** @throws InvalidInput unless the text is a JSON object. */
export const parseProperties = (text: string): JsonObject => parseJsonObject(text, NO_OBJECT)
