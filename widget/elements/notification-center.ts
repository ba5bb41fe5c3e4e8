// <notification-center>: the element that a site embeds (contract section 13).

import type { InboxMessage } from '../../contract/api.ts'
import { createInboxController, type InboxController, type InboxStatus } from '../inbox/inbox-controller.ts'
import { createSignOutTabs, type SignOutTabs } from '../inbox/sign-out-tabs.ts'
import { afterPaint } from '../lib/after-paint.ts'
import { element } from '../lib/dom.ts'
import { DomElement } from '../lib/dom-classes.ts'
import type { Failure } from '../lib/failure.ts'
import { adopt } from '../lib/sheet.ts'
import { createSay, type Say, usableLocale } from '../lib/words.ts'
import { EN_BELL } from '../locales/en-bell.ts'
import type { Credential, TokenProvider } from '../transport/session.ts'
import { adoptEarlyProperties, FLAG_ATTRIBUTES, mirrorAttributes, OBSERVED, TEXT_ATTRIBUTES } from './attributes.ts'
import { bellStyles } from './bell.styles.ts'
import { type Bell, createBell } from './bell.ts'
import { NcArriveEvent } from './events/arrive.ts'
import { NcCountsEvent } from './events/counts.ts'
import { NcErrorEvent } from './events/error.ts'
import { NcReadyEvent } from './events/ready.ts'
import { identityOf } from './identity.ts'
import { createLaterParts, type LaterParts } from './later-parts.ts'
import { createPanelHost } from './panel-host.ts'
import type { Parts } from './parts.ts'

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
  #later: LaterParts | undefined
  #tabs: SignOutTabs | undefined
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
    if (this.mode !== 'inline') this.open = true
  }
  hide(): void {
    if (this.mode !== 'inline') this.open = false
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
  /** Ends the session here and in all tabs, and wipes what was stored, until a credential is set anew. */
  async signOut(): Promise<void> {
    this.#tabs?.tell(this.#identity)
    await this.#endSession()
  }

  #build(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    adopt(shadow, bellStyles())
    this.#bell = createBell(() => this.toggle())
    this.#live = element('div', { class: 'live', role: 'status', 'aria-live': 'polite' })
    this.#root = element('div', { class: 'root' }, this.#bell.anchor, this.#live)
    shadow.append(this.#root)
    const host = createPanelHost({
      shadow,
      element: this,
      root: this.#root,
      bell: this.#bell,
      live: this.#live,
      controller: () => this.#controller,
    })
    this.#later = createLaterParts(() => NotificationCenter.parts, host)
    for (const type of ['pointerenter', 'focusin'] as const) {
      this.#bell.anchor.addEventListener(type, () => void this.#later?.loadPanel(), { once: true })
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
    const identity = this.isConnected && !this.#isSignedOut ? identityOf(this.#edge(), this.#credential()) : ''
    if (identity !== this.#identity) {
      // A change of user wipes what was stored of the former one; an element that only leaves the page does not.
      void this.#controller?.stop({ wipes: this.isConnected })
      this.#controller = undefined
      this.#later?.reset()
      this.#identity = identity
      this.#wasReady = false
      if (identity !== '') this.#controller = this.#start()
    } else if (identity !== '' && this.#usedCredentialNo !== this.#credentialNo) {
      void this.#controller?.signInAgain()
    }
    this.#usedCredentialNo = this.#credentialNo
    if (this.isConnected) {
      this.#tabs ??= createSignOutTabs((signedOut) => {
        if (signedOut === this.#identity && signedOut !== '') void this.#endSession()
      })
      this.#show()
      return
    }
    this.#later?.drop()
    this.#tabs?.close()
    this.#tabs = undefined
  }

  #credential(): Credential {
    const { userId } = this
    const [apiKey, authType] = [this.apiKey ?? '', this.authType ?? 'backendToken']
    return { apiKey, authType, userId, token: this.#token, tokenProvider: this.#tokenProvider }
  }

  #edge(): string {
    return (this.baseUrl ?? NotificationCenter.scriptOrigin ?? location.origin).replace(/\/+$/, '')
  }

  #start(): InboxController | undefined {
    const { parts } = NotificationCenter
    if (parts === undefined) return undefined
    const identity = this.#identity
    let credential = this.#credential()
    return createInboxController({
      parts,
      baseUrl: this.#edge(),
      // A controller that is being stopped sends its last events as its own user, never as the next one.
      credential: () => {
        if (this.#identity === identity) credential = this.#credential()
        return credential
      },
      onChange: () => this.#show(),
      onArrive: (messages) => this.#arrived(messages),
      onFailure: ({ code, correlationId }: Failure) => this.dispatchEvent(new NcErrorEvent(code, correlationId)),
      afterPaint,
    })
  }

  async #endSession(): Promise<void> {
    const controller = this.#controller
    this.#isSignedOut = true
    this.#controller = undefined
    this.#identity = ''
    this.#wasReady = false
    this.#later?.reset()
    this.#show()
    await controller?.stop({ wipes: true, endsSession: true })
  }

  #show(): void {
    if (!this.isConnected || this.#bell === undefined || this.#root === undefined) return
    const locale = usableLocale(this.locale, this.closest('[lang]')?.getAttribute('lang'), navigator.language)
    this.#say = createSay(locale, 'en', EN_BELL)
    this.#root.dir = this.getAttribute('dir') ?? ''
    const { unread, unopened } = this
    this.#bell.show({ unread, isOpen: this.open, hasPanel: this.mode !== 'inline', say: this.#say })
    this.#tellCounts(unread, unopened)
    if (this.state === 'ready' && !this.#wasReady) {
      this.#wasReady = true
      this.dispatchEvent(new NcReadyEvent())
      void afterPaint().then(() => this.#later?.loadPanel())
    }
    if (this.mode === 'inline' || this.open) void this.#later?.loadPanel()
    this.#later?.update()
  }

  #tellCounts(unread: number, unopened: number): void {
    const counts = `${unread} ${unopened}`
    if (counts === (this.#shownCounts || '0 0')) return
    this.#shownCounts = counts
    this.dispatchEvent(new NcCountsEvent(unread, unopened))
  }

  #arrived(messages: InboxMessage[]): void {
    this.#bell?.ring()
    this.#announce(this.#say('arrived', { count: messages.length, title: messages[0]?.title ?? '' }))
    this.dispatchEvent(new NcArriveEvent(messages))
    if (this.toasts !== null || this.sound || this.desktop) void this.#later?.arrived(messages)
  }

  /** One sentence in the polite live region. */
  #announce(sentence: string): void {
    if (this.#live !== undefined) this.#live.textContent = sentence
  }
}
