// <nc-mail-settings>: the mails of a notification config, edited beside a live preview by the code that sends.

import { html, nothing, type TemplateResult } from 'lit'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ComposedMail } from '../../../contract/resources/mail.ts'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { LayoutFormat } from '../../../contract/tenant.ts'
import { ApiFailure } from '../../api/client.ts'
import { textField } from '../../elements/fields.ts'
import '../../elements/mail-view.ts'
import { failureView, loadingView, messageOf } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import type { Layout } from './layout-editor.ts'
import './layout-editor.ts'
import { senderEditor } from './sender-editor.ts'
import { senderList } from './sender-list.ts'

/** Long enough to type a word. */
const PAUSE_MS = 350

class NcMailSettings extends LightElement {
  static override properties = {
    context: { attribute: false },
    configId: { attribute: false },
    email: { attribute: false },
    siteUrl: { attribute: false },
    inheritedSite: { attribute: false },
    locale: { attribute: false },
    mayChange: { attribute: false },
  }

  declare context: AppContext
  declare configId: string
  declare email: EmailLook
  declare siteUrl: string | null
  /** The site of the environment whose default the config is; null where none has one. */
  declare inheritedSite: string | null
  /** Of the words below the mail. */
  declare locale: string
  declare mayChange: boolean

  readonly #preview = new Loader<ComposedMail>(this)
  #asked = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  protected override willUpdate(): void {
    const { email, siteUrl, locale } = this
    const asked = JSON.stringify({ email, siteUrl, locale })
    if (asked === this.#asked) return
    const isFirst = this.#asked === ''
    this.#asked = asked
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#load(), isFirst ? 0 : PAUSE_MS)
  }

  /** While it has faults, the last preview stays. */
  #load(): Promise<unknown> {
    const { configId, email, siteUrl, locale, mayChange, context } = this
    return this.#preview.load(
      (signal) =>
        mayChange
          ? context.tenant.previewMails({ email, siteUrl, locale }, signal)
          : context.tenant.previewStoredMails(configId, locale, signal),
      { quiet: true },
    )
  }

  get #faults(): ErrorDetail[] {
    const { error } = this.#preview
    return error instanceof ApiFailure ? (error.body.details ?? []) : []
  }

  readonly #faultOf = (path: string): string | undefined => this.#faults.find((fault) => fault.path === path)?.message

  readonly #change = (change: Partial<EmailLook>): void => {
    this.dispatchEvent(new CustomEvent('email-changed', { detail: { ...this.email, ...change } }))
  }

  readonly #loadStarting = async (format: LayoutFormat): Promise<string | undefined> => {
    try {
      return (await this.context.tenant.layouts())[format]
    } catch (error) {
      this.context.notify(`The layout could not be read: ${messageOf(error)}`)
    }
  }

  override render(): TemplateResult {
    const { email, mayChange } = this
    const isOfLayout = ({ path }: ErrorDetail) => path === 'email.layout'
    return html`<div class="columns mail-columns">
      <div class="column-main cards">
        <fieldset class="cards" ?disabled=${!mayChange} aria-label="Sender and tracking">
          ${senderEditor(email, this.#change, (name) => this.#faultOf(`email.${name}`), this.#site())}
          ${senderList({ senders: email.senders ?? [], mayChange, faultOf: (path) => this.#faultOf(`email.${path}`), onChange: (senders) => this.#change({ senders }) })}
        </fieldset>
        <nc-layout-editor
          .layout=${email.layout}
          .layoutFormat=${email.layoutFormat}
          .faults=${this.#faults.filter(isOfLayout)}
          .mayChange=${mayChange}
          .loadStarting=${this.#loadStarting}
          @layout-changed=${({ detail }: CustomEvent<Layout>) => this.#change(detail)}
        ></nc-layout-editor>
      </div>
      <aside class="column-side config-side" aria-label="Preview">
        <section class="card mail-card" aria-labelledby="mail-preview-title">
          <header class="card-head"><h2 id="mail-preview-title">Preview</h2></header>
          ${this.#content()}
        </section>
      </aside>
    </div>`
  }

  #site(): TemplateResult {
    const { siteUrl, inheritedSite } = this
    const onInput = (value: string) =>
      this.dispatchEvent(new CustomEvent('site-changed', { detail: value.trim() || null }))
    return textField('mail', {
      name: 'siteUrl',
      label: 'Site',
      value: siteUrl ?? '',
      maxLength: 2048,
      placeholder: inheritedSite === null ? 'Inherited from the environment' : `Inherited: ${inheritedSite}`,
      hint: 'Paths in mails, such as /orders/1, begin there. Empty: the site of the environment, else the address of this server.',
      fault: this.#faultOf('siteUrl'),
      onInput,
    })
  }

  #content(): TemplateResult {
    const { value, error, state } = this.#preview
    const others = this.#faults.filter(({ path }) => path !== 'email.layout')
    if (value === undefined && error === undefined) return loadingView(8)
    if (value === undefined && this.#faults.length === 0) return failureView(error, () => void this.#load())
    return html`<div role="status">${
      error === undefined || state === 'loading'
        ? nothing
        : html`<div class="mail-note hint">
            <p>${this.#faults.length === 0 ? messageOf(error) : 'The settings have faults: the preview shows the last state without.'}</p>
            ${others.length === 0 ? nothing : html`<ul class="failure-details">${others.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}</ul>`}
          </div>`
    }</div>
    ${value === undefined ? nothing : html`<nc-mail-view .mail=${value}></nc-mail-view>`}`
  }
}

customElements.define('nc-mail-settings', NcMailSettings)
