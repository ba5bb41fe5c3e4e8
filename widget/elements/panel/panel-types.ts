// The types that the element, <nc-panel> and the parts have in common: they import this file, and it imports only what is below them.

import type { ReactiveController, ReactiveControllerHost, TemplateResult } from 'lit'
import type { InboxMessage } from '../../../contract/api.ts'
import type { Counts } from '../../inbox/change-log.ts'
import type { InboxCore, InboxStatus, ListName, ListState } from '../../inbox/core-types.ts'
import type { InboxController } from '../../inbox/inbox-controller.ts'
import type { Failure } from '../../lib/failure.ts'
import type { TokenProvider } from '../../transport/session.ts'
import type { I18n } from '../i18n.ts'
import type { PanelI18n } from './i18n.ts'
import type { RenderRow } from './list/own-rows.ts'
import type { DrawMarkdown } from './message/markdown-view.ts'
import type { PanelPart } from './panel-part.ts'
import type { Preferences, PreferencesOptions } from './settings/preferences.ts'

/** <notification-center> as its parts see it. */
export interface CenterElement extends HTMLElement {
  readonly apiKey: string | null
  readonly userId: string | null
  readonly authType: string | null
  readonly baseUrl: string | null
  readonly token: string | null
  readonly tokenProvider: TokenProvider | null
  readonly mode: string | null
  readonly locale: string | null
  readonly toasts: string | null
  readonly open: boolean
  readonly sound: boolean
  readonly desktop: boolean
  readonly debug: boolean
  readonly renderRow: RenderRow | undefined
  readonly messages: InboxMessage[]
  readonly unread: number
  readonly unopened: number
  readonly state: InboxStatus
  show(): void
  hide(): void
  refresh(): Promise<void>
  markAllRead(): Promise<void>
}

export interface PanelHost {
  element: CenterElement
  shadow: ShadowRoot
  /** The element within the shadow root that everything is put into. */
  root: HTMLElement
  /** What the popover stands beside. */
  anchor: HTMLElement
  i18n: I18n
  parts(): PanelParts | undefined
  /** Undefined while signed out. */
  controller(): InboxController | undefined
  /** The message that the panel opens with its next rendering: it was pressed outside of the list. */
  openingId?: string | undefined
  focusBell(): void
  /** Comes with the panel. */
  announce?: (sentence: string) => void
  /** @returns false when the page prevented the default of the event */
  emit(event: Event): boolean
}

export interface Panel {
  /** Something may be different: attributes, status, messages. */
  update(): void
  /** Another user: nothing of the former one stays in view. */
  reset(): void
  /** Announces them. */
  arrived(messages: InboxMessage[]): void
  destroy(): void
}

/** How the parts of the panel are loaded. */
export interface PanelParts {
  loadRare: () => Promise<{ createRare: (host: Pick<PanelHost, 'shadow' | 'i18n'>) => Rare }>
  loadMarkdown: () => Promise<{ createMarkdown: (shadow: ShadowRoot) => DrawMarkdown }>
  loadSettings: () => Promise<{ createSettings: (options: SettingsOptions) => Preferences }>
  loadPlacing: () => Promise<{ ScriptPlacement: new (panel: PanelView, isAnchored: boolean) => Placement }>
  loadTouch: () => Promise<{ SwipeController: new (panel: SwipedPanel) => ReactiveController }>
}

export interface Rare {
  /** A picture for the moment when there is nothing. */
  restingBell: TemplateResult
}

export interface SettingsOptions extends PreferencesOptions {
  i18n: Pick<I18n, 'learn'>
}

export interface Placement {
  /** With the next frame: something scrolled. */
  placeSoon(): void
}

/** <nc-panel> as its controllers, templates and actions see it. */
export interface PanelView extends HTMLElement, ReactiveControllerHost {
  readonly host: PanelHost
  tab: ListName
  detailId: string | undefined
  /** The row that Tab leads to. */
  currentId: string | undefined
  /** The message for which a time to snooze to is being chosen. */
  snoozingId: string | undefined
  /** The selected messages; undefined while nothing is being selected. */
  selected: ReadonlySet<string> | undefined
  isHelpShown: boolean
  isSettingsShown: boolean
  /** Read from the inbox before each rendering. */
  readonly messages: InboxMessage[] | undefined
  readonly detail: InboxMessage | undefined
  readonly categories: Category[]
  readonly isShown: boolean
  readonly isInline: boolean
  readonly notices: Notices
  readonly i18n: PanelI18n
  /** Parts that few need at once. */
  readonly views: RareViews
  readonly core: InboxCore | undefined
  readonly status: InboxStatus
  readonly counts: Counts
  /** The service's time, epoch ms. */
  readonly now: number
  readonly list: PanelList | null
  readonly listState: ListState
  readonly isRefused: boolean
  /** Settings or a message lie over the list. */
  readonly isListCovered: boolean
  /** The settings are shown, and their part is loaded. */
  readonly areSettingsReady: boolean
  /** Idle time of the page; less, when the panel is opened meanwhile. */
  idleOrShown(): Promise<void>
  /** Nothing lies over the list. */
  readonly isListInFront: () => boolean
  /** Gives the focus to the row at this place, or the nearest; to the panel when there is none. */
  focusRow(index: number): InboxMessage | undefined
  /** Renders now what is pending. */
  flush(): void
  /** Renders anew, now. */
  renderNow(): void
}

/** <nc-panel> as swiping sees it. */
export interface SwipedPanel extends PanelView {
  readonly actions: {
    find(id: string | undefined): InboxMessage | undefined
    archive(messages: InboxMessage[]): void
  }
}

/** <nc-list> as the panel sees it. */
export interface PanelList extends HTMLElement {
  readonly messages: readonly InboxMessage[]
  /** What is as high as all messages together; undefined of a list that is long, or empty. */
  readonly contentElement: HTMLElement | undefined
  /** Of the row that has the focus. */
  readonly focusedId: string | undefined
  /** @returns -1 when it is not in the list */
  indexOf(id: string | undefined): number
  requestUpdate(): void
}

export interface Category {
  tab: ListName
  name: string
}

export interface NoticeOptions {
  undo?: () => void
  /** What did not come can be asked for again. */
  retry?: () => void
  /** It can no more be undone. */
  settle?: () => void
  /** Why it did not work. */
  failure?: Failure
}

export interface Notices {
  /** Shows and announces it; `key` is that of its text. */
  show(key: string, options?: NoticeOptions): void
  /** Takes back what is shown. */
  undo(): void
}

export interface RareViews {
  rare: PanelPart<Rare>
  markdown: PanelPart<DrawMarkdown>
  settings: PanelPart<Preferences>
  needRare(): void
  /** The settings, read anew. */
  needSettings(): void
}
