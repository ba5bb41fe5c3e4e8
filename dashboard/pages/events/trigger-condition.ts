// <nc-trigger-condition>: the condition with which a campaign begins, as it is published now.

import { html, nothing, type TemplateResult } from 'lit'
import { readAt } from '../../editor/step-tree.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

interface Condition {
  where: string
  /** Whether the event came before this version, and was judged by another one. */
  isLater: boolean
}

class NcTriggerCondition extends LightElement {
  static override properties = { context: { attribute: false }, campaignId: {}, receivedAt: {} }

  declare context: AppContext
  declare campaignId: string
  /** When the event was received that the condition has judged. */
  declare receivedAt: string
  readonly #condition = new Loader<Condition | undefined>(this)

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('campaignId')) void this.#condition.load((signal) => this.#read(signal))
  }

  async #read(signal: AbortSignal): Promise<Condition | undefined> {
    const { api } = this.context
    const { currentVersion } = await api.campaign(this.campaignId, signal)
    if (currentVersion === null) return undefined
    const { definition, publishedAt } = await api.version(this.campaignId, currentVersion, signal)
    const where = readAt(definition, ['trigger', 'where'])
    return typeof where === 'string' ? { where, isLater: publishedAt > this.receivedAt } : undefined
  }

  /** Nothing where it is out of reach: the reason stands beside it. */
  override render(): TemplateResult | typeof nothing {
    const { value } = this.#condition
    if (value === undefined) return nothing
    const note = value.isLater ? html`<span class="row-note">It was published after this event.</span>` : nothing
    return html`<span>Its condition:</span> <code>${value.where}</code> ${note}`
  }
}

customElements.define('nc-trigger-condition', NcTriggerCondition)
