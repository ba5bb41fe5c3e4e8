// Defines the JSON bodies that the edge answers and the widget reads. Instants are ISO 8601 UTC strings.
// `schemas.ts` has their schemas and does not compile when a type differs.

import type { ActionStyle, Channel, FunnelStepName, Priority, RegisteredEventType, Window } from './delivery.ts'

/** Counts and position in the change log of one user's inbox. */
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

/** Content of a message, as rendered when it was created (the snapshot). */
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

/** A message as the inbox shows it. `seq` is the number of its creation in the change log. */
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

/** A text of the element, or its plural forms as `Intl.PluralRules` names them. */
export type AppearanceText = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** Look and texts of the element where the page sets none: from the environment's notification config. */
export interface Appearance {
  theme: 'auto' | 'light' | 'dark'
  /** `#rrggbb`; null: the element's default. */
  accentColor: string | null
  /** Texts of the user's locale, keyed by the names of the element's texts. */
  texts: Record<string, AppearanceText>
}

/** Answer 200 of `POST /v1/users/auth`. */
export interface AuthAnswer {
  sessionToken: string
  expiresAt: string
  expiresIn: number
  user: AuthUser
  environment: { id: string; name: string; isProduction: boolean }
  realtime: { url: string; path: string }
  inbox: InboxHead
  /** Null when the environment has no notification config. */
  appearance: Appearance | null
}

/** Switches per channel; `email` only where the environment can send mail. */
export type ChannelSwitches = { inbox: boolean } & Partial<Record<Exclude<Channel, 'inbox'>, boolean>>

/** `GET` and `PUT /v1/inbox/preferences`. */
export interface InboxPreferences {
  categories: { key: string; name: string; critical: boolean; channels: ChannelSwitches }[]
  /** Times as `HH:MM`; a `start` later than `end` spans midnight. */
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
