// <nc-copy-card>: compares the campaigns of an environment with another one, and copies them after a look at the difference.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignCopyInput, CopiedCampaign, CopiedCampaigns } from '../../../contract/resources/campaign-copy.ts'
import { badge, type Tone } from '../../elements/badge.ts'
import { differenceView, parseLine } from '../../elements/difference.ts'
import { choiceField, textOf, tickField } from '../../elements/fields.ts'
import { endingWords } from '../../lib/ending-request.ts'
import { EnvironmentCard } from './environment-card.ts'

interface Compared {
  request: CampaignCopyInput
  name: string
  copy: CopiedCampaigns
}

class NcCopyCard extends EnvironmentCard {
  static override properties = { ...EnvironmentCard.properties, compared: { state: true } }

  declare compared: Compared | undefined

  override render(): TemplateResult | typeof nothing {
    const { context, environment } = this
    const others = context.environments.filter(({ id }) => id !== environment.id)
    if (!context.may('editor') || others.length === 0) return nothing
    return this.card({
      title: 'Copy campaigns',
      name: 'copy',
      text: 'To another environment: what is published here, or the draft of a campaign that never was. The first step compares, and writes nothing.',
      fields: html`${choiceField('copy', { name: 'to', label: 'To', value: others[0]?.id ?? '', choices: others.map(({ id, name }) => [id, name]), onChange: this.#forget })}
        ${tickField('publish', 'Publish there what is changed', false, 'Without it, drafts are changed, and what runs there stays. Where the other environment wants an approval, it is asked for.')}`,
      button: 'Compare',
      mayChange: true,
      result: html`<div role="status" class="copy-result">${this.compared === undefined ? nothing : this.#result(this.compared)}</div>`,
    })
  }

  readonly #forget = (): void => {
    this.compared = undefined
  }

  protected override async submit(form: FormData): Promise<void> {
    const to = textOf(form, 'to')
    const request = { to, publish: form.has('publish'), apply: false }
    const name = this.context.environments.find(({ id }) => id === to)?.name ?? to
    this.compared = undefined
    this.compared = { request, name, copy: await this.context.tenant.copyCampaigns(this.environment.id, request) }
  }

  #result({ request, name, copy }: Compared): TemplateResult {
    const changed = copy.changes.filter(({ action }) => action !== 'same')
    const writable = changed.filter(({ action }) => action !== 'archived')
    const same = copy.changes.length - changed.length
    return html`<h3 class="card-section">${copy.applied ? `Copied to ${name}` : `Difference to ${name}`}</h3>
      ${copy.changes.length === 0 ? html`<p class="none-found">This environment has no campaigns.</p>` : nothing}
      ${changed.map((one) => changeView(one, copy.applied))}
      ${same === 0 ? nothing : html`<p class="list-foot">${same === 1 ? '1 campaign is' : `${same} campaigns are`} the same in both.</p>`}
      ${
        copy.applied || writable.length === 0
          ? nothing
          : html`<wa-button size="s" variant="brand" ?loading=${this.attempt.isBusy} @click=${() => this.#apply(request, name, writable)}>
              Copy ${writable.length} ${writable.length === 1 ? 'campaign' : 'campaigns'} to ${name}
            </wa-button>`
      }`
  }

  #asks(to: string): boolean {
    return this.context.environments.find(({ id }) => id === to)?.requirePublishApproval ?? false
  }

  /** Exactly the campaigns that are shown are copied, after a question. */
  #apply(request: CampaignCopyInput, name: string, writable: readonly CopiedCampaign[]): void {
    const { tenant, me, notify } = this.context
    const ending = endingWords(
      writable.map(({ endsRequestOf }) => endsRequestOf),
      me.person.email,
    )
    this.ask({
      title: `Copy to ${name}`,
      text: `${copyText(name, request.publish === true, this.#asks(request.to), writable.length)} ${ending}`,
      button: 'Copy',
      run: async () => {
        const wanted = { ...request, apply: true, keys: writable.map(({ key }) => key) }
        const copy = await tenant.copyCampaigns(this.environment.id, wanted)
        this.compared = { request, name, copy }
        notify(
          `The campaigns are copied to ${name}.${request.publish && this.#asks(request.to) ? ' Another person approves them.' : ''}`,
        )
      },
    })
  }
}

function copyText(name: string, publishes: boolean, asks: boolean, count: number): string {
  if (!publishes) return `In ${name}, only drafts are changed. What runs there stays.`
  const changed = `In ${name}, ${count === 1 ? '1 campaign is' : `${count} campaigns are`} changed`
  if (!asks) return `${changed} and published: events start runs of the new version.`
  return `${changed}, and you ask to publish: what runs there stays until another person approves it.`
}

const ACTIONS: Record<CopiedCampaign['action'], readonly [words: string, tone: Tone]> = {
  create: ['New', 'good'],
  change: ['Changed', 'warn'],
  publish: ['Published', 'info'],
  same: ['The same', 'quiet'],
  archived: ['Archived there: it stays as it is', 'bad'],
}

function changeView(
  { key, action, difference, missing, endsRequestOf, tooLong }: CopiedCampaign,
  isApplied: boolean,
): TemplateResult {
  const [words, tone] = ACTIONS[action]
  return html`<section class="copied" aria-label=${key}>
    <p><code>${key}</code> ${badge(words, tone)}</p>
    ${missing.map((line) => html`<p class="row-note">Missing there: ${line}</p>`)}
    ${endsRequestOf === undefined ? nothing : html`<p class="row-note">${isApplied ? 'Ended' : 'Ends'} the request of ${endsRequestOf} to publish it.</p>`}
    ${tooLong === undefined ? nothing : html`<p class="row-note">Too long there: ${tooLong}</p>`}
    ${difference.length === 0 ? nothing : differenceView(difference.map(parseLine))}
  </section>`
}

customElements.define('nc-copy-card', NcCopyCard)
