// Shows what a person asked to publish, and lets others approve or decline it; or why nobody can any more.

import { html, nothing, type TemplateResult } from 'lit'
import { callerName } from '../../../../contract/caller-name.ts'
import type { CampaignAnswer, PendingPublish } from '../../../../contract/resources/campaign.ts'
import { age } from '../../../elements/bits.ts'
import { icon } from '../../../elements/icon.ts'
import { publishersOf, publishRightOf, type RequestRights, requestRightsOf } from '../../../lib/publish-right.ts'
import type { AppContext } from '../../../shell/context.ts'

export interface PendingActions {
  approve(): void
  decline(): void
  withdraw(): void
}

/** @returns nothing for a campaign without a request */
export function pendingView(
  context: AppContext,
  { pendingPublish: pending }: Pick<CampaignAnswer, 'pendingPublish'>,
  actions: PendingActions,
): TemplateResult | typeof nothing {
  if (pending === undefined) return nothing
  const rights = requestRightsOf(context, pending)
  return html`<section class="pending" aria-label="Approval" data-state=${pending.state}>
    <div class="pending-text">
      ${icon(pending.state === 'waiting' ? 'hourglass' : 'info')}
      <div>
        ${wordsOf(context, pending, rights)}
        ${pending.state === 'waiting' ? html`<p class="hint">${nextOf(context, rights)}</p>` : nothing}
      </div>
    </div>
    ${buttonsOf(pending, rights, actions)}
  </section>`
}

function wordsOf({ environment }: AppContext, pending: PendingPublish, { isOwn }: RequestRights): TemplateResult {
  const { state, askedBy, askedAt, note, endedBy, endedAt, reason } = pending
  const asker = isOwn ? 'you' : askedBy
  const ended = endedAt === null ? nothing : html`<span class="row-note">${age(endedAt)}</span>`
  if (state === 'waiting')
    return html`<p><strong>${isOwn ? 'You ask' : `${askedBy} asks`} to publish this draft in ${environment.name}.</strong> <span class="row-note">${age(askedAt)}</span></p>
      ${note === null ? nothing : html`<p>“${note}”</p>`}`
  if (state === 'changed' && reason !== null)
    return html`<p><strong>${asker} asked to publish a draft whose texts ${endedBy === null ? 'have changed' : `${callerName(endedBy)} has changed`} since.</strong> ${ended}</p>
      <p class="hint">${reason} The request is void. Ask again for the draft with its texts as they are now.</p>`
  if (state === 'changed')
    return html`<p><strong>${callerName(endedBy)} has changed the draft that ${asker} asked to publish.</strong> ${ended}</p>
      <p class="hint">The request is void. Ask again for the draft as it is now.</p>`
  return html`<p><strong>${callerName(endedBy)} has declined what ${asker} asked to publish in ${environment.name}.</strong> ${ended}</p>
    ${reason === null ? nothing : html`<p>“${reason}”</p>`}`
}

function nextOf({ environment, may }: AppContext, { isOwn, mayAnswer }: RequestRights): string {
  const rest =
    'Nothing changes for users until then. A change of the draft, or of snippets and translations that it uses, makes the request void.'
  if (mayAnswer) return `Look at what would change, then approve or decline it. ${rest}`
  const role = publishersOf(environment)
  if (isOwn) return `Another person approves it: ${role}. ${rest}`
  return may('editor')
    ? `It is approved by ${role}. ${rest}`
    : `It is approved by ${role}: your role may look, and not answer.`
}

function buttonsOf(
  { state }: PendingPublish,
  { mayAnswer, mayWithdraw }: RequestRights,
  { approve, decline, withdraw }: PendingActions,
): TemplateResult | typeof nothing {
  if (!mayAnswer && !mayWithdraw) return nothing
  const button = (label: string, run: () => void, isFirst = false) =>
    html`<wa-button size="s" appearance=${isFirst ? 'accent' : 'outlined'} variant=${isFirst ? 'brand' : 'neutral'} @click=${run}>${label}</wa-button>`
  return html`<div class="pending-buttons">
    ${mayAnswer ? html`${button('Approve', approve, true)} ${button('Decline', decline)}` : nothing}
    ${mayWithdraw ? button(state === 'waiting' ? 'Withdraw' : 'Remove this note', withdraw) : nothing}
  </div>`
}

/** @returns the label of the button that opens the dialog of publishing */
export function publishLabel(context: AppContext, { pendingPublish }: CampaignAnswer): string {
  if (pendingPublish?.state === 'waiting') return 'Waits for approval'
  return publishRightOf(context) === 'ask' ? 'Ask to publish' : 'Publish'
}
