// One user's inbox from sign-in to sign-out, without DOM: signs in, knows the counts, and brings the core when the badge can be seen.

import type { InboxMessage } from '../../contract/api.ts'
import { createServerClock, type ServerClock } from '../lib/clock.ts'
import { type CallError, type Failure, failureOf, hasThrown, isOutOfReach, PART_FAILED } from '../lib/failure.ts'
import { createRetries } from '../lib/retries.ts'
import { createApi } from '../transport/api.ts'
import { type Credential, createSession, type Known, type SignedIn, subjectOf } from '../transport/session.ts'
import type { Counts } from './change-log.ts'
import type { CoreParts } from './core-parts.ts'
import type { InboxCore, Watch } from './core-types.ts'
import { glance, inboxKey } from './counts-at-hand.ts'
import { beginInTurn, fingerprint } from './newcomer.ts'
import type { Drawer } from './storage.ts'
import { BROADCAST, type Broadcast } from './sync/broadcast.ts'

/** `offline`: the service is out of reach, whatever the browser says. `error`: it refused. */
export type InboxStatus = 'signed-out' | 'loading' | 'ready' | 'offline' | 'error'

export interface ControllerOptions {
  /** Origin (and path) of the edge. */
  baseUrl: string
  /** Read at each sign-in, so that a new token of the same user is simply there. */
  credential: () => Credential
  parts: CoreParts
  /** Status, counts or messages may be different now. */
  onChange: () => void
  onArrive: (messages: InboxMessage[]) => void
  onFailure: (failure: Failure) => void
  /** True where arrivals are told to somebody who does not see the page: it keeps its socket while it is hidden. */
  staysAwake?: () => boolean
  /** Waits until the badge is on the screen; default not at all. */
  afterPaint?: () => Promise<void>
  /** What is kept in this browser. */
  drawer?: Drawer
  /** The other tabs of this browser. */
  broadcast?: Broadcast
  /** Stands between the inbox and the world. */
  watch?: Watch | undefined
}

export interface InboxController {
  readonly status: InboxStatus
  readonly counts: Counts
  readonly messages: InboxMessage[]
  /** Why the service refused, while `status` is `error`. */
  readonly failure: Failure | undefined
  readonly clock: ServerClock
  /** Undefined until it is loaded. */
  readonly core: InboxCore | undefined
  /** Tries again, or reads anew what is there. */
  refresh(): Promise<void>
  /** The same user has a new credential. */
  signInAgain(): Promise<void>
  /** The page set another `tokenProvider`: asked for the next token, and soon when the service had refused. */
  providerChanged(): void
  /** Ends all; nothing is told any more. `wipes`: the stored inbox of this user goes too. */
  stop(how?: { wipes?: boolean; endsSession?: boolean }): Promise<void>
}

const NONE: Counts = { unread: 0, unopened: 0 }

export function createInboxController(options: ControllerOptions): InboxController {
  const { watch, baseUrl, drawer, broadcast = BROADCAST } = options
  const clock = createServerClock()
  const report = withoutRepeats(options.onFailure)
  let core: InboxCore | undefined
  let coreLoading: Promise<InboxCore | undefined> | undefined
  let counts = NONE
  let failure: Failure | undefined
  let isReached = true
  let signedIn: SignedIn | undefined
  let stopped = false
  /** Lets the next page begin that waits for this one. */
  let endTurn = (): void => {}
  const retries = createRetries(
    () => stopped,
    (delayMs) => watch?.signInIn(delayMs),
  )

  const changed = (): void => {
    if (stopped) return
    if (core?.isLoaded()) counts = core.counts()
    options.onChange()
  }
  const told = (problem: Failure): void => {
    if (!stopped) report(problem)
  }
  const reach = (value: boolean, problem: Failure = noAnswer()): void => {
    if (isReached === value) return
    isReached = value
    if (!value) told(problem)
    changed()
  }
  const refuse = (problem: Failure): void => {
    failure = problem
    if (!signedIn) counts = NONE
    void session.stop()
    void endCore({ sends: false })
    told(problem)
    changed()
  }

  /** By the service, or by a tab that knows. */
  const onSignedIn = (next: SignedIn): void => {
    if (stopped) return
    clock.set(next.answer.now)
    if (signedIn && signedIn.ownerId !== next.ownerId) {
      // The provider answered with another user: nothing of the former one stays in sight.
      void endCore({ wipes: true, sends: false })
      core = undefined
    }
    signedIn = next
    isReached = true
    void withCore(next.ownerId)
    const { unread, unopened } = next.answer.inbox
    counts = { unread, unopened }
    changed()
  }
  const newSession = () => {
    const call = createApi(baseUrl)
    return createSession({
      call: watch?.call(call) ?? call,
      credential: options.credential,
      onSignedIn,
      onRefused: (error: CallError) => refuse(failureOf(error)),
    })
  }
  let session = newSession()

  /** Undefined when the part itself could not be fetched: the service is out of reach. */
  const loadCore = async (ownerId: string): Promise<InboxCore | undefined> => {
    await options.afterPaint?.()
    const part = await options.parts.loadCore().catch((error: unknown) => {
      if (!hasThrown(error)) return
      watch?.partFailed(error.message)
      refuse(PART_FAILED)
    })
    return part?.createInboxCore({
      session,
      signIn: attemptSignIn,
      prove: () => proofOf(options.credential()),
      watch,
      ownerId,
      clock,
      apiKey: options.credential().apiKey,
      baseUrl,
      drawer,
      broadcast,
      loadRealtime: options.parts.loadRealtime,
      onChange: changed,
      onArrive: (messages) => !stopped && options.onArrive(messages),
      onLive: () => endTurn(),
      onReach: reach,
      onFailure: told,
      onWake: whenBack,
      mayPark: () => options.staysAwake?.() !== true,
    })
  }
  /** Also one that is still on its way. */
  const endCore = async (how: Parameters<InboxCore['stop']>[0]): Promise<void> => {
    const loading = coreLoading
    coreLoading = undefined
    await (core ?? (await loading))?.stop(how)
  }

  /** Loads the core once; signed in, it starts. Without the service it shows what is stored. */
  const withCore = async (ownerId: string): Promise<void> => {
    coreLoading ??= loadCore(ownerId)
    const loading = coreLoading
    const loaded = await loading
    // Ended meanwhile, or another user's.
    if (coreLoading !== loading) return
    core = loaded
    if (core) retries.calm()
    // Before anybody looks: what is stored may have older counts than the sign-in.
    const started = signedIn && core?.start(signedIn)
    changed()
    if (!core) {
      coreLoading = undefined
      if (failure) return
      reach(false)
      retries.later(attemptSignIn)
    }
    await started
  }

  const attemptSignIn = async (isNew?: boolean): Promise<void> => {
    retries.stop()
    try {
      await session.signIn('start', isNew)
    } catch (error) {
      // A call that needed the session may have told of it already.
      if (stopped || failure) return
      const problem = failureOf(error)
      if (!isOutOfReach(problem)) return refuse(problem)
      reach(false, problem)
      retries.later(attemptSignIn, problem.retryAfterMs)
      const ownerId = ownerOf(options.credential())
      if (ownerId !== undefined && !core) void withCore(ownerId)
    }
  }

  /** The numbers that this browser showed last, at once; those that a tab knows; the session, unless that tab has the very same one. */
  const begin = async (): Promise<void> => {
    const ownerId = ownerOf(options.credential())
    if (ownerId === undefined) return attemptSignIn()
    const key = inboxKey(options.credential().apiKey, baseUrl, ownerId)
    counts = (drawer ?? { glance }).glance?.(key) ?? counts
    const proof = watch ? '' : proofOf(options.credential())
    const hasBegun = (): unknown => stopped || signedIn || failure
    const take = (answer: Known): void => onSignedIn({ ownerId, answer })
    endTurn = beginInTurn(broadcast, key, proof, { hasBegun, take, signIn: attemptSignIn })
  }

  const signInAgain = async (): Promise<void> => {
    if (failure) {
      failure = undefined
      signedIn = undefined
      core = coreLoading = undefined
      session = newSession()
      changed()
    }
    await attemptSignIn(true)
  }

  const whenBack = (): void => {
    if (!signedIn && !failure) void attemptSignIn()
    // With the session comes the service's time.
    else session.renewIfDue(clock.hasJumped())
  }
  globalThis.addEventListener?.('online', whenBack)
  void begin()

  return {
    clock,
    get status() {
      if (stopped) return 'signed-out'
      if (failure) return 'error'
      if (!isReached) return 'offline'
      return signedIn && core?.isLoaded() ? 'ready' : 'loading'
    },
    get counts() {
      return counts
    },
    get messages() {
      return [...(core?.list('all') ?? [])]
    },
    get failure() {
      return failure
    },
    get core() {
      return core
    },
    signInAgain,
    providerChanged: () => {
      if (failure) retries.soon(signInAgain)
    },
    refresh: async () => {
      if (!signedIn || failure) await signInAgain()
      else await core?.refresh()
    },
    stop: async (how = {}) => {
      stopped = true
      endTurn()
      retries.stop()
      globalThis.removeEventListener?.('online', whenBack)
      const ownerId = ownerOf(options.credential())
      // What is stored goes, also when nothing of it was shown yet.
      if (how.wipes && ownerId !== undefined) coreLoading ??= loadCore(ownerId)
      await endCore(how)
      // One that came meanwhile was never anybody's.
      await session.stop(how.endsSession || !signedIn)
    },
  }
}

/** The call that failed and the connection may both report a failure: it is passed on once. */
function withoutRepeats(onFailure: (failure: Failure) => void): (failure: Failure) => void {
  let last: Failure | undefined
  return (failure) => {
    if (failure !== last) onFailure(failure)
    last = failure
  }
}

/** For an outage that another tab has met, or that a file of ours did not come through. */
const noAnswer = (): Failure => ({
  status: 0,
  code: 'client/no-answer',
  correlationId: null,
  retryAfterMs: undefined,
})

const ownerOf = ({ userId, token }: Credential): string | undefined => userId ?? subjectOf(token)

/** What a function will answer is not known beforehand. */
const proofOf = ({ tokenProvider, authType, token }: Credential): string =>
  tokenProvider === null ? fingerprint(authType + token) : ''
