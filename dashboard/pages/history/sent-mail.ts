// <nc-sent-mail>: the mail of a message, rendered again by the code that sent it.

import { html, nothing, type TemplateResult } from 'lit'
import type { SentMailAnswer } from '../../../contract/resources/mail.ts'
import { time } from '../../elements/bits.ts'
import '../../elements/mail-view.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

class NcSentMail extends LightElement {
  static override properties = { context: { attribute: false }, messageId: { attribute: false } }

  declare context: AppContext
  declare messageId: string

  readonly #mail = new Loader<SentMailAnswer>(this)

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('messageId')) this.#load()
  }

  #load(): void {
    this.#mail.clear()
    void this.#mail.load((signal) => this.context.api.sentMail(this.messageId, signal))
  }

  override render(): TemplateResult {
    const mail = this.#mail.value
    if (this.#mail.state === 'failed') return failureView(this.#mail.error, () => this.#load())
    if (mail === undefined) return loadingView(8)
    const { configChangedAt } = mail
    return html`${
      configChangedAt === null
        ? nothing
        : html`<p class="hint mail-note">The layout of this mail was not kept, and the notification config was changed since, ${time(configChangedAt)}: it may have looked different.</p>`
    }
      <nc-mail-view .mail=${mail}></nc-mail-view>
      <p class="hint">Rendered again from the stored content and layout. Nothing here counts as opened or clicked, and the link for unsubscribing leads nowhere.</p>`
  }
}

customElements.define('nc-sent-mail', NcSentMail)
