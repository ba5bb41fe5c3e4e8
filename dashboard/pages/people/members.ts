// <nc-members>: the members of the organisation with their roles, and its open invitations.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { InvitationAnswer, InvitationPage, MemberAnswer } from '../../../contract/resources/member.ts'
import { includesRole, type Role } from '../../../contract/role.ts'
import { tag } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import { ownPath } from '../../routing/prefix.ts'
import '../../elements/confirm-dialog.ts'
import { textOf } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView, messageOf } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { AppPage } from '../../shell/page-element.ts'
import { invitationTable } from './invitations.ts'
import { ROLE_WORDS, roleChoice, roleMenu, roleQuestion, rolesUpTo } from './roles.ts'

class NcMembers extends AppPage {
  readonly #members = new Loader<MemberAnswer[]>(this)
  readonly #invitations = new Loader<InvitationPage>(this)
  // While a mail is being sent, its invitation is read again.
  readonly #poller = new Poller(this, 1000, () => this.#loadInvitations(true))
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    const { people, org, may } = this.context
    void this.#members.load(async (signal) => (await people.allMembers(org.id, signal)).data, { quiet })
    this.#poller.isOn = false
    if (may('admin')) void this.#loadInvitations(quiet)
  }

  async #loadInvitations(quiet = false): Promise<Polled> {
    const { people, org } = this.context
    const polled = await this.#invitations.load((signal) => people.allInvitations(org.id, signal), { quiet })
    this.#poller.isOn = this.#invitations.value?.data.some(({ mail }) => mail?.state === 'sending') ?? false
    return polled
  }

  override render(): TemplateResult {
    const invite = html`<wa-button size="s" variant="brand" @click=${() => this.#invite()}>${icon('plus', 'start')}Invite a member</wa-button>`
    return html`<div class="page">
      ${pageHead('Members', `People who may work in ${this.context.org.name}.`, this.context.may('admin') ? invite : nothing)}
      ${this.#content()} ${this.#openInvitations()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(): TemplateResult {
    const members = this.#members.value
    if (this.#members.state === 'failed') return failureView(this.#members.error, () => this.#load())
    if (members === undefined) return loadingView(4)
    return html`<div class="table-box">
      <table class="table people-table">
        <thead>
          <tr><th scope="col">Member</th><th scope="col">Role</th><th scope="col" class="wide-only">Since</th><th scope="col"><span class="sr">Actions</span></th></tr>
        </thead>
        <tbody>
          ${members.map((member) => this.#row(member))}
        </tbody>
      </table>
    </div>`
  }

  #row(member: MemberAnswer): TemplateResult {
    const { me, org, may } = this.context
    const isSelf = member.id === me.person.id
    const mayChange = may('admin') && includesRole(org.role, member.role)
    return html`<tr>
      <th scope="row">${member.name || member.email} ${isSelf ? tag('You') : nothing}<span class="row-note">${member.email}</span></th>
      <td>${mayChange ? this.#roleMenu(member, isSelf) : toWords(member.role)}</td>
      <td class="wide-only">${age(member.createdAt)}</td>
      <td class="row-actions">
        ${
          isSelf || mayChange
            ? html`<wa-button size="s" appearance="plain" variant="danger" @click=${() => this.#remove(member, isSelf)}>${isSelf ? 'Leave' : 'Remove'}</wa-button>`
            : nothing
        }
      </td>
    </tr>`
  }

  #roleMenu(member: MemberAnswer, isSelf: boolean): TemplateResult {
    const { email, role } = member
    const choose = (to: Role) => this.#askRole(member, to, isSelf)
    return roleMenu({ email, role, roles: rolesUpTo(this.context.org.role), choose })
  }

  #askRole({ id, name, email, role: from }: MemberAnswer, to: Role, isSelf: boolean): void {
    const { people, org, notify } = this.context
    const change = async (role: Role) => {
      await people.changeRole(org.id, id, role)
      // The whole page is loaded again, because it keeps the own role.
      if (isSelf) return location.reload()
      this.#load(true)
    }
    const undo = async () => {
      await change(from)
      notify(`${name || email} has the role ${from} again.`)
    }
    const run = async () => {
      await change(to)
      if (!isSelf) notify(`${name || email} has the role ${to} now.`, undo)
    }
    this.#confirm.value?.ask(roleQuestion({ name, email, from, to, isSelf, run }))
  }

  #remove({ id, name, email }: MemberAnswer, isSelf: boolean): void {
    const { people, org, notify } = this.context
    this.#confirm.value?.ask({
      title: isSelf ? `Leave ${org.name}` : `Remove ${name || email}`,
      text: html`<p>${isSelf ? 'You lose your role here at once.' : 'The person loses the role here within a second.'}</p>`,
      button: isSelf ? 'Leave' : 'Remove',
      isDangerous: true,
      run: async () => {
        await people.removeMember(org.id, id)
        // The whole page is loaded again, because it keeps the organisations of the person.
        if (isSelf) return location.assign(ownPath('/dashboard'))
        notify(`${name || email} is removed.`)
        this.#load()
      },
    })
  }

  #invite(): void {
    const { org } = this.context
    this.#confirm.value?.ask({
      title: 'Invite a member',
      text: this.#invitations.value?.sendsMail
        ? html`<p>The person gets a mail with a link, which works once within seven days.</p>`
        : html`<p>The link works once within seven days. No mail is sent: it is in the log of a server on your own machine, else <code>nc member invite</code> prints it.</p>`,
      fields: html`<div class="field">
          <label for="invite-email">E-mail address</label>
          <input id="invite-email" name="email" type="email" class="input" required autocomplete="off" autofocus />
        </div>
        ${roleChoice(rolesUpTo(org.role))}`,
      button: 'Invite',
      run: async (form) => {
        const [email, role] = [textOf(form, 'email'), textOf(form, 'role') as Role]
        if (role === 'owner') this.#askOwner(email)
        else await this.#sendInvitation(email, role)
      },
    })
  }

  /** An owner may take the organisation: the address is typed a second time. */
  #askOwner(email: string): void {
    this.#confirm.value?.ask({
      title: `Invite ${email} as an owner`,
      text: html`<p>${ROLE_WORDS.owner}</p>`,
      typed: email,
      button: 'Invite an owner',
      isDangerous: true,
      run: () => this.#sendInvitation(email, 'owner'),
    })
  }

  async #sendInvitation(email: string, role: Role): Promise<void> {
    const { people, org, notify } = this.context
    const { linkInLog, mail } = await people.invite(org.id, email, role)
    const byHand = linkInLog ? 'The link is in the log.' : 'Print the link with nc member invite.'
    notify(`${email} is invited. ${mail === null ? byHand : 'The mail is on its way.'}`)
    this.#load(true)
  }

  #openInvitations(): TemplateResult | typeof nothing {
    const { data = [], sendsMail = false } = this.#invitations.value ?? {}
    if (this.#invitations.state === 'failed') return failureView(this.#invitations.error)
    if (data.length === 0) return nothing
    const { role } = this.context.org
    return invitationTable(data, {
      maySend: (one) => sendsMail && one.mail?.state !== 'sending' && includesRole(role, one.role),
      send: (invitation) => void this.#sendAgain(invitation),
      revoke: ({ id, email }) => this.#revoke(id, email),
    })
  }

  async #sendAgain({ email, role }: InvitationAnswer): Promise<void> {
    const { people, org, notify } = this.context
    try {
      await people.invite(org.id, email, role)
      notify(`A mail with a new link is on its way to ${email}.`)
      await this.#loadInvitations(true)
    } catch (error) {
      notify(messageOf(error))
    }
  }

  #revoke(id: string, email: string): void {
    const { people, org, notify } = this.context
    this.#confirm.value?.ask({
      title: 'Revoke the invitation',
      text: html`<p>The link of ${email} stops working.</p>`,
      button: 'Revoke',
      isDangerous: true,
      run: async () => {
        await people.revokeInvitation(org.id, id)
        notify(`The invitation of ${email} is revoked.`)
        this.#load()
      },
    })
  }
}

customElements.define('nc-members', NcMembers)
