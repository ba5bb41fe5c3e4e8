// <notification-center>: the element that a site embeds (contract section 13).

import type { InboxMessage, MessageAction } from '../../contract/api.ts'
import { createInboxController, type InboxController, type InboxStatus } from '../inbox/inbox-controller.ts'
import { element } from '../lib/dom.ts'
import { DomElement } from '../lib/dom-classes.ts'
import type { Failure } from '../lib/failure.ts'
import type { Parts } from '../lib/parts.ts'
import { adopt } from '../lib/sheet.ts'
import { createSay, type Say, usableLocale } from '../lib/words.ts'
import { EN_BELL } from '../locales/en-bell.ts'
import { subjectOf, type TokenProvider } from '../transport/session.ts'
import { adoptEarlyProperties, FLAG_ATTRIBUTES, mirrorAttributes, OBSERVED, TEXT_ATTRIBUTES } from './attributes.ts'
import { type Bell, createBell } from './bell.ts'
import { bellStyles } from './bell.styles.ts'
import { NcActionEvent } from './events/action.ts'
import { NcArriveEvent } from './events/arrive.ts'
import { NcCountsEvent } from './events/counts.ts'
import { NcErrorEvent } from './events/error.ts'
import { NcFollowLinkEvent } from './events/follow-link.ts'
import { NcHideEvent } from './events/hide.ts'
import { NcOpenMessageEvent } from './events/open-message.ts'
import { NcReadyEvent } from './events/ready.ts'
import { NcShowEvent } from './events/show.ts'
import type { Extras } from './extras.ts'
import type { Panel, PanelHost } from './panel-types.ts'

const PROPERTIES = [...Object.values(TEXT_ATTRIBUTES), ...FLAG_ATTRIBUTES, 'token', 'tokenProvider', 'renderRow']

/**
 * A bell with a badge, and the user's notifications behind it.
 *
 * @slot bell - in place of the button; pressing it toggles the panel
 * @slot header - beside the panel's title
 * @slot empty - in place of the picture of an empty list
 * @slot footer - below the list
 * @csspart bell badge panel header tabs list row dot title body time actions detail empty error offline toast
 */
export class NotificationCenter extends DomElement {
  static readonly observedAttributes = OBSERVED
  /** How the later parts are loaded; `define` sets it. */
  static parts: Parts | undefined
  /** Where the script came from: the edge, when `base-url` is not set. */
  static scriptOrigin: string | undefined

  /** Registers the class under a tag; a tag that is taken is left as it is. */
  static define(tag = 'notification-center', registry: CustomElementRegistry | undefined = globalThis.customElements) {
    if (registry !== undefined && registry.get(tag) === undefined) registry.define(tag, NotificationCenter)
    return NotificationCenter
  }

  declare apiKey: string | null
  declare userId: string | null
  declare authType: string | null
  declare baseUrl: string | null
  declare mode: string | null
  declare locale: string | null
  declare theme: string | null
  declare toasts: string | null
  declare open: boolean
  declare sound: boolean
  declare desktop: boolean
  declare debug: boolean
  /** Makes the inside of a row; the dot, the keys and the actions stay the element's. */
  renderRow: ((message: InboxMessage) => Node) | undefined

  #token: string | null = null
  #tokenProvider: TokenProvider | null = null
  #controller: InboxController | undefined
  /** Whom the controller serves, and with which credential. */
  #identity = ''
  #credentialNo = 0
  #usedCredentialNo = 0
  #isSignedOut = false
  #isPlanned = false
  #bell: Bell | undefined
  #live: HTMLElement | undefined
  #root: HTMLElement | undefined
  #panel: Panel | undefined
  #panelLoading: Promise<void> | undefined
  #extras: Extras | undefined
  #channel: BroadcastChannel | undefined
  #shownCounts = ''
  #wasReady = false
  #say: Say = createSay('en', 'en', EN_BELL)

  static {
    if (globalThis.HTMLElement !== undefined) mirrorAttributes(NotificationCenter.prototype)
  }

  get token(): string | null {
    return this.#token
  }
  set token(value: string | null | undefined) {
    this.#token = value ?? null
    this.#credentialChanged()
  }

  get tokenProvider(): TokenProvider | null {
    return this.#tokenProvider
  }
  set tokenProvider(value: TokenProvider | null | undefined) {
    if (this.#tokenProvider === (value ?? null)) return
    this.#tokenProvider = value ?? null
    this.#credentialChanged()
  }

  /** The loaded messages of the inbox, newest first. */
  get messages(): InboxMessage[] {
    return this.#controller?.messages ?? []
  }
  /** The badge. */
  get unread(): number {
    return this.#controller?.counts.unread ?? 0
  }
  /** The "Unread" tab. */
  get unopened(): number {
    return this.#controller?.counts.unopened ?? 0
  }
  get state(): InboxStatus {
    return this.#controller?.status ?? 'signed-out'
  }

  connectedCallback(): void {
    adoptEarlyProperties(this, PROPERTIES)
    if (this.#root === undefined) this.#build()
    this.#plan()
  }

  disconnectedCallback(): void {
    this.#plan()
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return
    if (name === 'token') this.token = after
    else if (name === 'api-key' || name === 'user-id' || name === 'auth-type') this.#credentialChanged()
    else this.#plan()
  }

  /** Opens the panel and gives it the focus. */
  show(): void {
    if (!this.#isInline) this.open = true
  }
  hide(): void {
    if (!this.#isInline) this.open = false
  }
  toggle(): void {
    if (this.open) this.hide()
    else this.show()
  }
  /** Reads anew; after a refusal, signs in again. */
  async refresh(): Promise<void> {
    await this.#controller?.refresh()
  }
  async markAllRead(): Promise<void> {
    await this.#controller?.core?.markAllRead()
  }
  /** Ends the session on the server and in all tabs, and forgets what was stored, until a credential is set anew. */
  async signOut(): Promise<void> {
    this.#channel?.postMessage(this.#identity)
    await this.#endSession(true)
  }

  get #isInline(): boolean {
    return this.mode === 'inline'
  }

  #build(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    adopt(shadow, bellStyles())
    this.#bell = createBell(() => this.toggle())
    this.#live = element('div', { class: 'live', role: 'status', 'aria-live': 'polite' })
    this.#root = element('div', { class: 'root' }, this.#bell.anchor, this.#live)
    shadow.append(this.#root)
    for (const type of ['pointerenter', 'focusin'] as const) {
      this.#bell.anchor.addEventListener(type, () => void this.#loadPanel(), { once: true })
    }
  }

  #credentialChanged(): void {
    this.#credentialNo++
    this.#isSignedOut = false
    this.#plan()
  }

  /** Attributes come one by one, and an element may only be moving: what follows from them is done once, after. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      this.#settle()
    })
  }

  #settle(): void {
    const identity = this.isConnected && !this.#isSignedOut ? this.#wantedIdentity() : ''
    if (identity !== this.#identity) {
      // A change of user wipes what was stored of the former one; an element that only leaves the page does not.
      void this.#controller?.stop({ wipes: this.isConnected })
      this.#controller = undefined
      this.#panel?.reset()
      this.#identity = identity
      this.#wasReady = false
      this.#listenToTabs()
      if (identity !== '') this.#controller = this.#start()
    } else if (identity !== '' && this.#usedCredentialNo !== this.#credentialNo) {
      void this.#controller?.signInAgain()
    }
    this.#usedCredentialNo = this.#credentialNo
    if (this.isConnected) this.#show()
    else this.#leave()
  }

  /** Whom to sign in, and where; empty while something is missing. */
  #wantedIdentity(): string {
    const { apiKey, authType, userId } = this
    const hasCredential = this.#tokenProvider !== null || this.#token !== null
    const needsUser = (authType ?? 'backendToken') === 'backendToken' && this.#tokenProvider === null
    if (!apiKey || !hasCredential || (needsUser && !userId)) return ''
    const owner = userId ?? subjectOf(this.#token) ?? ''
    return JSON.stringify([this.#edge(), apiKey, authType, owner])
  }

  #edge(): string {
    return (this.baseUrl ?? NotificationCenter.scriptOrigin ?? location.origin).replace(/\/+$/, '')
  }

  #start(): InboxController | undefined {
    const { parts } = NotificationCenter
    if (parts === undefined) return undefined
    return createInboxController({
      parts,
      baseUrl: this.#edge(),
      credential: () => ({
        apiKey: this.apiKey ?? '',
        authType: this.authType ?? 'backendToken',
        userId: this.userId,
        token: this.#token,
        tokenProvider: this.#tokenProvider,
      }),
      onChange: () => this.#show(),
      onArrive: (messages) => this.#arrived(messages),
      onFailure: ({ code, correlationId }: Failure) => this.dispatchEvent(new NcErrorEvent(code, correlationId)),
      afterPaint,
    })
  }

  #listenToTabs(): void {
    this.#channel?.close()
    this.#channel = undefined
    if (this.#identity === '' || globalThis.BroadcastChannel === undefined) return
    this.#channel = new BroadcastChannel('nc-sign-out')
    this.#channel.onmessage = ({ data }) => {
      if (data === this.#identity) void this.#endSession(false)
    }
  }

  async #endSession(endsSession: boolean): Promise<void> {
    const controller = this.#controller
    this.#isSignedOut = true
    this.#controller = undefined
    this.#identity = ''
    this.#wasReady = false
    this.#listenToTabs()
    this.#panel?.reset()
    this.#show()
    await controller?.stop({ wipes: true, endsSession })
  }

  #show(): void {
    if (!this.isConnected || this.#bell === undefined || this.#root === undefined) return
    const locale = usableLocale(this.locale, this.closest('[lang]')?.getAttribute('lang'), navigator.language)
    this.#say = createSay(locale, 'en', EN_BELL)
    const dir = this.getAttribute('dir')
    if (dir === null) this.#root.removeAttribute('dir')
    else this.#root.setAttribute('dir', dir)
    const { unread, unopened } = this
    this.#bell.show({ unread, isOpen: this.open, hasPanel: !this.#isInline, say: this.#say })
    if (this.#controller !== undefined || this.#shownCounts !== '') this.#tellCounts(unread, unopened)
    if (this.state === 'ready' && !this.#wasReady) {
      this.#wasReady = true
      this.dispatchEvent(new NcReadyEvent())
      void afterPaint().then(() => this.#loadPanel())
    }
    if (this.#isInline || this.open) void this.#loadPanel()
    this.#panel?.update()
  }

  #tellCounts(unread: number, unopened: number): void {
    const counts = `${unread} ${unopened}`
    if (counts === (this.#shownCounts || '0 0')) return
    this.#shownCounts = counts
    this.dispatchEvent(new NcCountsEvent(unread, unopened))
  }

  #arrived(messages: InboxMessage[]): void {
    const [first] = messages
    if (first === undefined) return
    this.#bell?.ring()
    this.announce(this.#say('arrived', { count: messages.length, title: first.title }))
    this.dispatchEvent(new NcArriveEvent(messages))
    if (this.toasts !== null || this.sound || this.desktop) void this.#loadExtras().then((x) => x?.arrived(messages))
  }

  /** One sentence in the polite live region. */
  protected announce(sentence: string): void {
    if (this.#live !== undefined) this.#live.textContent = sentence
  }

  async #loadPanel(): Promise<void> {
    const { parts } = NotificationCenter
    if (this.#panel !== undefined || parts === undefined) return
    this.#panelLoading ??= parts.loadPanel().then(
      ({ createPanel }) => {
        if (!this.isConnected) return
        this.#panel = createPanel(this.#panelHost())
        this.#panel.update()
      },
      () => {},
    )
    await this.#panelLoading
    this.#panelLoading = undefined
  }

  async #loadExtras(): Promise<Extras | undefined> {
    if (this.#extras === undefined && NotificationCenter.parts !== undefined) {
      const { createExtras } = await NotificationCenter.parts.loadExtras()
      this.#extras ??= createExtras(this.#panelHost())
    }
    return this.#extras
  }

  #panelHost(): PanelHost {
    return {
      element: this,
      root: this.#root as HTMLElement,
      shadow: this.shadowRoot as ShadowRoot,
      anchor: this.#bell?.anchor as HTMLElement,
      controller: () => this.#controller,
      focusBell: () => this.#bell?.focus(),
      announce: (sentence) => this.announce(sentence),
      didShow: () => this.dispatchEvent(new NcShowEvent()),
      didHide: () => this.dispatchEvent(new NcHideEvent()),
      mayOpen: (message) => this.dispatchEvent(new NcOpenMessageEvent(message)),
      mayFollow: (message, link) => this.dispatchEvent(new NcFollowLinkEvent(message, link)),
      mayAct: (message: InboxMessage, action: MessageAction) => this.dispatchEvent(new NcActionEvent(message, action)),
    }
  }

  #leave(): void {
    this.#panel?.destroy()
    this.#panel = undefined
    this.#extras?.destroy()
    this.#extras = undefined
  }
}

/** The badge is painted first: the frame is on the screen when the task after the next frame runs. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (document.visibilityState === 'hidden') setTimeout(resolve, 0)
    else requestAnimationFrame(() => setTimeout(resolve, 0))
  })
}
