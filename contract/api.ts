// The shapes on the wire that the edge answers and the widget reads (contract sections 3 to 7). Instants are ISO 8601 UTC strings.

import type { ActionStyle, Channel, FunnelStepName, Priority, RegisteredEventType, Window } from './delivery.ts'

/** The counts and the place in the change log of one user's inbox (contract section 5). */
export interface InboxHead {
  epoch: string
  seq: number
  unread: number
  unopened: number
}

export interface MessageAction {
  label: string
  link: string | null
  style: ActionStyle
}

/** What a message says, as rendered when it was created: the snapshot (specification section 2.4). */
export interface MessageContent {
  title: string
  body: string
  bodyFormat: 'text' | 'markdown'
  link: string | null
  actions: MessageAction[]
  category: string | null
  entity: string | null
  icon: string | null
  imageUrl: string | null
  priority: Priority
  data: Record<string, unknown>
}

/** A message as the inbox shows it (contract section 5). `seq` is that of its creation. */
export interface InboxMessage extends MessageContent {
  id: string
  seq: number
  createdAt: string
  expiresAt: string | null
  unopened: boolean
  readAt: string | null
  openedAt: string | null
  clickedAt: string | null
  archivedAt: string | null
  snoozedUntil: string | null
}

/** The fields of a message that change after its creation. */
export type MessagePatch = Partial<
  Pick<InboxMessage, 'unopened' | 'readAt' | 'openedAt' | 'clickedAt' | 'archivedAt' | 'snoozedUntil'>
>

export type InboxChange =
  | { seq: number; op: 'add'; message: InboxMessage }
  | { seq: number; op: 'update'; id: string; patch: MessagePatch }
  | { seq: number; op: 'remove'; id: string }

export type InboxFilter = 'all' | 'unopened' | 'archived' | 'snoozed'

export interface Page<T> {
  data: T[]
  nextCursor: string | null
}

export interface InboxPage extends Page<InboxMessage> {
  inbox: InboxHead
}

/** `GET /v1/inbox/changes` and the acknowledgement of `sync`. */
export interface InboxChanges extends InboxHead {
  changes: InboxChange[]
  reset: boolean
}

export interface AuthUser {
  userId: string
  email?: string
  name?: string
  locale?: string
}

/** 200 of `POST /v1/users/auth` (contract section 4). */
export interface AuthAnswer {
  sessionToken: string
  expiresAt: string
  expiresIn: number
  user: AuthUser
  environment: { id: string; name: string; isProduction: boolean }
  realtime: { url: string; path: string }
  inbox: InboxHead
}

/** `GET` and `PUT /v1/inbox/preferences` (contract section 5). */
export interface InboxPreferences {
  categories: { key: string; name: string; critical: boolean; channels: Record<Channel, boolean> }[]
  /** Times as `HH:MM`; over midnight when `start` is the later one. */
  quietHours: { start: string; end: string; timeZone: string } | null
}

export interface RegisterItem {
  messageId: string
  eventType: RegisteredEventType
  occurredAt?: string
  link?: string
  source?: string
}

export type RegisterResult =
  | { messageId: string; eventType: RegisteredEventType; recorded: boolean }
  | { messageId: string; code: string }

export interface RegisterAnswer {
  results: RegisterResult[]
  inbox: InboxHead
}

export interface FunnelStep {
  step: FunnelStepName
  count: number
  percentOfPrevious: number | null
}

export interface FunnelAnswer {
  window: Window
  channel: Channel
  steps: FunnelStep[]
  branches?: { version: number; branch: string | null; steps: FunnelStep[] }[]
}
