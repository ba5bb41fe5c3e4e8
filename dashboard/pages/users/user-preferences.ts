// <nc-user-preferences>: the channels that a user has switched on by category, and the quiet hours. Read-only.

import { html, nothing, type TemplateResult } from 'lit'
import type { InboxPreferences } from '../../../contract/api.ts'
import type { SuppressionAnswer } from '../../../contract/resources/suppression.ts'
import { badge, tag } from '../../elements/badge.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

interface LoadedPreferences {
  preferences: InboxPreferences
  suppressions: SuppressionAnswer[]
}

class NcUserPreferences extends LightElement {
  static override properties = { context: { attribute: false }, userId: { attribute: false } }

  declare context: AppContext
  declare userId: string

  readonly #loaded = new Loader<LoadedPreferences>(this)

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    const { api } = this.context
    const { userId } = this
    void this.#loaded.load(async (signal) => {
      const [preferences, { data }] = await Promise.all([
        api.userPreferences(userId, signal),
        api.suppressions({ userId }, signal),
      ])
      return { preferences, suppressions: data }
    })
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="preferences-title">
      <header class="card-head"><h2 id="preferences-title">Preferences</h2></header>
      ${this.#content()}
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#loaded
    if (state === 'failed') return failureView(error, () => this.#load())
    if (value === undefined) return loadingView(3)
    const { categories, quietHours } = value.preferences
    return html`${
      categories.length === 0
        ? html`<p class="none-found">No live campaign has a category to choose.</p>`
        : html`<ul class="lines">
            ${categories.map(
              ({ name, critical, channels }) =>
                html`<li>
                  <strong>${name}</strong> ${critical ? tag('Always sent') : nothing}
                  <span class="line-end">${Object.entries(channels).map(([channel, isOn]) => html`${badge(`${channel} ${isOn ? 'on' : 'off'}`, isOn ? 'good' : 'quiet')} `)}</span>
                </li>`,
            )}
          </ul>`
    }
      <p class="list-foot">${quietHours === null ? 'No quiet hours.' : `Quiet from ${quietHours.start} to ${quietHours.end}, ${quietHours.timeZone}.`}</p>
      ${this.#suppressions(value.suppressions)}`
  }

  #suppressions(suppressions: readonly SuppressionAnswer[]): TemplateResult {
    const address = this.context.link('suppressions', '', { userId: this.userId })
    const channels = suppressions.map(({ channel }) => toWords(channel)).join(', ')
    return html`<div class="card-foot">
      ${channels === '' ? html`<span>Not suppressed.</span>` : badge(`suppressed: ${channels}`, 'warn')}
      <a class="link" href=${address}>Suppressions</a>
    </div>`
  }
}

customElements.define('nc-user-preferences', NcUserPreferences)
