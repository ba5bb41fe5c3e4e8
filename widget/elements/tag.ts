// The tag as a page writes it, in types: attributes, properties and events, for TypeScript and for the templates of frameworks.

import type { InboxMessage } from '../../contract/api.ts'
import type { Translations } from '../lib/translations.ts'
import type { TokenProvider } from '../transport/session.ts'
import type {
  NcActionEvent,
  NcArriveEvent,
  NcCountsEvent,
  NcErrorEvent,
  NcFollowLinkEvent,
  NcHideEvent,
  NcOpenMessageEvent,
  NcReadyEvent,
  NcShowEvent,
} from './events.ts'
import type { NotificationCenter } from './notification-center.ts'

/** What `auth-type` may say. */
export type AuthType = 'backendToken' | 'jwt' | 'signedJwt'

/** The attributes of the tag. Those without a value are on when they are there. */
export interface NotificationCenterAttributes {
  /** Front API Key. The one that must be there. */
  'api-key'?: string
  'user-id'?: string | null
  token?: string | null
  'auth-type'?: AuthType
  /** The server; default where the script came from. */
  'base-url'?: string
  mode?: 'popover' | 'inline'
  open?: boolean
  /** A language tag; default the nearest `lang`. */
  locale?: string
  dir?: 'ltr' | 'rtl' | 'auto'
  theme?: 'auto' | 'light' | 'dark'
  /** For urgent arrivals while the panel is closed; `all` for every one. */
  toasts?: boolean | '' | 'all'
  sound?: boolean
  desktop?: boolean
  debug?: boolean
}

/** What only a script can give, as properties. */
export interface NotificationCenterProperties {
  apiKey?: string | null
  userId?: string | null
  authType?: string | null
  baseUrl?: string | null
  /** Asked instead of `token`, and again before it ends. */
  tokenProvider?: TokenProvider | null
  /** Makes the inside of a row. */
  renderRow?: ((message: InboxMessage) => Node) | undefined
  /** Translations of the page's own, by key. */
  texts?: Translations | null | undefined
}

/** All events of the element, by name. */
export interface NotificationCenterEventMap {
  'nc-ready': NcReadyEvent
  'nc-counts': NcCountsEvent
  'nc-arrive': NcArriveEvent
  'nc-show': NcShowEvent
  'nc-hide': NcHideEvent
  'nc-open-message': NcOpenMessageEvent
  'nc-follow-link': NcFollowLinkEvent
  'nc-action': NcActionEvent
  'nc-error': NcErrorEvent
}

/** Listeners as React, Preact and Svelte write them: `onnc-counts={…}`. */
export type NotificationCenterListeners = {
  [Name in keyof NotificationCenterEventMap as `on${Name}`]?: (event: NotificationCenterEventMap[Name]) => void
}

declare global {
  interface HTMLElementTagNameMap {
    'notification-center': NotificationCenter
  }
  interface GlobalEventHandlersEventMap extends NotificationCenterEventMap {}
}
