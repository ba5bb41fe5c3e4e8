// Shows what was done, for five seconds, with a button that takes it back.

import type { ReactiveController } from 'lit'
import type { Translate } from '../../lib/translations.ts'
import { listenInPage } from './listening.ts'
import type { NoticeOptions, Notices, PanelView } from './panel-types.ts'

export interface Notice extends NoticeOptions {
  /** Of its text. */
  key: string
}

const SHOWN_MS = 5_000

/** What happened, and why when it did not work. */
export function textOf({ key, failure }: Notice, t: Translate): string {
  const text = t(key)
  if (failure === undefined) return text
  const { status, correlationId } = failure
  if (status === 404) return `${text} ${t('gone')}`
  if (status === 401 || status === 403) return `${text} ${t('errorHint')}`
  return correlationId === null ? text : `${text} ${t('reference', { id: correlationId })}`
}

export class NoticeController implements ReactiveController, Notices {
  readonly #panel: PanelView
  #shown: Notice | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(panel: PanelView) {
    this.#panel = panel
    panel.addController(this)
    listenInPage(panel, () => [[window, 'pagehide', () => this.end()]])
  }

  get shown(): Notice | undefined {
    return this.#shown
  }

  show(key: string, options?: NoticeOptions): void {
    this.end()
    this.#shown = { key, ...options }
    this.#panel.host.announce?.(textOf(this.#shown, this.#panel.i18n.t))
    this.#wait()
    this.#panel.requestUpdate()
  }

  undo(): void {
    const undone = this.#shown
    this.#shown = undefined
    this.end()
    undone?.undo?.()
  }

  /** Ends what is shown: it can no more be undone. */
  end(): void {
    clearTimeout(this.#timer)
    const last = this.#shown
    this.#shown = undefined
    last?.settle?.()
    this.#panel.requestUpdate()
  }

  hostDisconnected(): void {
    this.end()
  }

  /** One that is pointed at or has the focus stays. */
  #wait(): void {
    clearTimeout(this.#timer)
    const isHeld = (): boolean => this.#panel.querySelector('.notice:is(:hover, :focus-within)') !== null
    this.#timer = setTimeout(() => (isHeld() ? this.#wait() : this.end()), SHOWN_MS)
  }
}
