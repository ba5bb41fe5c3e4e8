// <nc-check-token-card>: checks a pasted user token as a sign-in would, and shows the precise reason of a refusal.

import { html, nothing, type TemplateResult } from 'lit'
import type { CheckedToken } from '../../../contract/resources/token-check.ts'
import { AUTH_TYPES, type AuthType } from '../../../contract/tenant.ts'
import { badge } from '../../elements/badge.ts'
import { facts, time } from '../../elements/bits.ts'
import { choiceField, textField, textOf } from '../../elements/fields.ts'
import { EnvironmentCard } from './environment-card.ts'

const LABELS: Record<(typeof AUTH_TYPES)[number], string> = {
  backendToken: 'Token of your backend (auth secret key)',
  jwt: 'JWT of the identity provider',
  signedJwt: 'JWT signed by your backend (public key)',
}

class NcCheckTokenCard extends EnvironmentCard {
  static override properties = { ...EnvironmentCard.properties, checked: { state: true }, authType: { state: true } }

  declare checked: CheckedToken | undefined
  declare authType: AuthType

  constructor() {
    super()
    this.authType = 'backendToken'
  }

  override render(): TemplateResult {
    const choose = (authType: string) => Object.assign(this, { authType, checked: undefined })
    return this.card({
      title: 'Check a token',
      name: 'check-token',
      text: 'Answers what a sign-in of the widget with it would, and why. It creates no session.',
      fields: html`${choiceField('check-token', { name: 'authType', label: 'Type', value: this.authType, choices: AUTH_TYPES.map((one) => [one, LABELS[one]]), onChange: choose })}
        ${this.authType === 'backendToken' ? textField('check-token', { name: 'userId', label: 'User ID', required: true }) : nothing}
        ${textField('check-token', { name: 'token', label: 'Token', required: true, rows: 4, isMono: true, hint: 'It is checked once, and kept nowhere.' })}`,
      button: 'Check',
      mayChange: true,
      result: html`<div role="status">${this.checked === undefined ? nothing : resultView(this.checked)}</div>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    this.checked = undefined
    const userId = textOf(form, 'userId')
    this.checked = await this.context.tenant.checkToken(this.environment.id, {
      authType: this.authType,
      token: textOf(form, 'token'),
      ...(userId !== '' && { userId }),
    })
  }
}

function resultView({ ok, code, reason, user, leftOut, expiresAt }: CheckedToken): TemplateResult {
  return html`<div class="check-result" data-ok=${ok ? '' : nothing}>
    <p>${badge(ok ? 'accepted' : 'refused', ok ? 'good' : 'bad')} ${reason ?? nothing}</p>
    ${facts([
      ['Code', code === undefined ? null : html`<code>${code}</code>`],
      ['User ID', user?.userId],
      ['E-mail', user?.email],
      ['Name', user?.name],
      ['Locale', user?.locale],
      ['Left out', leftOut?.map(({ path, message }) => html`<div><code>${path}</code>: ${message}</div>`) ?? null],
      ['Expires', expiresAt === undefined ? (ok ? 'Never' : null) : time(expiresAt)],
    ])}
  </div>`
}

customElements.define('nc-check-token-card', NcCheckTokenCard)
