// <nc-next-steps>: what to set up next in the environment; each step ticks itself off, and the list leaves once all are done.

import { html, nothing, type TemplateResult } from 'lit'
import { icon } from '../../elements/icon.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { ownPath } from '../../routing/prefix.ts'
import type { AppContext } from '../../shell/context.ts'

const POLL_MS = 10_000

interface Step {
  name: string
  text: string
  href: string
  isDone: boolean
}

class NcNextSteps extends LightElement {
  static override properties = { context: { attribute: false } }

  declare context: AppContext
  readonly #steps = new Loader<Step[]>(this)
  readonly #poller = new Poller(this, POLL_MS, () => this.#load())

  protected override firstUpdated(): void {
    void this.#load()
  }

  async #load(): Promise<Polled> {
    const polled = await this.#steps.load((signal) => this.#read(signal), { quiet: true })
    if (this.#steps.value?.every(({ isDone }) => isDone)) this.#poller.isOn = false
    return polled
  }

  async #read(signal: AbortSignal): Promise<Step[]> {
    const { api, tenant, people, org, environment, link, may } = this.context
    const [events, secrets, campaigns, integrations, detail, members] = await Promise.all([
      api.events({ limit: 1 }, signal),
      tenant.secrets(environment.id, signal),
      api.campaignCounts({}, signal),
      api.integrations(signal),
      tenant.environment(environment.id, signal),
      people.allMembers(org.id, signal),
    ])
    const isUsed = (kind: string) => secrets.data.some((one) => one.kind === kind && one.current.lastUsedAt !== null)
    return [
      {
        name: 'Show the inbox on your page',
        text: 'The tag with the front API key, and a token of the user from your backend.',
        href: may('admin') ? link('first-steps') : link('environment', environment.id),
        isDone: isUsed('frontApiKey'),
      },
      {
        name: 'Track a first event',
        text: 'One call from your backend, by an SDK or by HTTP.',
        href: may('admin') ? link('first-steps') : ownPath('/docs'),
        isDone: events.data.length > 0,
      },
      {
        name: 'Publish a campaign',
        text: 'It says what becomes of an event.',
        href: link('new-campaign'),
        isDone: campaigns.active > 0,
      },
      {
        name: 'Connect a mail account',
        text: 'For campaigns that also send mails.',
        href: link('integrations'),
        isDone: integrations.data.length > 0 || integrations.way === 'server',
      },
      {
        name: 'Name the sites that may show the inbox',
        text: 'Until then any site may.',
        href: link('environment', environment.id),
        isDone: detail.allowedOrigins.length > 0,
      },
      {
        name: 'Invite a colleague',
        text: 'So that not one person alone has the keys.',
        href: link('members'),
        isDone: members.data.length > 1,
      },
    ]
  }

  override render(): TemplateResult | typeof nothing {
    const steps = this.#steps.value
    if (steps === undefined) return nothing
    const done = steps.filter(({ isDone }) => isDone).length
    if (done === steps.length) return nothing
    return html`<section class="card" aria-labelledby="steps-title">
      <header class="card-head">
        <h2 id="steps-title">Set up next</h2>
        <span class="hint">${done} of ${steps.length} done</span>
      </header>
      <ul class="next-steps">
        ${steps.map(
          ({ name, text, href, isDone }) => html`<li data-done=${isDone ? '' : nothing}>
            ${icon(isDone ? 'check' : 'circle')}
            ${
              isDone
                ? html`<span>${name}<span class="sr">, done</span></span>`
                : html`<span><a class="row-link" href=${href}>${name}</a><span class="row-note">${text}</span></span>`
            }
          </li>`,
        )}
      </ul>
    </section>`
  }
}

customElements.define('nc-next-steps', NcNextSteps)
