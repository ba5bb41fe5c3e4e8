// <nc-continue-sign-in>: asks before an identity provider signs in: whether to continue as that person, or to accept it.

import { html, nothing, type TemplateResult } from 'lit'
import type { SignOnQuestionAnswer } from '../../../contract/resources/single-sign-on.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { ownPath } from '../../routing/prefix.ts'
import { appPath } from '../../routing/routes.ts'
import { AccessPage } from './access-form.ts'

class NcContinueSignIn extends AccessPage {
  readonly #question = new Loader<SignOnQuestionAnswer>(this)

  protected override firstUpdated(): void {
    void this.#question.load(() => this.context.people.signOnQuestion())
  }

  protected override async submit(): Promise<void> {
    const question = this.#question.value
    if (question === undefined) return
    if (!question.mayAnswer)
      return this.context.router.go(`${ownPath('/sign-in')}?${new URLSearchParams({ next: OWN_PATH })}`)
    await this.context.people.answerSignOn()
    // A new document, because this one may still have the former person.
    location.assign(appPath(question.organisation.id, 'home'))
  }

  override render(): TemplateResult {
    const { value, error } = this.#question
    if (value !== undefined) return value.ask === 'continue' ? this.#continueForm(value) : this.#acceptForm(value)
    return html`<div class="access">
      <div class="access-mark" aria-hidden="true"></div>
      <h1 tabindex="-1">Single sign-on</h1>
      ${error === undefined ? loadingView(3) : html`${failureView(error)}<a class="link" href=${ownPath('/sign-in')}>Sign in</a>`}
    </div>`
  }

  #continueForm({ organisation, email, signedInAs }: SignOnQuestionAnswer): TemplateResult {
    const text =
      signedInAs === null
        ? html`Another site has sent you here. You will be signed in to <strong>${organisation.name}</strong> as <strong>${email}</strong>.`
        : html`You are signed in as <strong>${signedInAs}</strong>. That session ends when you continue as <strong>${email}</strong> in <strong>${organisation.name}</strong>.`
    const cancel =
      signedInAs === null
        ? otherWay(ownPath('/sign-in'), 'Cancel')
        : otherWay(ownPath('/dashboard'), `Stay signed in as ${signedInAs}`)
    return this.form('Continue as another person?', `Continue as ${email}`, nothing, text, cancel)
  }

  #acceptForm({ organisation, email, signedInAs, mayAnswer }: SignOnQuestionAnswer): TemplateResult {
    const { name } = organisation
    if (mayAnswer) {
      const text = html`The identity provider of <strong>${name}</strong> wants to sign you in as <strong>${email}</strong>. Once you accept, it may do so at any time, for this organisation alone.`
      return this.form(
        'Accept the single sign-on?',
        'Accept',
        nothing,
        text,
        otherWay(ownPath('/dashboard'), 'Not now'),
      )
    }
    const text = html`The identity provider of <strong>${name}</strong> says that you are <strong>${email}</strong>.
      ${signedInAs === null || signedInAs === email ? nothing : html`You are signed in as <strong>${signedInAs}</strong>.`}
      Sign in to that account by its password or a passkey, then accept the provider. Without an account, open the link of
      your invitation first.`
    return this.form(
      'Is this your account?',
      'Sign in to accept',
      nothing,
      text,
      otherWay(ownPath('/sign-in'), 'Cancel'),
    )
  }
}

const OWN_PATH = ownPath('/dashboard/continue-sign-in')
const otherWay = (href: string, text: string) =>
  html`<div class="access-ways"><wa-button appearance="outlined" class="wide" href=${href}>${text}</wa-button></div>`

customElements.define('nc-continue-sign-in', NcContinueSignIn)
