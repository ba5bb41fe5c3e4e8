// <notification-center>: the element that a site embeds.

import type { InboxMessage } from '../../contract/api.ts'
import type { InboxController, InboxStatus } from '../inbox/inbox-controller.ts'
import { joinInbox } from '../inbox/joined-inbox.ts'
import { openSignOuts } from '../inbox/sync/sign-out-tabs.ts'
import { afterPaint } from '../lib/after-paint.ts'
import { DomElement } from '../lib/dom-classes.ts'
import type { Failure } from '../lib/failure.ts'
import type { Words } from '../lib/words.ts'
import type { TokenProvider } from '../transport/session.ts'
import { adoptEarlyProperties, mirrorAttributes, OBSERVED } from './attributes.ts'
import { NcArriveEvent } from './events/arrive.ts'
import { NcErrorEvent } from './events/error.ts'
import { buildFrame, type Frame } from './frame.ts'
import { credentialOf, edgeOf, identityOf, lastWhile } from './identity.ts'
import { createLaterParts, type LaterParts } from './later-parts.ts'
import { createMilestones } from './milestones.ts'
import { createNews } from './news.ts'
import { createPanelHost } from './panel-host.ts'
import type { Parts } from './parts.ts'
import { createVoice, directionOf } from './voice.ts'

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
    if (!registry?.get(tag)) registry?.define(tag, NotificationCenter)
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
  #texts: Words | null | undefined
  #renderRow: ((message: InboxMessage) => Node) | undefined
  #token: string | null = null
  #tokenProvider: TokenProvider | null = null
  #controller: InboxController | undefined
  /** Whom the controller serves, and with which credential. */
  #identity = ''
  #credentialNo = 0
  #usedCredentialNo = 0
  /** The page has set another function in place of the former one. */
  #hasNewProvider = false
  #isSignedOut = false
  #isPlanned = false
  #frame: Frame | undefined
  #later: LaterParts | undefined
  #tellNews: ReturnType<typeof createNews> | undefined
  #signOuts: ReturnType<typeof openSignOuts>
  readonly #milestones = createMilestones(this)
  readonly #voice = createVoice(
    this,
    () => NotificationCenter.parts,
    () => this.#show(),
  )

  static {
    mirrorAttributes(NotificationCenter.prototype)
  }

  /** Words of the page's own, by key, in place of the language's (docs/widget.md lists the keys). */
  get texts(): Words | null | undefined {
    return this.#texts
  }
  set texts(value: Words | null | undefined) {
    this.#texts = value
    this.#plan()
  }
  /** Makes the inside of a row; the dot, the keys and the actions stay the element's. */
  get renderRow(): ((message: InboxMessage) => Node) | undefined {
    return this.#renderRow
  }
  set renderRow(value: ((message: InboxMessage) => Node) | undefined) {
    this.#renderRow = value
    this.#plan()
  }
  get token(): string | null {
    return this.#token
  }
  set token(value: string | null | undefined) {
    const before = this.#token
    this.#token = value ?? null
    if (before !== this.#token || this.#isSignedOut) this.#credentialChanged()
  }
  get tokenProvider(): TokenProvider | null {
    return this.#tokenProvider
  }
  set tokenProvider(value: TokenProvider | null | undefined) {
    const before = this.#tokenProvider
    this.#tokenProvider = value ?? null
    const isOtherKind = (before === null) !== (this.#tokenProvider === null)
    // Frameworks set a new function at each render: it is asked when the next token is needed.
    this.#hasNewProvider ||= before !== this.#tokenProvider
    if (isOtherKind || this.#isSignedOut) this.#credentialChanged()
    else this.#plan()
  }

  /** The loaded messages of the inbox, newest first. */
  get messages(): InboxMessage[] {
    return this.#controller?.messages ?? []
  }
  /** The badge. */
  get unread(): number {
    return this.#controller?.counts.unread ?? 0
  }
  /** The number on "Unread". */
  get unopened(): number {
    return this.#controller?.counts.unopened ?? 0
  }
  get state(): InboxStatus {
    return this.#controller?.status ?? 'signed-out'
  }

  connectedCallback(): void {
    adoptEarlyProperties(this)
    if (!this.#frame) this.#build()
    this.#plan()
  }

  disconnectedCallback(): void {
    this.#plan()
  }
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // After a sign-out the same credential is one that is set anew.
    if (before === after && !this.#isSignedOut) return
    if (name === 'token') this.token = after
    else if (/key|user|auth/.test(name)) this.#credentialChanged()
    else this.#plan()
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
    await this.#controller?.refresh()
  }
  async markAllRead(): Promise<void> {
    await this.#controller?.core?.markAllRead()
  }
  /** Ends the session here and in all tabs, and wipes what was stored, until a credential is set anew. */
  async signOut(): Promise<void> {
    this.#signOuts?.postMessage(this.#identity)
    await this.#endSession()
  }

  #build(): void {
    const frame = buildFrame(this, () => this.toggle())
    this.#frame = frame
    this.#tellNews = createNews(frame.live, this.#voice)
    const [parts, controller] = [() => NotificationCenter.parts, () => this.#controller]
    const host = createPanelHost({ ...frame, element: this, voice: this.#voice, parts, controller })
    this.#later = createLaterParts(parts, host, () => {
      void this.#controller?.stop()
      this.#controller = undefined
      this.#identity = ''
      this.#plan()
    })
    for (const type of ['pointerenter', 'focusin'] as const) {
      frame.bell.anchor.addEventListener(type, () => void this.#later?.loadPanel(), { once: true })
    }
  }

  #setOpen(isOpen: boolean): void {
    if (this.mode !== 'inline') this.open = isOpen
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
    if (this.#later?.isDebugComing() === true) return
    const identity =
      this.isConnected && !this.#isSignedOut
        ? identityOf(edgeOf(this, NotificationCenter.scriptOrigin), credentialOf(this))
        : ''
    if (identity !== this.#identity) {
      // A change of user wipes what was stored of the former one; an element that only leaves the page does not.
      void this.#controller?.stop({ wipes: this.isConnected })
      this.#controller = undefined
      this.#later?.reset()
      this.#identity = identity
      this.#milestones.reset()
      if (identity !== '') this.#controller = this.#start()
    } else if (identity !== '' && this.#usedCredentialNo !== this.#credentialNo) {
      void this.#controller?.signInAgain()
    } else if (this.#hasNewProvider) this.#controller?.providerChanged()
    this.#usedCredentialNo = this.#credentialNo
    this.#hasNewProvider = false
    if (this.isConnected) {
      this.#signOuts ??= openSignOuts((signedOut) => {
        if (signedOut === this.#identity && signedOut !== '') void this.#endSession()
      })
      this.#show()
      return
    }
    this.#later?.drop()
    this.#signOuts?.close()
    this.#signOuts = undefined
  }

  #start(): InboxController | undefined {
    const [parts, identity] = [NotificationCenter.parts, this.#identity]
    return (
      parts &&
      joinInbox({
        parts,
        baseUrl: edgeOf(this, NotificationCenter.scriptOrigin),
        // A controller that is being stopped sends its last events as its own user, never as the next one.
        credential: lastWhile(
          () => this.#identity === identity,
          () => credentialOf(this),
        ),
        watch: this.#later?.watch(),
        staysAwake: () => this.desktop || this.sound,
        onChange: () => this.#show(),
        onArrive: (messages) => this.#arrived(messages),
        onFailure: ({ code, correlationId }: Failure) => this.dispatchEvent(new NcErrorEvent(code, correlationId)),
        afterPaint,
      })
    )
  }

  async #endSession(): Promise<void> {
    const controller = this.#controller
    this.#isSignedOut = true
    this.#controller = undefined
    this.#identity = ''
    this.#milestones.reset()
    this.#later?.reset()
    this.#show()
    await controller?.stop({ wipes: true, endsSession: true })
  }

  #show(): void {
    if (!this.isConnected || !this.#frame) return
    const { root, bell } = this.#frame
    // Before the badge nothing else is fetched.
    if (this.state !== 'loading' || this.open) this.#voice.follow()
    root.dir = this.getAttribute('dir') ?? (this.locale === null ? '' : directionOf(this.#voice.tag))
    bell.show({ unread: this.unread, isOpen: this.open, hasPanel: this.mode !== 'inline', voice: this.#voice })
    this.#milestones.report()
    // With the core, which comes after the badge: the panel gets itself ready while the list is on its way.
    if (this.mode === 'inline' || this.open || this.#controller?.core) void this.#later?.loadPanel()
    this.#later?.update()
  }

  #arrived(messages: InboxMessage[]): void {
    this.#frame?.bell.ring()
    this.#tellNews?.(messages)
    this.dispatchEvent(new NcArriveEvent([...messages]))
    if (this.toasts !== null || this.sound || this.desktop) void this.#later?.arrived(messages)
  }
}
