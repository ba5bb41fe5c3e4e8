// <nc-accept-invitation>: joins an organisation by a one-time link; an account with one-time codes is asked for one.

import { html, nothing, type TemplateResult } from 'lit'
import type { InvitationLook } from '../../../contract/resources/member.ts'
import { field, NEW_PASSWORD } from '../../elements/fields.ts'
import { loadingView, messageOf } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import { Loader } from '../../lib/loader.ts'
import { ownPath } from '../../routing/prefix.ts'
import { tokenOfLink } from './access-form.ts'
import { CodePage } from './code-page.ts'

class NcAcceptInvitation extends CodePage {
  readonly #look = new Loader<InvitationLook>(this)

  protected override sendFirst({ name = '', password = '' }: Readonly<Record<string, string>>) {
    return this.context.people.acceptInvitation(tokenOfLink(), password, name.trim())
  }

  /** The link was used: the person is a member already. */
  protected override wayBack(): TemplateResult {
    return html`<a class="link field-link" href=${ownPath('/sign-in')}>You are a member now. Sign in later instead.</a>`
  }

  protected override firstForm(): TemplateResult {
    const { value, state, error } = this.#look
    if (state === 'failed') return lost(error)
    if (value === undefined) return html`<div class="access">${loadingView(4)}</div>`
    const { organisation, email, role, invitedBy } = value
    const fields = html`<input type="text" name="username" autocomplete="username" .value=${email} hidden />
      ${field({
        name: 'name',
        label: 'Your name',
        type: 'text',
        autocomplete: 'name',
        hint: 'Leave it empty if you have an account already.',
        required: false,
      })}
      ${field({ ...NEW_PASSWORD, label: 'Password', hint: HINT })}`
    const text = html`${invitedBy === null ? 'An operator of this server' : html`<strong>${invitedBy}</strong>`} invites
      <strong>${email}</strong> to <strong>${organisation}</strong>, as <strong>${toWords(role)}</strong>. You are signed in
      when you join.`
    return this.form('Accept your invitation', 'Join', fields, text)
  }

  protected override firstUpdated(): void {
    this.#lookAtLink()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('hashchange', this.#lookAtLink)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('hashchange', this.#lookAtLink)
  }

  /** Another link in the same tab differs in its token alone, and loads no page. */
  readonly #lookAtLink = (): void => {
    const look = async () => {
      const token = tokenOfLink()
      if (token === '') throw new InvalidInput(CUT)
      return this.context.people.lookAtInvitation(token)
    }
    void this.#look.load(look).then(() => this.focusOn('#name'))
  }
}

const lost = (error: unknown): TemplateResult => html`<div class="access">
  <div class="access-mark" aria-hidden="true"></div>
  <h1 tabindex="-1">Accept your invitation</h1>
  <p class="access-text" role="alert">${messageOf(error)} ${error instanceof InvalidInput ? nothing : 'Ask for another invitation.'}</p>
  <div class="access-ways"><wa-button appearance="outlined" class="wide" href=${ownPath('/sign-in')}>Sign in</wa-button></div>
</div>`

const CUT = 'The end of this link is missing. Open the whole link, or ask for another invitation.'
const HINT = 'That of your account. Without one, this makes your account.'

customElements.define('nc-accept-invitation', NcAcceptInvitation)
