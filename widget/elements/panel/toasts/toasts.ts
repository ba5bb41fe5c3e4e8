// <nc-toasts>: shows arrivals in the corner of the window, each for a while.

import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { InboxMessage, MessageAction } from '../../../../contract/api.ts'
import { withoutMarks } from '../../../lib/plain-text.ts'
import type { TimeWriter } from '../../../lib/relative-time.ts'
import type { Translate } from '../../../lib/translations.ts'
import { Piece } from '../../piece.ts'
import { iconButton } from '../icons.ts'
import { messageStyles } from '../message/message.styles.ts'
import { actionButton, avatar } from '../message/message-bits.ts'
import { toastStyles } from './toasts.styles.ts'

const TOAST_MS = 7_000
const MOST_TOASTS = 3
const EXCERPT_CHARS = 160
/** Browsers end a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Those in the page: two bells of a user show a message once. */
const all = new Set<NcToasts>()

export interface ToastTexts {
  t: Translate
  times: Pick<TimeWriter, 'relative'>
}

/**
 * Fires `open` with the message of a toast that was pressed, and the cancelable `action` with `{ message, action }`.
 * Neither leaves the shadow root.
 */
export class NcToasts extends Piece {
  static override readonly styles = [messageStyles, toastStyles]
  static override readonly properties = { messages: { state: true } }

  declare messages: InboxMessage[]
  /** Read at each rendering, as the language may change. */
  texts: () => ToastTexts = () => ({ t: (key) => key, times: { relative: () => '' } })
  /** The service's time, epoch ms. */
  now: () => number = Date.now
  readonly #timers = new Map<
    string,
    { fade: ReturnType<typeof setTimeout>; expiry: ReturnType<typeof setTimeout> | undefined }
  >()

  constructor() {
    super()
    this.messages = []
  }

  /** Shows the last of them; a message that has expired is not shown. */
  show(messages: InboxMessage[]): void {
    const isElsewhere = ({ id }: InboxMessage): boolean =>
      [...all].some((each) => each !== this && each.messages.some((message) => message.id === id))
    const last = messages.filter((message) => this.#msLeft(message) > 0).slice(-MOST_TOASTS)
    const fresh = last.filter((message) => !isElsewhere(message))
    for (const message of fresh) {
      this.dismiss(message.id)
      const msLeft = this.#msLeft(message)
      const expiry = msLeft < LONGEST_TIMER_MS ? setTimeout(() => this.dismiss(message.id), msLeft) : undefined
      this.#timers.set(message.id, { fade: setTimeout(() => this.#fade(message.id), TOAST_MS), expiry })
    }
    this.messages = [...this.messages, ...fresh].slice(-MOST_TOASTS)
  }

  dismiss(id: string): void {
    this.#stopTimers(id)
    this.messages = this.messages.filter((message) => message.id !== id)
  }

  clear(): void {
    for (const { id } of this.messages) this.#stopTimers(id)
    this.messages = []
    // At once: the panel opens in their place.
    this.performUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    all.add(this)
    this.classList.add('toasts')
    this.popover = 'manual'
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    all.delete(this)
    for (const id of this.#timers.keys()) this.#stopTimers(id)
  }

  protected override render(): TemplateResult {
    return html`${repeat(
      this.messages,
      ({ id }) => id,
      (message) => this.#toast(message),
    )}`
  }

  protected override updated(): void {
    if (this.isConnected) this.togglePopover?.(this.messages.length > 0)
  }

  #toast(message: InboxMessage): TemplateResult {
    const { t, times } = this.texts()
    const body = excerptOf(message)
    return html`<div part="toast" class=${message.priority === 'urgent' ? 'toast urgent' : 'toast'}>
      ${avatar(message)}
      <div class="toast-words">
        <button type="button" class="toast-open" @click=${() => this.#open(message)}>
          <strong dir="auto">${message.title}</strong>
          <span class="time">${times.relative(message.createdAt, this.now())}</span>
          ${body === '' ? nothing : html`<span class="toast-body" dir="auto">${body}</span>`}
        </button>
        ${this.#firstAction(message)}
      </div>
      ${iconButton(t('dismiss'), 'close', () => this.dismiss(message.id))}
    </div>`
  }

  #firstAction(message: InboxMessage): TemplateResult | typeof nothing {
    const [given] = message.actions
    return given === undefined ? nothing : actionButton(given, (event, action) => this.#run(event, message, action))
  }

  #open(message: InboxMessage): void {
    this.dismiss(message.id)
    this.dispatchEvent(new CustomEvent('open', { detail: message }))
  }

  #run(event: MouseEvent, message: InboxMessage, action: MessageAction): void {
    const ran = new CustomEvent('action', { cancelable: true, detail: { message, action } })
    if (!this.dispatchEvent(ran)) event.preventDefault()
    this.dismiss(message.id)
  }

  /** A toast that is pointed at or has the focus is being read. */
  #fade(id: string): void {
    const timers = this.#timers.get(id)
    if (timers === undefined) return
    if (this.matches(':hover, :focus-within')) timers.fade = setTimeout(() => this.#fade(id), TOAST_MS / 2)
    else this.dismiss(id)
  }

  #stopTimers(id: string): void {
    const { fade, expiry } = this.#timers.get(id) ?? {}
    clearTimeout(fade)
    clearTimeout(expiry)
    this.#timers.delete(id)
  }

  #msLeft({ expiresAt }: InboxMessage): number {
    return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - this.now()
  }
}

/** One line of the body, without Markdown. */
function excerptOf({ body, bodyFormat }: InboxMessage): string {
  const start = body.slice(0, EXCERPT_CHARS * 4)
  return (bodyFormat === 'markdown' ? withoutMarks(start) : start).slice(0, EXCERPT_CHARS).trim()
}

NcToasts.register('nc-toasts')
