// One user's inbox from sign-in to sign-out, without DOM: signs in, knows the counts, and loads the core once the badge is painted.

import type { Appearance, InboxMessage } from '../../contract/api.ts'
import { createServerClock } from '../lib/clock.ts'
import type { CallError, Failure } from '../lib/failure.ts'
import { failureOf, hasThrown, isOutOfReach, noAnswer, PART_FAILED } from '../lib/failure.ts'
import { createRetries, type Retries } from '../lib/retries.ts'
import { createApi } from '../transport/api.ts'
import { type Credential, createSession, type Known, type Session, type SignedIn } from '../transport/session.ts'
import { beginInTurn } from './ask-leader.ts'
import { inboxKey, readCounts } from './cached-counts.ts'
import type { Counts } from './change-log.ts'
import type { CoreParts } from './core-parts.ts'
import type { InboxCore, InboxStatus, StopOptions, Watch } from './core-types.ts'
import { ownerOf, proofOf } from './identity.ts'
import type { InboxStorage } from './storage.ts'
import { BROADCAST, type Broadcast } from './sync/broadcast.ts'

export interface InboxOptions {
  /** Origin (and path) of the edge. */
  baseUrl: string
  /** Read at each sign-in, so that a new token of the same user is used. */
  credential: () => Credential
  parts: CoreParts
  /** Status, counts or messages may be different now. */
  onChange: () => void
  onArrive: (messages: InboxMessage[]) => void
  onFailure: (failure: Failure) => void
  /** True where arrivals reach somebody who does not see the page: the socket stays open while the page is hidden. */
  staysAwake?: (() => boolean) | undefined
  /** Waits until the badge is painted; default: does not wait. */
  afterPaint?: (() => Promise<void>) | undefined
  /** Storage of this browser. */
  storage?: InboxStorage
  /** The other tabs of this browser. */
  broadcast?: Broadcast
  /** Stands between the inbox and the service; `debug` sets it. */
  watch?: Watch | undefined
}

const NONE: Counts = { unread: 0, unopened: 0 }

export class Inbox {
  readonly clock = createServerClock()
  readonly #options: InboxOptions
  readonly #retries: Retries
  #session: Session
  #core: InboxCore | undefined
  #coreLoading: Promise<InboxCore | undefined> | undefined
  #counts = NONE
  #failure: Failure | undefined
  #lastReported: Failure | undefined
  #isReached = true
  #signedIn: SignedIn | undefined
  #isStopped = false
  /** Lets the next page begin that waits for this one. */
  #endTurn = (): void => {}

  /** Signs in at once and stays up to date until `stop`. */
  constructor(options: InboxOptions) {
    this.#options = options
    this.#retries = createRetries(
      () => this.#isStopped,
      (delayMs) => options.watch?.signInIn(delayMs),
    )
    this.#session = this.#newSession()
    globalThis.addEventListener?.('online', this.#tryAgain)
    this.#begin()
  }

  get status(): InboxStatus {
    if (this.#isStopped) return 'signed-out'
    if (this.#failure) return 'error'
    if (!this.#isReached) return 'offline'
    return this.#signedIn && this.#core?.isLoaded() ? 'ready' : 'loading'
  }
  get counts(): Counts {
    return this.#counts
  }
  /** The loaded messages, newest first. */
  get messages(): InboxMessage[] {
    return [...(this.#core?.list('all') ?? [])]
  }
  /** Why the service refused, while `status` is `error`. */
  get failure(): Failure | undefined {
    return this.#failure
  }
  /** Undefined until it is loaded. */
  get core(): InboxCore | undefined {
    return this.#core
  }
  /** Look and texts that the service sets for this user; null: none, or not signed in yet. */
  get appearance(): Appearance | null {
    return this.#signedIn?.answer.appearance ?? null
  }

  async refresh(): Promise<void> {
    if (!this.#signedIn || this.#failure) await this.signInAgain()
    else await this.#core?.refresh()
  }

  /** The page set another token. Of the same user, beside a session, it is kept for the next sign-in. */
  async tokenChanged(): Promise<void> {
    const owner = ownerOf(this.#options.credential())
    if (this.#failure || owner === undefined || this.#signedIn?.ownerId !== owner) await this.signInAgain()
  }

  /** The page set another provider: used for the next token, and soon when the service had refused. */
  providerChanged(): void {
    if (this.#failure) this.#retries.soon(() => this.signInAgain())
  }

  async signInAgain(): Promise<void> {
    if (this.#failure) {
      this.#failure = this.#signedIn = this.#core = this.#coreLoading = undefined
      this.#session = this.#newSession()
      this.#changed()
    }
    await this.#signIn(true)
  }

  /** A part came and threw: trying again does not help by itself. */
  partFailed({ message }: Error): void {
    if (this.#isStopped || this.#failure) return
    this.#options.watch?.partFailed(message)
    this.#refuse(PART_FAILED)
  }

  /** Ends everything; no callback follows. */
  async stop({ wipes = false, endsSession = false }: StopOptions = {}): Promise<void> {
    this.#isStopped = true
    this.#endTurn()
    this.#retries.stop()
    globalThis.removeEventListener?.('online', this.#tryAgain)
    const ownerId = ownerOf(this.#options.credential())
    // What is stored is deleted, also when nothing of it was shown yet.
    if (wipes && ownerId !== undefined) this.#coreLoading ??= this.#loadCore(ownerId)
    // A session whose answer is still on its way ends when it comes.
    const end = (): Promise<void> => this.#session.stop(endsSession || !this.#signedIn)
    // A page that navigates meanwhile waits for nothing more.
    globalThis.addEventListener?.('pagehide', end)
    await this.#endCore({ wipes })
    globalThis.removeEventListener?.('pagehide', end)
    await end()
  }

  /** Shows the counts that this browser stored, asks another tab for what it knows, and signs in unless that tab answers. */
  #begin(): void {
    const { credential, baseUrl, storage, watch, broadcast = BROADCAST } = this.#options
    const ownerId = ownerOf(credential())
    if (ownerId === undefined) return void this.#signIn()
    const key = inboxKey(credential().apiKey, baseUrl, ownerId)
    this.#counts = (storage ?? { readCounts }).readCounts?.(key) ?? this.#counts
    const proof = watch ? '' : proofOf(credential())
    this.#endTurn = beginInTurn(broadcast, key, proof, {
      hasBegun: () => this.#isStopped || this.#signedIn || this.#failure,
      take: (answer: Known) => this.#takeSession({ ownerId, answer }),
      signIn: () => this.#signIn(),
    })
  }

  #newSession(): Session {
    const { baseUrl, credential, watch } = this.#options
    const call = createApi(baseUrl)
    return createSession({
      call: watch?.call(call) ?? call,
      credential,
      onSignedIn: (signedIn) => this.#takeSession(signedIn),
      onRefused: (error: CallError) => this.#refuse(failureOf(error)),
    })
  }

  async #signIn(isNew?: boolean): Promise<void> {
    this.#retries.stop()
    try {
      await this.#session.signIn('start', isNew)
    } catch (error) {
      // A call that needed the session may have reported it already.
      if (this.#isStopped || this.#failure) return
      const problem = failureOf(error)
      if (!isOutOfReach(problem)) return this.#refuse(problem)
      this.#reach(false, problem)
      this.#retries.later(() => this.#signIn(), problem.retryAfterMs)
      const ownerId = ownerOf(this.#options.credential())
      if (ownerId !== undefined && !this.#core) void this.#startCore(ownerId)
    }
  }

  /** By the service, or by a tab that knows. */
  #takeSession(next: SignedIn): void {
    if (this.#isStopped) return
    this.clock.set(next.answer.now)
    if (this.#signedIn && this.#signedIn.ownerId !== next.ownerId) {
      // The provider answered with another user: nothing of the former one stays in view.
      void this.#endCore({ wipes: true, sends: false })
      this.#core = undefined
    }
    this.#signedIn = next
    this.#isReached = true
    void this.#startCore(next.ownerId)
    const { unread, unopened } = next.answer.inbox
    this.#counts = { unread, unopened }
    this.#changed()
  }

  /** Loads the core once; signed in, it starts. Without the service it shows what is stored. */
  async #startCore(ownerId: string): Promise<void> {
    this.#coreLoading ??= this.#loadCore(ownerId)
    const loading = this.#coreLoading
    const loaded = await loading
    // Ended meanwhile, or another user's.
    if (this.#coreLoading !== loading) return
    this.#core = loaded
    if (loaded) this.#retries.cancel()
    // Before the host renders: what is stored may have older counts than the sign-in.
    const started = this.#signedIn && loaded?.start(this.#signedIn)
    this.#changed()
    if (!loaded) {
      this.#coreLoading = undefined
      if (this.#failure) return
      this.#reach(false)
      this.#retries.later(() => this.#signIn())
    }
    await started
  }

  /** @returns undefined when the part could not be fetched: the service is out of reach; or when it threw */
  async #loadCore(ownerId: string): Promise<InboxCore | undefined> {
    const { afterPaint, parts, watch, credential, baseUrl, storage, onArrive, staysAwake } = this.#options
    await afterPaint?.()
    try {
      const part = await parts.loadCore()
      return part.createInboxCore({
        session: this.#session,
        signIn: () => this.#signIn(),
        prove: () => proofOf(credential()),
        watch,
        ownerId,
        clock: this.clock,
        apiKey: credential().apiKey,
        baseUrl,
        storage,
        broadcast: this.#options.broadcast ?? BROADCAST,
        loadRealtime: parts.loadRealtime,
        onChange: () => this.#changed(),
        onArrive: (messages) => !this.#isStopped && onArrive(messages),
        onLive: () => this.#endTurn(),
        onReach: (isReached, failure) => this.#reach(isReached, failure),
        onFailure: (failure, isFinal) => (isFinal ? this.#refuse(failure) : this.#report(failure)),
        onWake: this.#tryAgain,
        mayPark: () => staysAwake?.() !== true,
      })
    } catch (error) {
      if (hasThrown(error)) this.partFailed(error)
      return undefined
    }
  }

  /** Also one that is still on its way. */
  async #endCore(how: Parameters<InboxCore['stop']>[0]): Promise<void> {
    const loading = this.#coreLoading
    this.#coreLoading = undefined
    await (this.#core ?? (await loading))?.stop(how)
  }

  #refuse(failure: Failure): void {
    this.#failure = failure
    if (!this.#signedIn) this.#counts = NONE
    void this.#session.stop()
    void this.#endCore({ sends: false })
    this.#report(failure)
    this.#changed()
  }

  #reach(isReached: boolean, failure: Failure = noAnswer()): void {
    if (this.#isReached === isReached) return
    this.#isReached = isReached
    if (!isReached) this.#report(failure)
    this.#changed()
  }

  readonly #tryAgain = (): void => {
    if (!this.#signedIn && !this.#failure) void this.#signIn()
    // With the session comes the service's time.
    else this.#session.renewIfDue(this.clock.hasJumped())
  }

  #changed(): void {
    if (this.#isStopped) return
    if (this.#core?.isLoaded()) this.#counts = this.#core.counts()
    this.#options.onChange()
  }

  /** The call that failed and the connection may both report a failure: it is passed on once. */
  #report(failure: Failure): void {
    if (this.#isStopped) return
    if (failure !== this.#lastReported) this.#options.onFailure(failure)
    this.#lastReported = failure
  }
}
