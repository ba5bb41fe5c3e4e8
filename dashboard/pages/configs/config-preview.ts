// <nc-config-preview>: the panel of the widget itself, with the look, texts and categories of a config. Nothing in it acts.

import { css, html, LitElement, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../contract/api.ts'
import { AppearanceSheet } from '../../../widget/elements/appearance.ts'
import { NcBell } from '../../../widget/elements/bell.ts'
import { hostStyles } from '../../../widget/elements/notification-center.styles.ts'
import { createPanel } from '../../../widget/elements/panel/create-panel.ts'
import { NcPanel } from '../../../widget/elements/panel/panel.ts'
import type { Panel, PanelHost } from '../../../widget/elements/panel/panel-types.ts'
import { createServerClock } from '../../../widget/lib/clock.ts'
import type { ConfigFields } from '../../api/tenant.ts'
import { applyLook, createConfigI18n } from '../../elements/config-look.ts'
import { previewMessages } from './preview-messages.ts'

type Controller = NonNullable<ReturnType<PanelHost['controller']>>
type Core = NonNullable<Controller['core']>

NcBell.register('nc-bell')

const previewStyles = css`
  :host { display: block; --nc-panel-height: 460px }
  .preview-bell {
    display: flex; justify-content: flex-end; margin-block-end: 8px; padding: 4px 8px; border-radius: 8px;
    background: light-dark(#fff, #1b1c21); color: light-dark(#171a21, #f1f2f5)
  }
`

class NcConfigPreview extends LitElement {
  static override styles = [hostStyles, NcBell.styles, NcPanel.styles, previewStyles]
  static override properties = { config: { attribute: false }, locale: { attribute: false } }

  declare config: ConfigFields
  declare locale: string
  /** As those of the widget: the panel stands in the page. */
  readonly mode = 'inline'
  readonly open = true

  readonly #i18n = createConfigI18n(
    this,
    () => ({ look: this.config.widget, locale: this.locale }),
    () => this.requestUpdate(),
  )
  readonly #appearance = new AppearanceSheet()
  readonly #clock = createServerClock()
  #messages: InboxMessage[] = []
  #panel: Panel | undefined
  #categories = ''

  override render(): TemplateResult {
    this.#i18n.follow()
    const count = this.#messages.filter(({ readAt }) => readAt === null).length
    const label = this.#i18n.t('bell', { count })
    return html`<div class="root" inert>
      <div class="preview-bell"><div class="anchor"><nc-bell .label=${label} .badge=${this.#i18n.short(count)}></nc-bell></div></div>
      <div class="place"></div>
    </div>`
  }

  protected override willUpdate(): void {
    this.#messages = previewMessages(this.config.categories)
  }

  protected override updated(): void {
    const shadow = this.renderRoot as ShadowRoot
    applyLook(this.#appearance, shadow, this.config.widget)
    // The panel reads the names of categories once.
    const categories = JSON.stringify(this.config.categories)
    if (categories !== this.#categories) {
      this.#categories = categories
      this.#panel?.destroy()
      this.#panel = createPanel(this.#host(shadow))
    }
    this.#panel?.update()
  }

  #host(shadow: ShadowRoot): PanelHost {
    const find = (selector: string) => shadow.querySelector(selector) as HTMLElement
    return {
      // The panel reads no more than `mode` and `open` of it.
      element: shadow.host as PanelHost['element'],
      shadow,
      root: find('.place'),
      anchor: find('.anchor'),
      i18n: this.#i18n,
      parts: () => undefined,
      controller: () => this.#controller(),
      focusBell() {},
      emit: () => true,
    }
  }

  /** An inbox that has these messages and takes no change: what it offers is never called, as the preview is inert. */
  #controller(): Controller {
    const core: Pick<Core, 'list' | 'listState' | 'find' | 'record' | 'call'> = {
      list: () => this.#messages,
      listState: () => ({ isLoading: false, hasMore: false, failure: undefined }),
      find: (id) => this.#messages.find((message) => message.id === id),
      record() {},
      call: async <T>() => ({ categories: this.config.categories }) as T,
    }
    const unopened = this.#messages.filter((message) => message.unopened).length
    const counts = { unread: unopened, unopened }
    const inbox: Pick<Controller, 'core' | 'status' | 'counts' | 'clock'> = {
      core: core as Core,
      status: 'ready',
      counts,
      clock: this.#clock,
    }
    return inbox as Controller
  }
}

customElements.define('nc-config-preview', NcConfigPreview)
