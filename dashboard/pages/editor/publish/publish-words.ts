// Says what the dialog of publishing asks, by what the person may do in the environment.

import { html, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { MailWarning } from '../../../../contract/resources/mail.ts'
import { isSame } from '../../../editor/merge.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { textField } from '../../../elements/fields.ts'
import { askerOf, endingWords } from '../../../lib/ending-request.ts'
import { type PublishRight, publishersOf } from '../../../lib/publish-right.ts'
import type { AppContext } from '../../../shell/context.ts'

export interface PublishWords {
  title: string
  text: TemplateResult | string
  /** Undefined: the dialog shows what would change, and does nothing. */
  button: string | undefined
}

/** The version to which a campaign rolls back. */
export interface FormerVersion {
  version: number
  definition: Draft
}

/** @param former Undefined: the draft is published. */
export function publishWords(
  { environment, me }: Pick<AppContext, 'environment' | 'me'>,
  campaign: CampaignAnswer,
  right: PublishRight,
  former: FormerVersion | undefined,
): PublishWords {
  const { name, currentVersion, pendingPublish } = campaign
  const back = former?.version
  const number = (currentVersion ?? 0) + 1
  const ending = endingWords([askerOf(campaign)], me.person.email)
  const ended = ending === '' ? '' : html`<p>${ending}</p>`
  const replaced = 'What the draft has now is replaced.'
  if (right === 'none') {
    const text = html`<p>Publishing in <strong>${environment.name}</strong> needs ${publishersOf(environment)}: ask one of them. The draft is saved for them.</p>`
    return { title: `“${name}” would be version ${number}`, text, button: undefined }
  }
  if (right === 'publish') {
    if (back === undefined) return { title: `Publish “${name}” as version ${number}`, text: ended, button: 'Publish' }
    const text = html`<p>The draft becomes what version ${back} is, and is published as version ${number}. ${replaced}</p>${ended}`
    return { title: `Roll “${name}” back to version ${back}`, text, button: 'Roll back' }
  }
  const isSameDraft = former === undefined || isSame(former.definition, campaign.draft)
  if (isSameDraft && pendingPublish?.state === 'waiting') {
    const text = html`<p>${pendingPublish.askedBy} asked for it. Another person approves what is published in <strong>${environment.name}</strong>.</p>`
    return { title: `“${name}” waits for approval`, text, button: undefined }
  }
  const rest = html`Another person approves what is published in <strong>${environment.name}</strong>. Nothing changes for users until then.`
  if (back === undefined)
    return { title: `Ask to publish “${name}” as version ${number}`, text: html`<p>${rest}</p>`, button: ASK }
  const text = html`<p>The draft becomes what version ${back} is, at once. ${replaced}</p>${ended}<p>${rest}</p>`
  return { title: `Ask to roll “${name}” back to version ${back}`, text, button: ASK }
}

const ASK = 'Ask for approval'

export const NOTE = textField('publish', {
  name: 'note',
  label: 'Note',
  maxLength: 500,
  hint: 'Why, for whoever reads the versions. It may be empty.',
})

export const REASON = textField('decline', {
  name: 'reason',
  label: 'Reason',
  maxLength: 500,
  required: true,
  hint: 'Whoever asked reads it beside the campaign.',
})

export function publishedWords({
  name,
  currentVersion,
  pendingPublish,
  warnings = [],
}: CampaignAnswer & { warnings?: MailWarning[] }): string {
  const [first, ...others] = warnings
  const words =
    pendingPublish === undefined
      ? `“${name}” is published as version ${currentVersion}.`
      : `“${name}” waits for the approval of another person.`
  if (first === undefined) return words
  return `${words} ${first.message}${others.length === 0 ? '' : ` And ${others.length} more warnings.`}`
}
