// Renders the open invitations of an organisation, each with what became of its mail.

import { html, nothing, type TemplateResult } from 'lit'
import type { InvitationAnswer } from '../../../contract/resources/member.ts'
import { badge } from '../../elements/badge.ts'
import { age } from '../../elements/bits.ts'
import { toWords } from '../../lib/format.ts'

export interface InvitationActions {
  /** @returns Whether a mail can be sent again to it. */
  maySend(invitation: InvitationAnswer): boolean
  send(invitation: InvitationAnswer): void
  revoke(invitation: InvitationAnswer): void
}

export function invitationTable(invitations: readonly InvitationAnswer[], actions: InvitationActions): TemplateResult {
  return html`<h2 class="section">Open invitations</h2>
    <div class="table-box">
      <table class="table people-table">
        <thead>
          <tr><th scope="col">Address</th><th scope="col">Role</th><th scope="col" class="wide-only">Until</th><th scope="col"><span class="sr">Actions</span></th></tr>
        </thead>
        <tbody>
          ${invitations.map((invitation) => row(invitation, actions))}
        </tbody>
      </table>
    </div>`
}

function row(invitation: InvitationAnswer, actions: InvitationActions): TemplateResult {
  const { email, role, expiresAt } = invitation
  return html`<tr>
    <th scope="row">${email}${mailState(invitation, actions)}</th>
    <td>${toWords(role)}</td>
    <td class="wide-only">${age(expiresAt)}</td>
    <td class="row-actions">
      <wa-button size="s" appearance="plain" variant="danger" @click=${() => actions.revoke(invitation)}>Revoke</wa-button>
    </td>
  </tr>`
}

const WORDS = {
  sending: 'mail is being sent',
  sent: 'mail sent',
  failed: 'mail not sent',
  unknown: 'mail perhaps sent',
}
const TONES = { sending: 'info', sent: 'good', failed: 'bad', unknown: 'warn' } as const

function mailState(invitation: InvitationAnswer, { maySend, send }: InvitationActions): TemplateResult {
  const { state, error } = invitation.mail ?? {}
  const again = html`<button type="button" class="link-button" @click=${() => send(invitation)}>Send ${state === undefined ? 'a mail' : 'again'}</button>`
  return html`<span class="row-note">
      ${state === undefined ? nothing : badge(WORDS[state], TONES[state])} ${maySend(invitation) ? again : nothing}
    </span>
    ${error == null ? nothing : html`<span class="row-note">${error}</span>`}`
}
