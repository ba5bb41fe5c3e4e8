// The parts of the element that come after the badge: the panel, `debug`, and what the page opts into for arrivals.

import { html, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit'
import type { InboxMessage } from '../../contract/api.ts'
import type { Watch } from '../inbox/core-types.ts'
import { hasThrown } from '../lib/failure.ts'
import type { Translate } from '../lib/translations.ts'
import type { CenterElement, Panel, PanelHost } from './panel/panel-types.ts'
import type { Debug, Extras, Parts } from './parts.ts'

export interface ElementPartsOptions {
  parts: () => Parts | undefined
  panelHost: () => PanelHost
  /** `debug` is there, or could not be had: the inbox begins anew, so that all of it is seen. */
  onDebug: () => void
  /** The panel came and threw. */
  onPartFailed: (error: Error) => void
}

type MissingText = 'offlineEmpty' | 'error'

export class ElementParts implements ReactiveController {
  readonly #center: CenterElement & ReactiveControllerHost
  readonly #options: ElementPartsOptions
  #panel: Panel | undefined
  #panelLoading: Promise<void> | undefined
  /** The text of what is wrong with the panel. */
  #missing: MissingText | undefined
  /** The panel came and threw: the inbox ended with it. */
  #hasPanelThrown = false
  #extras: Extras | undefined
  /** Null: could not be had. */
  #debug: Debug | null | undefined
  #debugLoading: Promise<void> | undefined

  constructor(center: CenterElement & ReactiveControllerHost, options: ElementPartsOptions) {
    this.#center = center
    this.#options = options
    center.addController(this)
  }

  /** While it is on its way nothing begins, so that `debug` sees all of it. */
  get isDebugComing(): boolean {
    return this.#debugLoading !== undefined && this.#debug === undefined
  }
  /** What `debug` puts between an inbox that begins now and the service. */
  get watch(): Watch | undefined {
    return this.#debug?.watch()
  }

  /** Follows the attribute `debug`. */
  hostUpdate(): void {
    if (this.#center.debug) this.#debugLoading ??= this.#loadDebug()
    // What did not come is asked for again when the attribute is set anew.
    else if (this.#debug === null) this.#debug = this.#debugLoading = undefined
  }

  hostUpdated(): void {
    if (!this.#isPanelShown) this.#missing = undefined
    if (!this.#center.isConnected) this.#drop()
    this.#panel?.update()
    this.#debug?.update()
  }

  async loadPanel(): Promise<void> {
    // A press of the bell is to ask for the browser's permission, before anything has arrived.
    if (this.#center.desktop) void this.#loadExtras()
    if (this.#panel !== undefined) return
    this.#panelLoading ??= this.#makePanel()
    try {
      await this.#panelLoading
    } finally {
      this.#panelLoading = undefined
    }
  }

  /** In place of a panel that is on its way, a skeleton; of one that could not be had, so much, and a way to try again. */
  missingPanel(t: Translate): unknown {
    if (this.#panel || !this.#isPanelShown) return nothing
    if (this.#missing === undefined) return html`<div class="missing waiting"></div>`
    const isRefused = this.#center.state === 'error'
    const what = isRefused ? 'error' : this.#missing
    const tryAgain = (event: Event): void => {
      event.stopPropagation()
      if (isRefused && !this.#hasPanelThrown) void this.#center.refresh()
      void this.loadPanel()
    }
    return html`<button class="missing" @click=${tryAgain}>${t(what)}. ${t('tryAgain')}</button>`
  }

  /** Another user: nothing of the former one stays in view. */
  reset(): void {
    this.#panel?.reset()
  }

  /** An arrival without its toast is still in the list and in the badge. */
  async arrived(messages: InboxMessage[]): Promise<void> {
    const { toasts, sound, desktop } = this.#center
    if (toasts !== null || sound || desktop) void this.#loadExtras().then((extras) => extras?.arrived(messages))
    await this.loadPanel()
    this.#panel?.arrived(messages)
  }

  get #isPanelShown(): boolean {
    return this.#center.open || this.#center.mode === 'inline'
  }

  async #makePanel(): Promise<void> {
    let missing: MissingText = 'offlineEmpty'
    try {
      const loaded = await this.#options.parts()?.loadPanel()
      if (!this.#center.isConnected) return
      this.#panel = loaded?.createPanel(this.#options.panelHost())
    } catch (error) {
      if (hasThrown(error)) {
        missing = 'error'
        this.#hasPanelThrown = true
        this.#options.onPartFailed(error)
      }
    }
    if (this.#panel && this.#hasPanelThrown) {
      this.#hasPanelThrown = false
      void this.#center.refresh()
    }
    this.#missing = this.#panel === undefined ? missing : undefined
    this.#center.requestUpdate()
  }

  async #loadExtras(): Promise<Extras | undefined> {
    if (this.#extras !== undefined) return this.#extras
    try {
      const loaded = await this.#options.parts()?.loadExtras()
      if (this.#center.isConnected) this.#extras ??= loaded?.createExtras(this.#options.panelHost())
    } catch {
      // An arrival needs no toast; the next one asks again.
    }
    return this.#extras
  }

  async #loadDebug(): Promise<void> {
    let debug: Debug | undefined
    try {
      debug = (await this.#options.parts()?.loadDebug())?.createDebug(this.#options.panelHost())
    } catch {
      // The inbox begins without it.
    }
    this.#debug = debug ?? null
    this.#options.onDebug()
  }

  #drop(): void {
    this.#panel?.destroy()
    this.#extras?.destroy()
    this.#panel = this.#extras = undefined
  }
}
