// <nc-live-inbox>: the element of the widget itself, signed in as the test user of the person. Reports each arrival.

import { html, nothing, type TemplateResult } from 'lit'
import type { TestUserAnswer } from '../../../contract/resources/test-user.ts'
import type { NotificationCenter } from '../../../widget/elements/notification-center.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import { currentTheme } from '../../lib/theme.ts'
import { ownPath } from '../../routing/prefix.ts'
import type { AppContext } from '../../shell/context.ts'

interface Ready {
  user: TestUserAnswer
  center: NotificationCenter
}

class NcLiveInbox extends LightElement {
  static override properties = { context: { attribute: false }, refusal: { state: true } }

  declare context: AppContext
  /** Why the service refused the sign-in. */
  declare protected refusal: string | undefined
  readonly #ready = new Loader<Ready>(this)

  protected override firstUpdated(): void {
    void this.#load()
  }

  readonly #load = async (): Promise<void> => {
    const { tenant, environment } = this.context
    await this.#ready.load(async () => {
      const [{ define }, user] = await Promise.all([
        import('../../../widget/elements/define-element.ts'),
        tenant.testUser(environment.id),
      ])
      return { user, center: this.#create(define, user) }
    })
    const { value } = this.#ready
    if (value !== undefined)
      this.dispatchEvent(new CustomEvent('test-user', { detail: value.user.userId, bubbles: true }))
  }

  /** The first token is at hand; the element asks for the next ones. */
  #create(define: () => unknown, { apiKey, userId, token }: TestUserAnswer): NotificationCenter {
    const { tenant, environment } = this.context
    define()
    const center = document.createElement('notification-center') as NotificationCenter
    const theme = currentTheme()
    let first: string | undefined = token
    Object.assign(center, {
      apiKey,
      baseUrl: location.origin + ownPath(''),
      mode: 'inline',
      theme: theme === 'system' ? 'auto' : theme,
      tokenProvider: async () => {
        const next = first ?? (await tenant.testUser(environment.id)).token
        first = undefined
        return { userId, token: next }
      },
    })
    center.addEventListener('nc-ready', this.#report)
    center.addEventListener('nc-arrive', this.#report)
    center.addEventListener('nc-error', ({ code }) => {
      this.refusal = code
    })
    return center
  }

  readonly #report = (): void => {
    this.refusal = undefined
    const count = this.#ready.value?.center.messages.length ?? 0
    if (count > 0) this.dispatchEvent(new Event('message-here', { bubbles: true }))
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#ready
    return html`${state === 'failed' ? failureView(error, () => void this.#load()) : nothing}
      ${value === undefined ? (state === 'failed' ? nothing : loadingView(4)) : value.center}
      ${this.#refusalView()}`
  }

  #refusalView(): TemplateResult | typeof nothing {
    const { environment, link } = this.context
    if (this.refusal === undefined) return nothing
    if (this.refusal !== 'authorization/not-allowed')
      return html`<p class="hint" role="status">The service refused the sign-in: <code>${this.refusal}</code>.</p>`
    return html`<p class="hint" role="status">
      The environment names the sites that may show the inbox, and this dashboard is none of them. To try it here, add
      <code>${location.origin}</code> to <a class="link" href=${link('environment', environment.id)}>its allowed origins</a>.
    </p>`
  }
}

customElements.define('nc-live-inbox', NcLiveInbox)
