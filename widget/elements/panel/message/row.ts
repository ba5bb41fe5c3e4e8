// <nc-row>: an article of the feed, with its day, dot, texts, time, and what can be done at once.

import { html, nothing, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../../contract/api.ts'
import { withoutMarks } from '../../../lib/plain-text.ts'
import type { PanelI18n } from '../i18n.ts'
import { iconButton } from '../icons.ts'
import type { PanelActions } from '../panel-actions.ts'
import { PanelPiece } from '../panel-piece.ts'
import { messageActions } from './message-actions.ts'
import { avatar, buttons, priorityMark, priorityOf } from './message-bits.ts'
import { rowStyles } from './row.styles.ts'

const PROPERTY = { attribute: false }
const EXCERPT_CHARS = 240

export class NcRow extends PanelPiece {
  static override readonly styles = rowStyles
  static override readonly properties = {
    message: PROPERTY,
    i18n: PROPERTY,
    now: PROPERTY,
    actions: PROPERTY,
    index: PROPERTY,
    total: PROPERTY,
    day: PROPERTY,
    isCurrent: PROPERTY,
    isSnoozing: PROPERTY,
    isSelected: PROPERTY,
    showsActions: PROPERTY,
    content: PROPERTY,
  }

  declare message: InboxMessage
  declare i18n: PanelI18n
  /** The service's time, epoch ms. */
  declare now: number
  declare actions: PanelActions
  /** Its place in the whole list. */
  declare index: number
  /** Rows of the whole list; -1 while more can be loaded. */
  declare total: number
  /** Stands above the first row of a day. */
  declare day: string | undefined
  /** Tab leads to this row. */
  declare isCurrent: boolean
  /** A time to snooze it to is being chosen. */
  declare isSnoozing: boolean
  /** Undefined while nothing is being selected. */
  declare isSelected: boolean | undefined
  declare showsActions: boolean
  /** What the page draws into the row, if it does. */
  declare content: HTMLElement | undefined

  override render(): TemplateResult {
    const { message, isCurrent, index } = this
    const { unopened } = message
    return html`${this.#day()}<article
      part="row"
      class="row ${unopened ? 'unopened' : ''} ${this.isSnoozing ? 'snoozing' : ''}"
      data-id=${message.id}
      tabindex=${isCurrent ? 0 : -1}
      aria-posinset=${index + 1}
      aria-setsize=${this.total}
      aria-label=${this.#label()}
      @click=${this.#onClick}
    >
      <span part="dot" class="dot" ?hidden=${!unopened}></span>
      ${this.isSelected === undefined ? nothing : this.#checkbox(this.isSelected)}
      ${this.content ?? this.#content()}
      ${this.showsActions && this.isSelected === undefined ? this.#quickActions() : nothing}
    </article>`
  }

  #label(): string {
    const { message, i18n } = this
    const { unopened, title } = message
    const [state, priority] = [unopened ? `${i18n.t('unread')}. ` : '', priorityOf(message, i18n.t)]
    return `${state}${priority === undefined ? '' : `${priority}. `}${title}, ${this.#time()}`
  }

  #time(): string {
    const { message, i18n, now } = this
    const { createdAt, snoozedUntil } = message
    return snoozedUntil === null ? i18n.times.relative(createdAt, now) : i18n.times.until(snoozedUntil, now)
  }

  /** The name of each row contains its time: the day is for the eye. */
  #day(): TemplateResult | typeof nothing {
    return this.day === undefined ? nothing : html`<p class="day" aria-hidden="true" .textContent=${this.day}></p>`
  }

  #content(): TemplateResult {
    const { message, i18n, actions } = this
    const at = message.snoozedUntil ?? message.createdAt
    return html`${this.isSelected === undefined ? avatar(message) : nothing}
      <div class="words">
        <div class="line">
          <button part="title" class="title" type="button" tabindex="-1" dir="auto">${message.title}</button>
          ${priorityMark(message, i18n.t)}
          <time part="time" class="time" datetime=${at} title=${i18n.times.full(at)} .textContent=${this.#time()}></time>
        </div>
        ${message.body === '' ? nothing : html`<p part="body" class="excerpt" dir="auto">${excerptOf(message)}</p>`}
        ${buttons(message, actions)}
      </div>`
  }

  /** In the place of the picture. */
  #checkbox(isSelected: boolean): TemplateResult {
    return html`<span class="box"
      ><input
        type="checkbox"
        class="choose"
        tabindex="-1"
        aria-label=${`${this.i18n.t('select')}: ${this.message.title}`}
        .checked=${isSelected}
        @change=${() => this.actions.toggleSelected(this.message)}
    /></span>`
  }

  /** Stand on the upper edge while the row is pointed at or has the focus. */
  #quickActions(): TemplateResult {
    const { message, actions, i18n } = this
    return html`<div class="quick">
      ${messageActions(message, actions).map(({ key, icon, run }) => iconButton(i18n.t(key), icon, run, { isSkipped: true }))}
    </div>`
  }

  readonly #onClick = (event: Event): void => {
    if (event.defaultPrevented || isControl(event)) return
    if (this.isSelected === undefined) this.actions.open(this.message)
    else this.actions.toggleSelected(this.message)
  }
}

/** The body as plain text, cut; kept per message, as rows are rendered again and again. */
const excerpts = new WeakMap<InboxMessage, string>()
function excerptOf(message: InboxMessage): string {
  const kept = excerpts.get(message)
  if (kept !== undefined) return kept
  const body = message.body.slice(0, EXCERPT_CHARS * 4)
  const text = message.bodyFormat === 'markdown' ? withoutMarks(body) : body
  const excerpt = text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text
  excerpts.set(message, excerpt)
  return excerpt
}

/** A press on a control of the row is that control's, not the row's. The title is the row's own. */
function isControl(event: Event): boolean {
  const path = event.composedPath()
  const inside = path.slice(0, path.indexOf(event.currentTarget as EventTarget))
  return inside.some(
    (node) =>
      node instanceof HTMLElement &&
      (node.isContentEditable || node.matches('a, button:not(.title), input, textarea, select, label, summary')),
  )
}

NcRow.register('nc-row')
