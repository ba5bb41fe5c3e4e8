// <nc-source-trial>: shows which events a pasted delivery would become by the mappings that are on the page; keeps nothing.

import { html, nothing, type TemplateResult } from 'lit'
import type { TriedItem } from '../../../contract/resources/source.ts'
import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import { badge } from '../../elements/badge.ts'
import { facts, jsonView, time } from '../../elements/bits.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import { cleanMappings } from './clean-mappings.ts'
import { reportFaults } from './mapping-faults.ts'
import { PLATFORMS } from './platforms.ts'
import { SourceCard } from './source-card.ts'

class NcSourceTrial extends SourceCard {
  static override properties = { ...SourceCard.properties, mappings: { attribute: false }, items: { state: true } }

  /** With changes that are not saved. */
  declare mappings: readonly SourceMapping[]
  declare protected items: readonly TriedItem[] | undefined

  #typed: string | undefined

  override render(): TemplateResult {
    const { title, example } = PLATFORMS[this.source.provider]
    const keep = (value: string) => {
      this.#typed = value
    }
    return this.card({
      title: 'Try a payload',
      name: 'trial',
      text: 'Shows which events it would become, by the mappings as they are above. Nothing is tracked or kept.',
      fields: textField('trial', {
        name: 'payload',
        label: `A delivery of ${title}, as JSON`,
        value: this.#typed ?? JSON.stringify(example, null, 2),
        rows: 10,
        isMono: true,
        onInput: keep,
      }),
      button: 'Try it',
      mayChange: true,
      result: html`<div role="status">${this.items === undefined ? nothing : resultView(this.items)}</div>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    this.items = undefined
    const payload = parsePayload(textOf(form, 'payload'))
    const trial = { provider: this.source.provider, mappings: cleanMappings(this.mappings), payload }
    this.items = (await reportFaults(this, () => this.context.sources.attempt(trial))).items
  }
}

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : ''
    throw new InvalidInput(`The payload is no JSON. ${detail}`, { cause })
  }
}

function resultView(items: readonly TriedItem[]): TemplateResult {
  const kept = items.filter(({ dropped }) => dropped === null).length
  const count = kept === 1 ? '1 event' : `${kept} events`
  return html`<h3 class="card-section">It would become ${kept === 0 ? 'no event' : count}</h3>
    <ol class="tried">${items.map((item, at) => html`<li>${itemView(item, at)}</li>`)}</ol>`
}

function itemView(item: TriedItem, at: number): TemplateResult {
  const { name, type, userId, reason, occurredAt, deliveryId, properties, profile, dropped, joinTopic } = item
  const isRead = reason === null && dropped === null
  const word = dropped === null ? (isRead ? 'readable' : 'unreadable') : 'dropped'
  return html`<div class="check-result" data-ok=${isRead ? '' : nothing}>
    <p><code>${name}</code> ${badge(word, isRead ? 'good' : 'warn')} ${dropped ?? reason ?? nothing}</p>
    ${facts([
      ['User ID', userId ?? html`<span class="none">None: it ends without a campaign</span>`],
      ['Type', type === '' ? null : html`<code>${type}</code>`],
      ['Occurred', occurredAt === null ? null : time(occurredAt)],
      ['Delivery ID', deliveryId],
      ['Joins the topic', joinTopic],
    ])}
    ${jsonView(properties, `Properties of event ${at + 1} as JSON`)}
    ${profile === null ? nothing : html`<p>Changes the profile of the user:</p>${jsonView(profile, `Profile of event ${at + 1} as JSON`)}`}
  </div>`
}

customElements.define('nc-source-trial', NcSourceTrial)
