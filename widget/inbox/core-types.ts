// The types of the inbox core: what it offers, and what it needs of its page and of the browser.

import type { InboxFilter, InboxMessage } from '../../contract/api.ts'
import type { RegisteredEventType } from '../../contract/delivery.ts'
import type { ServerClock } from '../lib/clock.ts'
import type { Failure } from '../lib/failure.ts'
import type { Call } from '../transport/api.ts'
import type { CreateRealtime } from '../transport/realtime.ts'
import type { Session, SignedIn } from '../transport/session.ts'
import type { Counts } from './change-log.ts'
import type { PageState } from './page-lifecycle.ts'
import type { InboxStorage } from './storage.ts'
import type { Broadcast } from './sync/broadcast.ts'

/** `offline`: the service is out of reach, whatever the browser reports. `error`: it refused. */
export type InboxStatus = 'signed-out' | 'loading' | 'ready' | 'offline' | 'error'

export interface Locks {
  /** Holds the lock while `act` runs; the promise rejects when it was taken away. `steals`: at once, from whoever has it. */
  request(name: string, how: { steals?: boolean; signal?: AbortSignal }, act: () => Promise<void>): Promise<void>
  names: Broadcast['lockNames']
}

/** What an inbox uses of the browser. */
export interface BrowserApis {
  storage: InboxStorage
  locks: Locks
  openChannel: Broadcast['openChannel']
  isVisible(): boolean
  watchPage(onState: (state: PageState) => void): () => void
  /** Fetches the part of the socket. */
  loadRealtime(): Promise<CreateRealtime>
}

/** Sees what an inbox asks of the service and of the browser, by standing in between; `debug` sets it. */
export interface Watch {
  call(call: Call): Call
  browser(browser: BrowserApis): BrowserApis
  /** A sign-in that did not come through is tried again. */
  signInIn(delayMs: number): void
  /** A part came and threw when it ran, or when what it makes was made. */
  partFailed(reason: string): void
}

export interface CoreDeps {
  watch?: Watch | undefined
  session: Session
  signIn: () => void
  /** Of its credential, as another tab with the same one has it; empty where there is none. */
  prove: () => string
  apiKey: string
  baseUrl: string
  /** Part of the keys of this user in the browser's storage. */
  ownerId: string
  clock: ServerClock
  /** What is kept in this browser; default the page's own. */
  storage: InboxStorage | undefined
  broadcast: Broadcast
  /** Wanted once there is a list: until it comes, changes are asked for. */
  loadRealtime: () => Promise<{ createRealtime: CreateRealtime }>
  onChange: () => void
  onArrive: (messages: InboxMessage[]) => void
  /** The socket is up: this page can answer those that begin. */
  onLive: () => void
  onReach: (isReached: boolean, failure?: Failure) => void
  /** `isFinal`: there is no list, and trying again does not help. */
  onFailure: (failure: Failure, isFinal?: boolean) => void
  /** The page is there again: what waits for its next attempt is tried now. */
  onWake: () => void
  /** Whether the socket may be let go while the page is hidden for long. */
  mayPark: () => boolean
}

/** A list of the inbox: that of a filter, or all of one category. */
export type ListName = InboxFilter | `category:${string}`

/** The fields of `PATCH /v1/inbox/messages/:id`; `snoozedUntil` is ISO 8601. */
export interface MessageChange {
  archived?: boolean
  unopened?: boolean
  snoozedUntil?: string | null
}

export interface ListState {
  isLoading: boolean
  hasMore: boolean
  /** Why the last page did not come. */
  failure: Failure | undefined
}

export interface InboxCore {
  /** Also with each session that follows. */
  start(signedIn: SignedIn): Promise<void>
  /** False until the first page, or a stored list, is there. */
  isLoaded(): boolean
  counts(): Counts
  /** Up to where this page knows the log. */
  position(): { epoch: string; seq: number }
  /** Newest first; undefined until its first page. */
  list(name: ListName): InboxMessage[] | undefined
  listState(name: ListName): ListState
  find(id: string): InboxMessage | undefined
  /** The first page of a list, or the one after what is there. */
  load(name: ListName): Promise<void>
  refresh(): Promise<void>
  /** A delivery event of each: kept until the service has it. */
  record(messageIds: string[], eventType: RegisteredEventType, details?: { link?: string; urgent?: boolean }): void
  /** Throws CallError after it was put back. */
  change(id: string, change: MessageChange): Promise<void>
  /** One change of many; those that are gone are passed over. */
  changeMany(ids: string[], change: MessageChange): Promise<void>
  remove(id: string): Promise<void>
  /** Gone from view now; the service is asked by `settle`, or never after `undo`. */
  removeLater(ids: string[]): { undo(): void; settle(): Promise<void> }
  markAllRead(): Promise<void>
  /** A call of the service as this user, for what one view alone needs. Throws CallError. */
  call: Call
  /**
   * Delivery events go out first, unless `sends` is false: not when the session is already another user's, or refused.
   * `wipes`: the stored inbox goes; of delivery events that could not be sent, ids stay.
   */
  stop(how: { wipes?: boolean; sends?: boolean }): Promise<void>
}

/** `wipes`: the stored inbox of this user is deleted. `endsSession`: also on the server. */
export interface StopOptions {
  wipes?: boolean
  endsSession?: boolean
}
