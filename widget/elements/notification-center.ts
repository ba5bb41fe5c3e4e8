// <notification-center>: the element that a site embeds.

import { html, LitElement, nothing, type PropertyDeclarations } from 'lit'
import type { InboxMessage } from '../../contract/api.ts'
import type { InboxStatus } from '../inbox/core-types.ts'
import { InboxController } from '../inbox/inbox-controller.ts'
import { litRefusal } from '../lib/lit-policy.ts'
import { afterPaint } from '../lib/schedule.ts'
import type { Translations } from '../lib/translations.ts'
import { outsideZone } from '../lib/zone.ts'
import type { TokenProvider } from '../transport/session.ts'
import { AppearanceSheet } from './appearance.ts'
import { NcBell } from './bell.ts'
import { ElementParts } from './element-parts.ts'
import { NcArriveEvent, NcCountsEvent, NcErrorEvent, NcReadyEvent } from './events.ts'
import { directionOf, I18n } from './i18n.ts'
import { CREDENTIAL, credentialOf, edgeOf, isText, TEXTS, textOf } from './identity.ts'
import { hostStyles } from './notification-center.styles.ts'
import type { CenterElement, PanelHost } from './panel/panel-types.ts'
import type { Parts } from './parts.ts'
import { refusedView } from './refused-view.ts'

const FLAG = { type: Boolean }
/** What the element writes for an opening of its own: a copy of it opens nothing, and a re-render that lacks it closes nothing. */
const SHOWN = 'shown'

/**
 * A bell with a badge, and the user's notifications behind it.
 *
 * @slot bell - in place of the button; pressing it toggles the panel
 * @slot header - beside the panel's title
 * @slot empty - in place of the picture of an empty list
 * @slot footer - below the list
 * @csspart bell badge panel header tabs list row dot title body time actions detail empty error offline toast
 */
export class NotificationCenter extends LitElement implements CenterElement {
  static override properties: PropertyDeclarations = {
    // Only `open` is written to the page: what a re-render takes away there would be lost here.
    apiKey: { attribute: 'api-key' },
    userId: { attribute: 'user-id' },
    authType: { attribute: 'auth-type' },
    baseUrl: { attribute: 'base-url' },
    token: {},
    tokenProvider: { attribute: false },
    mode: {},
    locale: {},
    theme: {},
    toasts: {},
    open: { ...FLAG, reflect: true, converter: { toAttribute: (isOpen) => (isOpen ? SHOWN : null) } },
    sound: FLAG,
    desktop: FLAG,
    debug: FLAG,
    renderRow: { attribute: false },
    texts: { attribute: false },
  }
  static override styles = hostStyles
  static override get observedAttributes(): string[] {
    // biome-ignore lint/complexity/noThisInStatic: Lit reads the properties of the class that asks.
    return [...super.observedAttributes, 'dir']
  }
  /** How the parts are loaded; `define` sets it. */
  static parts: Parts | undefined
  /** Where the script came from: the edge, when `base-url` is not set. */
  static scriptOrigin: string | undefined
  /** The edge of the first element: parts of a script without an address of its own come from there. */
  static edge: string | null | undefined

  /** Registers the class under a tag; a tag that is taken is left as it is. */
  static define(tag = 'notification-center', registry: CustomElementRegistry | undefined = globalThis.customElements) {
    if (!registry?.get(tag)) registry?.define(tag, NotificationCenter)
    return NotificationCenter
  }

  declare apiKey: string | null
  declare userId: string | null
  declare authType: string | null
  declare baseUrl: string | null
  declare token: string | null
  declare tokenProvider: TokenProvider | null
  declare mode: string | null
  declare locale: string | null
  declare theme: string | null
  declare toasts: string | null
  declare open: boolean
  declare sound: boolean
  declare desktop: boolean
  declare debug: boolean
  /** Makes the inside of a row; the dot, the keys and the actions stay the element's. */
  declare renderRow: ((message: InboxMessage) => Node) | undefined
  /** Translations of the page's own, by key, in place of the language's (docs/widget.md lists the keys). */
  declare texts: Translations | null | undefined

  readonly #i18n = this.#createI18n()
  // Before the inbox: `debug` decides whether the inbox begins.
  readonly #parts = this.#createElementParts()
  readonly #inbox = this.#createInbox()
  readonly #appearance = new AppearanceSheet()
  #panelHost: PanelHost | undefined
  #reportedCounts = '0 0'
  #wasReady = false

  constructor() {
    super()
    NcBell.register('nc-bell')
    for (const name of TEXTS) this[name] = null
    this.token = this.tokenProvider = null
    this.open = this.sound = this.desktop = this.debug = false
  }

  /** The loaded messages of the inbox, newest first. */
  get messages(): InboxMessage[] {
    return this.#inbox.messages
  }
  /** The badge. */
  get unread(): number {
    return this.#inbox.counts.unread
  }
  /** The number on "Unread". */
  get unopened(): number {
    return this.#inbox.counts.unopened
  }
  get state(): InboxStatus {
    return this.#inbox.status
  }

  /** Opens the panel and gives it the focus. */
  show(): void {
    this.#setOpen(true)
  }
  hide(): void {
    this.#setOpen(false)
  }
  toggle(): void {
    this.#setOpen(!this.open)
  }
  /** Reads anew; after a refusal, signs in again. */
  async refresh(): Promise<void> {
    await this.#inbox.refresh()
  }
  async markAllRead(): Promise<void> {
    await this.#inbox.markAllRead()
  }
  /** Ends the session here and in all tabs, and wipes what was stored, until a credential is set anew. */
  async signOut(): Promise<void> {
    await this.#inbox.signOut()
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    const isCopied = before === null && after === SHOWN && !this.open
    const isTaken = before === SHOWN && after === null && this.open
    if (name === 'open' && isCopied) this.removeAttribute(name)
    else if (name === 'open' && isTaken) this.setAttribute(name, SHOWN)
    else super.attributeChangedCallback(name, before, after)
    if (name === 'dir') this.requestUpdate()
  }

  /** After a sign-out the same credential, set anew, signs in again: Lit calls this also for a value that is not another one. */
  override requestUpdate(...request: Parameters<LitElement['requestUpdate']>): void {
    const [name] = request
    // The base class calls it before this class has its fields; then there is no name.
    if (name !== undefined && CREDENTIAL.includes(name)) this.#inbox.signIn()
    outsideZone(() => super.requestUpdate(...request))
  }

  protected override willUpdate(): void {
    NotificationCenter.edge ||= this.baseUrl && this.#edge
    for (const name of TEXTS) if (!isText(this[name])) this[name] = textOf(this[name])
    if (this.token === undefined) this.token = null
    if (this.tokenProvider === undefined) this.tokenProvider = null
  }

  protected override render(): unknown {
    // Before the badge nothing else is fetched.
    if (this.state !== 'loading' || this.open) this.#i18n.follow()
    const { t, short, tag } = this.#i18n
    const { unread, mode } = this
    const name = unread === 0 ? t('notifications') : t('bell', { count: unread })
    if (litRefusal) return refusedView(this, name, t('error'))
    const isInline = mode === 'inline'
    const missing = this.#parts.missingPanel(t)
    const direction = this.getAttribute('dir') ?? (this.locale === null ? '' : directionOf(tag))
    return html`<div class="root ${isInline ? 'inline' : ''}" dir=${direction}>
      <div
        class="anchor"
        @click=${this.toggle}
        @pointerenter=${this.#loadPanel}
        @focusin=${this.#loadPanel}
      >
        <nc-bell
          .label=${name}
          .badge=${unread === 0 ? '' : short(unread)}
          .expanded=${this.open && !isInline}
        ></nc-bell>
        ${isInline ? nothing : missing}
      </div>
      <div class="live" role="status" aria-live="polite"></div>
      ${isInline ? missing : nothing}
    </div>`
  }

  protected override updated(): void {
    if (!this.isConnected) return
    const { appearance } = this.#inbox
    this.#appearance.apply(this.renderRoot as ShadowRoot, this, appearance)
    this.#reportChanges()
    // With the core, which comes after the badge: the panel prepares itself while the list is on its way.
    if (this.mode === 'inline' || this.open || this.#inbox.core) void this.#parts.loadPanel()
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete()
    await this.#bell?.updateComplete
    return isComplete
  }

  get #edge(): string {
    return edgeOf(this, NotificationCenter.scriptOrigin)
  }
  get #bell(): NcBell | null {
    return this.renderRoot.querySelector<NcBell>('nc-bell')
  }

  #createI18n(): I18n {
    return new I18n({
      element: this,
      locale: () => this.locale,
      overrides: () => [this.texts, this.#inbox.appearance?.texts as Translations | undefined],
      parts: () => NotificationCenter.parts,
      onChange: () => this.requestUpdate(),
    })
  }

  #createElementParts(): ElementParts {
    return new ElementParts(this, {
      parts: () => (litRefusal ? undefined : NotificationCenter.parts),
      panelHost: () => this.#getPanelHost(),
      onDebug: () => this.#inbox.restart(),
      onPartFailed: (error) => this.#inbox.partFailed(error),
    })
  }

  #createInbox(): InboxController {
    const refuse = () => Promise.reject(litRefusal)
    return new InboxController(this, {
      baseUrl: () => this.#edge,
      credential: () => credentialOf(this),
      parts: () => (litRefusal ? { loadCore: refuse, loadRealtime: refuse } : NotificationCenter.parts),
      isHeld: () => this.#parts.isDebugComing,
      watch: () => this.#parts.watch,
      staysAwake: () => this.desktop || this.sound,
      afterPaint,
      onArrive: (messages) => this.#onArrive(messages),
      onFailure: ({ code, correlationId }) => this.dispatchEvent(new NcErrorEvent(code, correlationId)),
      onEnd: () => {
        this.#wasReady = false
        this.#parts.reset()
      },
    })
  }

  /** The element as its parts see it. */
  #getPanelHost(): PanelHost {
    const shadow = this.renderRoot as ShadowRoot
    const find = (selector: string) => shadow.querySelector(selector) as HTMLElement
    this.#panelHost ??= {
      element: this,
      shadow,
      root: find('.root'),
      anchor: find('.anchor'),
      i18n: this.#i18n,
      parts: () => NotificationCenter.parts,
      controller: () => this.#inbox,
      focusBell: () => this.#bell?.focus(),
      emit: (event) => this.dispatchEvent(event),
    }
    return this.#panelHost
  }

  #loadPanel(): void {
    void this.#parts.loadPanel()
  }

  #setOpen(isOpen: boolean): void {
    if (this.mode !== 'inline') this.open = isOpen
  }

  /** `nc-counts` when the numbers change, and `nc-ready` once per sign-in. */
  #reportChanges(): void {
    const { unread, unopened } = this
    const counts = `${unread} ${unopened}`
    const isReady = this.state === 'ready' && !this.#wasReady
    const isNew = isReady || counts !== this.#reportedCounts
    this.#reportedCounts = counts
    this.#wasReady ||= isReady
    // Also with the list: the stored counts were reported too soon for a page whose script comes after this one.
    if (isNew) this.dispatchEvent(new NcCountsEvent(unread, unopened))
    if (isReady) this.dispatchEvent(new NcReadyEvent())
  }

  #onArrive(messages: InboxMessage[]): void {
    this.#bell?.ring()
    this.dispatchEvent(new NcArriveEvent([...messages]))
    void this.#parts.arrived(messages)
  }
}
