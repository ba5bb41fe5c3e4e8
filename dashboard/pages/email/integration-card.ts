// <nc-integration-card>: the form of an integration with a provider of mail, to add one or to change it.

import { html, nothing, type TemplateResult } from 'lit'
import type {
  ChangedEmailIntegrationAnswer,
  CredentialField,
  EmailIntegrationAnswer,
  EmailIntegrationInput,
  EmailProviderAnswer,
} from '../../../contract/resources/email-integration.ts'
import { choiceField, textField, textOf, tickField } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'

/** The saved integration; its new webhook password is in it once. */
export class IntegrationSaved extends Event {
  readonly integration: ChangedEmailIntegrationAnswer

  constructor(integration: ChangedEmailIntegrationAnswer) {
    super('integration-saved')
    this.integration = integration
  }
}

class NcIntegrationCard extends FormCard {
  static override properties = {
    context: { attribute: false },
    providers: { attribute: false },
    integration: { attribute: false },
    chosen: { state: true },
    isReplacing: { state: true },
  }

  declare context: AppContext
  declare providers: readonly EmailProviderAnswer[]
  /** Undefined: a new one. */
  declare integration: EmailIntegrationAnswer | undefined
  declare protected chosen: string | undefined
  /** Whether the stored credentials are being replaced. */
  declare protected isReplacing: boolean

  constructor() {
    super()
    this.isReplacing = false
  }

  get #provider(): EmailProviderAnswer | undefined {
    const name = this.chosen ?? this.integration?.provider
    return this.providers.find((provider) => provider.name === name) ?? this.providers[0]
  }

  get #takesCredentials(): boolean {
    const { integration } = this
    return integration === undefined || this.isReplacing || this.#provider?.name !== integration.provider
  }

  /** What is known of the credentials that are being replaced. */
  get #stored(): Record<string, string> {
    const { integration } = this
    return integration !== undefined && integration.provider === this.#provider?.name ? integration.account : {}
  }

  override render(): TemplateResult {
    const { integration } = this
    return this.card({
      title: integration === undefined ? 'Add an integration' : 'Settings',
      name: 'integration',
      fields: this.#fields(),
      button: integration === undefined ? 'Add' : undefined,
      mayChange: this.context.may('admin'),
    })
  }

  #fields(): TemplateResult {
    const { integration } = this
    const provider = this.#provider
    const from = integration?.from
    return html`${choiceField('integration', {
      name: 'provider',
      label: 'Provider',
      value: provider?.name ?? '',
      choices: this.providers.map(({ name, title }) => [name, title] as const),
      onChange: (value) => {
        this.chosen = value
        // Faults of the fields that go with it.
        this.attempt.clear()
      },
    })}
    ${textField('integration', { name: 'name', label: 'Name', value: integration?.name ?? '', required: true, hint: 'For you: such as “Main” or “Fallback”.' })}
    ${
      this.#takesCredentials
        ? provider?.fields.map((field) => credentialField(provider.name, field, this.#stored[field.name]))
        : html`<p class="hint">The credentials are stored, and cannot be read. What is no secret is shown on this page.</p>
          ${this.context.may('admin') ? replaceButton(this.#replace) : nothing}`
    }
    ${textField('integration', { name: 'fromName', label: 'Sender’s name', value: from?.name ?? '' })}
    ${textField('integration', { name: 'fromAddress', label: 'Sender’s address', type: 'email', value: from?.address ?? '', hint: 'Where the notification config names none.' })}
    ${textField('integration', { name: 'priority', label: 'Priority', type: 'number', value: String(integration?.priority ?? 1), required: true, hint: 'The lowest sends; the next one takes over when it is out of reach.' })}
    ${textField('integration', { name: 'maxPerSecond', label: 'Mails per second at most', type: 'number', step: 'any', value: String(integration?.maxPerSecond ?? ''), hint: 'Empty: as many as the provider takes. The others wait.' })}
    ${integration?.webhookUrl ? tickField('rotateWebhookPassword', 'Make a new password for the webhook', false, 'Only for providers that sign nothing.') : nothing}`
  }

  readonly #replace = (): void => {
    this.isReplacing = true
  }

  protected override reset(): void {
    this.isReplacing = false
    this.chosen = undefined
  }

  protected override async submit(form: FormData): Promise<void> {
    const { api } = this.context
    const { integration } = this
    const settings = this.#settingsOf(form)
    const saved =
      integration === undefined
        ? await api.addIntegration(settings)
        : await api.putIntegration(integration.id, settings)
    this.reset()
    this.dispatchEvent(new IntegrationSaved(saved))
  }

  #settingsOf(form: FormData): EmailIntegrationInput {
    const provider = this.#provider
    const address = textOf(form, 'fromAddress')
    const name = textOf(form, 'fromName')
    const maxPerSecond = textOf(form, 'maxPerSecond')
    return {
      name: textOf(form, 'name'),
      provider: provider?.name ?? 'smtp',
      from: address === '' ? null : { name: name === '' ? null : name, address },
      priority: Number(textOf(form, 'priority')),
      maxPerSecond: maxPerSecond === '' ? null : Number(maxPerSecond),
      ...(this.#takesCredentials && { credentials: credentialsOf(provider?.fields ?? [], form) }),
      ...(form.get('rotateWebhookPassword') === 'true' && { rotateWebhookPassword: true }),
    }
  }
}

const replaceButton = (replace: () => void): TemplateResult =>
  html`<div><wa-button size="s" appearance="outlined" @click=${replace}>Replace the credentials</wa-button></div>`

/** The path of its faults. */
const inputName = (name: string) => `credentials.${name}`

function credentialField(provider: string, field: CredentialField, stored?: string): TemplateResult {
  const { name, label, isSecret, isRequired, values } = field
  const scope = `integration-${provider}`
  const value = stored ?? field.byDefault ?? ''
  if (values !== undefined) {
    const choices = values.map((one) => [one, one] as const)
    return choiceField(scope, { name: inputName(name), label, value, choices })
  }
  const rows = /key/i.test(name) && /pem/i.test(label) ? 4 : 1
  const type = isSecret && rows === 1 ? 'password' : 'text'
  return textField(scope, {
    name: inputName(name),
    label,
    type,
    rows,
    value,
    required: isRequired,
    isMono: isSecret,
    isSecret,
    autocomplete: 'off',
  })
}

/** Fields that are left empty have their default. */
function credentialsOf(fields: readonly CredentialField[], form: FormData): Record<string, string> {
  const given = fields.map(({ name }) => [name, textOf(form, inputName(name))] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

customElements.define('nc-integration-card', NcIntegrationCard)
