// <nc-configs>: the notification configs of the organisation, with the environments that use each.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { ConfigAnswer } from '../../../contract/resources/notification-config.ts'
import { age, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'

class NcConfigs extends AppPage {
  readonly #list = new Loader<ConfigAnswer[]>(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    void this.#list.load((signal) => this.context.tenant.allConfigs(signal))
  }

  override render(): TemplateResult {
    const text = 'Categories, look and texts of the inbox. An environment or a campaign names one.'
    return html`<div class="page">
      ${pageHead('Notification configs', text, this.#createButton())}
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #createButton(): TemplateResult | typeof nothing {
    if (!this.context.may('editor')) return nothing
    return html`<wa-button size="s" variant="brand" @click=${() => this.#create()}>${icon('plus', 'start')}Create a config</wa-button>`
  }

  #content(): TemplateResult {
    const configs = this.#list.value
    if (this.#list.state === 'failed') return failureView(this.#list.error, () => this.#load())
    if (configs === undefined) return loadingView(4)
    if (configs.length === 0)
      return emptyView({
        icon: 'bell',
        title: 'No notification configs yet',
        text: 'Without one, the inbox has the widget’s own look and texts, and users choose channels for no category.',
      })
    return html`<div class="table-box">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Config</th>
            <th scope="col">Default of</th>
            <th scope="col" class="wide-only number">Categories</th>
            <th scope="col" class="wide-only">Texts in</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          ${configs.map((config) => this.#row(config))}
        </tbody>
      </table>
    </div>`
  }

  #row({ id, name, categories, widget, updatedAt }: ConfigAnswer): TemplateResult {
    const { environments, link } = this.context
    const users = environments.filter(({ notificationConfigId }) => notificationConfigId === id)
    const none = html`<span class="none">–</span>`
    return html`<tr>
      <th scope="row"><a class="row-link" href=${link('config', id)}>${name}</a></th>
      <td>${users.length === 0 ? none : users.map((one) => one.name).join(', ')}</td>
      <td class="wide-only number">${categories.length}</td>
      <td class="wide-only">${Object.keys(widget.texts).join(', ') || none}</td>
      <td>${age(updatedAt)}</td>
    </tr>`
  }

  #create(): void {
    const { tenant, router, link } = this.context
    let id = ''
    this.#confirm.value?.ask({
      title: 'Create a notification config',
      text: html`<p>It begins with the widget’s own look. Nothing changes until an environment or a campaign names it.</p>`,
      fields: textField('config', { name: 'name', label: 'Name', required: true, maxLength: 200, autofocus: true }),
      button: 'Create',
      async run(form) {
        id = (await tenant.createConfig({ name: textOf(form, 'name') })).id
      },
      afterwards: () => router.go(link('config', id)),
    })
  }
}

customElements.define('nc-configs', NcConfigs)
