// <nc-suppressed-note>: that a user, or the user's address, is suppressed, since when and why, each with a button that ends it.

import { html, nothing, type TemplateResult } from 'lit'
import type { Channel } from '../../../contract/delivery.ts'
import type { Suppressed, SuppressionAnswer } from '../../../contract/resources/suppression.ts'
import { time } from '../../elements/bits.ts'
import { faultView } from '../../elements/states.ts'
import { Attempt } from '../../lib/attempt.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import { SUPPRESSION_WARNINGS, SUPPRESSION_WORDS } from '../../lib/suppression-words.ts'
import type { AppContext } from '../../shell/context.ts'

interface Found {
  subject: Suppressed
  suppression: SuppressionAnswer
}

class NcSuppressedNote extends LightElement {
  static override properties = {
    context: { attribute: false },
    userId: { attribute: false },
    channel: { attribute: false },
  }

  declare context: AppContext
  declare userId: string
  /** Undefined: all channels. */
  declare channel: Channel | undefined

  readonly #found = new Loader<Found[]>(this)
  readonly #removal = new Attempt(this)
  #shown = ''
  #name = ''

  protected override willUpdate(): void {
    const asked = JSON.stringify([this.userId, this.channel])
    if (asked === this.#shown) return
    this.#shown = asked
    void this.#load()
  }

  async #load(): Promise<void> {
    const { api } = this.context
    const { userId } = this
    await this.#found.load(
      async (signal) => {
        // The address is a subject of its own: it is suppressed whoever has it.
        const user = await api.user(userId, signal).catch(() => undefined)
        const address = user?.email ?? null
        this.#name = user?.name ?? userId
        const subjects: Suppressed[] = [{ userId }, ...(address === null ? [] : [{ address }])]
        const found = await Promise.all(
          subjects.map(async (subject) => {
            const { data } = await api.suppressions(subject, signal)
            return data.map((suppression) => ({ subject, suppression }))
          }),
        )
        return found.flat().filter(({ suppression }) => (this.channel ?? suppression.channel) === suppression.channel)
      },
      { quiet: true },
    )
  }

  override render(): TemplateResult | typeof nothing {
    const found = this.#found.value
    // Without an answer the page still has its other parts; the page of suppressions shows the failure.
    if (found === undefined || found.length === 0) return nothing
    return html`<ul class="suppressed-note">
        ${found.map((one) => this.#line(one))}
      </ul>
      ${faultView(this.#removal.error)}`
  }

  #line(found: Found): TemplateResult {
    const { subject, suppression } = found
    const { channel, reason, createdAt } = suppression
    const warning = SUPPRESSION_WARNINGS[reason]
    return html`<li>
      <span>
        <strong>${subject.address ?? this.#name}</strong> gets nothing by ${channel} since ${time(createdAt)}: ${SUPPRESSION_WORDS[reason]}. ${warning ?? nothing}
      </span>
      ${
        this.context.may('editor')
          ? html`<wa-button size="s" appearance="outlined" ?loading=${this.#removal.isBusy} @click=${() => void this.#remove(found)}
              >Remove<span class="sr"> the suppression of ${subject.address ?? subject.userId} by ${channel}</span></wa-button
            >`
          : nothing
      }
    </li>`
  }

  async #remove({ subject, suppression: { channel, reason } }: Found): Promise<void> {
    const { api, notify } = this.context
    await this.#removal.run(async () => {
      await api.releaseSuppressed({ ...subject, channel })
      await this.#load()
      notify(`The suppression is removed: ${channel} sends again.`, async () => {
        await api.suppress({ ...subject, channel, reason })
        await this.#load()
      })
    })
  }
}

customElements.define('nc-suppressed-note', NcSuppressedNote)
