// <nc-detail>: one message in full, with picture, Markdown, link, actions, and what can be done with it.

import { html, nothing, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../../contract/api.ts'
import { checkedLink } from '../../../../contract/link.ts'
import { withoutMarks } from '../../../lib/plain-text.ts'
import type { PanelI18n } from '../i18n.ts'
import { icon } from '../icons.ts'
import type { PanelActions } from '../panel-actions.ts'
import { PanelPiece } from '../panel-piece.ts'
import { detailStyles } from './detail.styles.ts'
import type { DrawMarkdown } from './markdown-view.ts'
import { type MessageAction, messageActions } from './message-actions.ts'
import { anchor, avatar, buttons, picture, priorityOf, targetOf } from './message-bits.ts'

const PROPERTY = { attribute: false }

/** Its name, role and `part` are attributes that the panel sets. */
export class NcDetail extends PanelPiece {
  static override readonly styles = detailStyles
  static override readonly properties = {
    message: PROPERTY,
    i18n: PROPERTY,
    now: PROPERTY,
    actions: PROPERTY,
    markdown: PROPERTY,
    isSnoozing: PROPERTY,
  }

  declare message: InboxMessage
  declare i18n: PanelI18n
  /** The service's time, epoch ms. */
  declare now: number
  declare actions: PanelActions
  /** Undefined until its part is loaded. */
  declare markdown: DrawMarkdown | undefined
  /** A time to snooze to is being chosen. */
  declare isSnoozing: boolean

  override render(): TemplateResult {
    const { message, now, actions } = this
    const { times, t } = this.i18n
    const priority = priorityOf(message, t)
    return html`<div class="detail-scroll" tabindex="0" role="group" aria-label=${message.title}>
        <div class="detail-head">
          ${avatar(message)}
          <div class="words">
            <h2 part="title" class="detail-title" dir="auto">${message.title}</h2>
            ${priority === undefined ? nothing : html`<span class="priority ${message.priority}" .textContent=${priority}></span>`}
            <time part="time" class="time" datetime=${message.createdAt}
              >${times.full(message.createdAt)} · ${times.relative(message.createdAt, now)}</time
            >
          </div>
        </div>
        ${picture(message)}
        <div part="body" class="prose" dir="auto">${this.#body()}</div>
        ${buttons(message, actions, this.#openLink())}
      </div>
      ${this.#toolbar()}`
  }

  /** Markdown is plain text until its part is loaded. */
  #body(): unknown {
    const { message, markdown } = this
    if (message.bodyFormat !== 'markdown') return html`<p class="plain">${message.body}</p>`
    return markdown?.(message.body, this.#link) ?? html`<p class="plain">${withoutMarks(message.body)}</p>`
  }

  readonly #link = (link: string, children: unknown, look = ''): TemplateResult =>
    anchor(link, look, children, (event) => this.actions.follow(event, this.message, link))

  #openLink(): TemplateResult | typeof nothing {
    const { t } = this.i18n
    const link = checkedLink(this.message.link)
    if (link === null) return nothing
    const label = targetOf(link) === '_blank' ? html`${t('openLink')} ${icon('open')}` : t('openLink')
    return this.#link(link, label, `button ${this.message.actions.length > 0 ? 'quiet' : 'primary'}`)
  }

  #toolbar(): TemplateResult {
    const { t } = this.i18n
    const { message, actions } = this
    const tool = ({ key, icon: name, run }: MessageAction, look = ''): TemplateResult =>
      html`<button type="button" class="tool ${look}" @click=${run}>${icon(name)}<span .textContent=${t(key)}></span></button>`
    const [first, ...others] = messageActions(message, actions)
    return html`<div class="toolbar">
      ${[...others, ...(first ? [first] : [])].map((action) =>
        tool(action, this.isSnoozing && action.key === 'snooze' ? 'pressed' : ''),
      )}
      ${tool({ key: 'delete', icon: 'trash', run: () => actions.remove([message]) }, 'danger')}
    </div>`
  }
}

NcDetail.register('nc-detail')
