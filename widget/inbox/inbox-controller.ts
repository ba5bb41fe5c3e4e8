// A user's inbox as a reactive controller: any host that renders can show it.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { Appearance, InboxMessage } from '../../contract/api.ts'
import { createServerClock, type ServerClock } from '../lib/clock.ts'
import type { Failure } from '../lib/failure.ts'
import { outsideZone } from '../lib/zone.ts'
import type { Credential } from '../transport/session.ts'
import type { Counts } from './change-log.ts'
import type { CoreParts } from './core-parts.ts'
import type { InboxCore, InboxStatus, StopOptions, Watch } from './core-types.ts'
import { identityOf, lastWhile } from './identity.ts'
import type { Inbox, InboxOptions } from './inbox.ts'
import { JoinedInbox } from './joined-inbox.ts'
import { type Channel, openSignOuts } from './sync/broadcast.ts'

export interface InboxControllerOptions {
  /** Origin (and path) of the edge; read at each update of the host, as is the credential. */
  baseUrl: () => string
  credential: () => Credential
  /** How the part of the inbox is loaded; undefined: nothing begins. */
  parts: () => CoreParts | undefined
  onArrive?: (messages: InboxMessage[]) => void
  onFailure?: (failure: Failure) => void
  /** The inbox of a user ended: another one may follow. */
  onEnd?: () => void
  /** True while nothing may begin or end yet. */
  isHeld?: () => boolean
  /** What stands between an inbox that begins now and the service. */
  watch?: () => Watch | undefined
  staysAwake?: InboxOptions['staysAwake']
  afterPaint?: InboxOptions['afterPaint']
}

const NONE: Counts = { unread: 0, unopened: 0 }
/** A host that is moved, kept through a visit or copied is back in the page by then: its session goes on. */
const ABSENT_MS = 1_000
/** Controllers whose hosts have just left the page. */
const leaving = new Set<InboxController>()

export type { InboxStatus } from './core-types.ts'

/** Follows the credential of its host; requests an update of the host when something has changed. */
export class InboxController implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #options: InboxControllerOptions
  readonly #clock = createServerClock()
  #joined: JoinedInbox | undefined
  /** This controller as a member of the joined inbox. */
  #member: InboxOptions | undefined
  /** Whom the inbox serves; empty while there is none. */
  #identity = ''
  #credential: Credential | undefined
  #isConnected = false
  /** Ends the inbox of a host that does not come back. */
  #leaving: ReturnType<typeof setTimeout> | undefined
  #isSignedOut = false
  #signOuts: Channel | undefined

  constructor(host: ReactiveControllerHost, options: InboxControllerOptions) {
    this.#host = host
    this.#options = options
    host.addController(this)
  }

  get status(): InboxStatus {
    return this.#inbox?.status ?? 'signed-out'
  }
  get counts(): Counts {
    return this.#inbox?.counts ?? NONE
  }
  /** The loaded messages, newest first. */
  get messages(): InboxMessage[] {
    return this.#inbox?.messages ?? []
  }
  /** Why the service refused, while `status` is `error`. */
  get failure(): Failure | undefined {
    return this.#inbox?.failure
  }
  /** Look and texts that the service sets for this user. */
  get appearance(): Appearance | null {
    return this.#inbox?.appearance ?? null
  }
  /** The service's time. */
  get clock(): ServerClock {
    return this.#inbox?.clock ?? this.#clock
  }
  /** Lists and actions; undefined until they are loaded. */
  get core(): InboxCore | undefined {
    return this.#inbox?.core
  }

  /** Reads the messages anew; after a refusal, signs in again. */
  async refresh(): Promise<void> {
    await outsideZone(() => this.#inbox?.refresh())
  }
  /** A part of the host came and threw: an error, as when the service refuses. */
  partFailed(error: Error): void {
    this.#inbox?.partFailed(error)
  }
  async markAllRead(): Promise<void> {
    await outsideZone(() => this.core?.markAllRead())
  }
  /** Ends the session here and in all tabs, and deletes what was stored, until `signIn`. */
  async signOut(): Promise<void> {
    this.#signOuts?.postMessage(this.#identity)
    await outsideZone(() => this.#endSession())
  }
  /** After a sign-out: signs in with the credential of the host. */
  signIn(): void {
    if (!this.#isSignedOut) return
    this.#isSignedOut = false
    this.#host.requestUpdate()
  }
  /** Begins anew with the next update of the host. */
  restart(): void {
    void this.#end()
    this.#host.requestUpdate()
  }

  hostConnected(): void {
    this.#stay()
    this.#isConnected = true
    this.#host.requestUpdate()
  }
  hostDisconnected(): void {
    this.#isConnected = false
    this.#leaving = outsideZone(() => setTimeout(() => this.#leave(), ABSENT_MS))
    leaving.add(this)
    this.#host.requestUpdate()
  }
  /** Before the host renders, so that stored counts are in its first rendering. */
  hostUpdate(): void {
    if (this.#options.isHeld?.() === true) return
    const [baseUrl, credential] = [this.#options.baseUrl(), this.#options.credential()]
    const isHere = this.#isConnected || leaving.has(this)
    const identity = isHere && !this.#isSignedOut ? identityOf(baseUrl, credential) : ''
    if (identity !== this.#identity) {
      // A change of user deletes what was stored of the former one; a host that leaves the page does not.
      void this.#end({ wipes: this.#isConnected })
      if (identity !== '') this.#begin(identity, baseUrl)
    } else if (this.#member) this.#followCredential(this.#member, credential)
    this.#credential = credential
    if (isHere) this.#signOuts ??= openSignOuts((identity) => this.#onSignOut(identity))
    else {
      this.#signOuts?.close()
      this.#signOuts = undefined
    }
  }

  #stay(): void {
    clearTimeout(this.#leaving)
    leaving.delete(this)
  }

  #leave(): void {
    this.#stay()
    this.#host.requestUpdate()
  }

  get #inbox(): Inbox | undefined {
    return this.#joined?.inbox
  }

  #begin(identity: string, baseUrl: string): void {
    const { parts, credential, watch, ...options } = this.#options
    const [loaded, host] = [parts(), this.#host]
    this.#identity = identity
    // Of a former user nothing stays for another one: what no page shows can be wiped.
    for (const each of leaving) if (each.#identity !== identity) each.#leave()
    if (loaded === undefined) return
    this.#member = {
      parts: loaded,
      baseUrl,
      // An inbox that is ending sends its last events as its own user, never as the next one.
      credential: lastWhile(() => this.#identity === identity, credential),
      watch: watch?.(),
      staysAwake: options.staysAwake,
      afterPaint: options.afterPaint,
      onChange: () => host.requestUpdate(),
      onArrive: (messages) => this.#isConnected && options.onArrive?.(messages),
      onFailure: (failure) => options.onFailure?.(failure),
    }
    this.#joined = JoinedInbox.join(this.#member)
  }

  /** The same user, perhaps with another token. */
  #followCredential(member: InboxOptions, { token, tokenProvider }: Credential): void {
    const before = this.#credential
    if (before === undefined) return
    const isOtherKind = (before.tokenProvider === null) !== (tokenProvider === null)
    if (isOtherKind || before.token !== token) void this.#joined?.tokenChanged(member)
    // Frameworks set a new function at each render: it is used when the next token is needed.
    else if (before.tokenProvider !== tokenProvider) this.#joined?.providerChanged(member)
  }

  #onSignOut(identity: string): void {
    if (identity === this.#identity && identity !== '') void this.#endSession()
  }

  async #endSession(): Promise<void> {
    this.#isSignedOut = true
    const ended = this.#end({ wipes: true, endsSession: true })
    this.#host.requestUpdate()
    await ended
  }

  async #end(how?: StopOptions): Promise<void> {
    const [joined, member] = [this.#joined, this.#member]
    const hadIdentity = this.#identity !== ''
    this.#joined = this.#member = undefined
    this.#identity = ''
    if (hadIdentity) this.#options.onEnd?.()
    if (joined && member) await joined.leave(member, how)
  }
}
