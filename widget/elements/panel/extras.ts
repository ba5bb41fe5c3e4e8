// Handles arrivals as the page opts into: toasts, a sound, the browser's own notifications. A part.

import type { InboxMessage, MessageAction } from '../../../contract/api.ts'
import { NcActionEvent, NcOpenMessageEvent } from '../events.ts'
import { createPanelI18n } from './i18n.ts'
import { imageLink } from './message/message-bits.ts'
import type { PanelHost } from './panel-types.ts'
import { chimeOnce } from './toasts/chime.ts'
import { NcToasts } from './toasts/toasts.ts'

export class Extras {
  readonly #host: PanelHost
  readonly #toasts = new NcToasts()

  constructor(host: PanelHost) {
    const i18n = createPanelI18n(host.i18n)
    this.#host = host
    this.#toasts.texts = () => i18n()
    this.#toasts.now = () => host.controller()?.clock.now() ?? Date.now()
    this.#toasts.addEventListener('open', this.#onOpen)
    this.#toasts.addEventListener('action', this.#onAction)
    host.root.append(this.#toasts)
    host.element.addEventListener('nc-show', this.#onShow)
    if (globalThis.Notification) host.anchor.addEventListener('click', this.#askPermission)
  }

  arrived(messages: InboxMessage[]): void {
    const { element } = this.#host
    if (element.sound) void chimeOnce(messages.at(-1)?.id)
    if (element.desktop && document.visibilityState === 'hidden')
      // Without a notification it is in the list and in the badge.
      for (const message of messages) this.#notify(message).catch(() => {})
    if (element.toasts === null || element.open || element.mode === 'inline') return
    const isAll = element.toasts === 'all'
    this.#toasts.show(messages.filter(({ priority }) => isAll || priority === 'high' || priority === 'urgent'))
  }

  destroy(): void {
    this.#host.anchor.removeEventListener('click', this.#askPermission)
    this.#host.element.removeEventListener('nc-show', this.#onShow)
    this.#toasts.remove()
  }

  /** Opened from outside of the list: in the panel, unless the page prevents it. */
  #open(message: InboxMessage): void {
    const host = this.#host
    host.controller()?.core?.record([message.id], 'opened', { urgent: true })
    if (!host.emit(new NcOpenMessageEvent(message))) return
    host.openingId = message.id
    host.element.show()
  }

  /** Browsers on Android have the class and throw where it is used: there a service worker of the page, if any, shows it. */
  async #notify(message: InboxMessage): Promise<void> {
    if (globalThis.Notification?.permission !== 'granted') return
    const image = imageLink(message.icon)
    const options = { tag: message.id, ...(image !== null && { icon: image }) }
    try {
      const shown = new Notification(message.title, options)
      shown.onclick = () => {
        window.focus()
        this.#toasts.dismiss(message.id)
        this.#open(message)
      }
    } catch {
      const worker = await navigator.serviceWorker?.getRegistration()
      await worker?.showNotification(message.title, options)
    }
  }

  readonly #onOpen = (event: Event): void => this.#open((event as CustomEvent<InboxMessage>).detail)

  readonly #onAction = (event: Event): void => {
    const { message, action } = (event as CustomEvent<{ message: InboxMessage; action: MessageAction }>).detail
    const link = action.link === null ? {} : { link: action.link }
    this.#host.controller()?.core?.record([message.id], 'clicked', { urgent: true, ...link })
    if (!this.#host.emit(new NcActionEvent(message, action))) event.preventDefault()
  }

  /** Whoever opens the panel sees the messages there. */
  readonly #onShow = (): void => this.#toasts.clear()

  /** Asked for on a press alone, never by itself. */
  readonly #askPermission = (): void => {
    if (!this.#host.element.desktop || Notification.permission !== 'default') return
    // Browsers refuse it in frames, and Safari 17 answers a callback.
    void Notification.requestPermission()?.catch(() => {})
  }
}

export const createExtras = (host: PanelHost): Extras => new Extras(host)
