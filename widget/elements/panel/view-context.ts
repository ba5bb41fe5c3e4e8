// What every view of the panel draws from, and what a user can do in one.

import type { InboxMessage, MessageAction } from '../../../contract/api.ts'
import type { Counts } from '../../inbox/change-log.ts'
import type { ListName, ListState, MessageChange } from '../../inbox/core-types.ts'
import type { InboxStatus } from '../../inbox/inbox-controller.ts'
import type { Failure } from '../../lib/failure.ts'
import type { TimeWriter } from '../../lib/relative-time.ts'
import type { Say } from '../../lib/words.ts'
import type { Category } from './categories.ts'
import type { DrawMarkdown } from './message/markdown-view.ts'
import type { Notice } from './notices.ts'
import type { Rare } from './rare.ts'
import type { Settings } from './settings/settings.ts'

export type Tab = ListName

export interface ViewContext {
  say: Say
  /** The language of the words. */
  tag: string
  times: TimeWriter
  /** In which times and numbers are written. */
  locale: string
  /** A number where there is little room. */
  short: (count: number) => string
  /** The service's time, epoch ms. */
  now: number
  status: InboxStatus
  failure: Failure | undefined
  counts: Counts
  tab: Tab
  /** Several, or none. */
  categories: Category[]
  /** Undefined until the first page of this tab. */
  messages: InboxMessage[] | undefined
  listState: ListState
  /** Holds the rows, from one drawing to the next. */
  rows: HTMLElement
  /** So many of them are drawn, of a list that stands in the page whole. */
  most: number
  /** Few of the rows are in the page; of these one is pointed at or in focus, and shows what can be done with it. */
  windowed: { activeId: string | undefined } | undefined
  /** The rest of a long list cannot be drawn: what does so could not be had. */
  isCut: boolean
  /** The row that Tab leads to. */
  currentId: string | undefined
  detail: InboxMessage | undefined
  /** Whose snooze is being chosen. */
  snoozing: InboxMessage | undefined
  /** The messages chosen for one deed; undefined while nothing is being chosen. */
  selected: ReadonlySet<string> | undefined
  isHelpShown: boolean
  isSettingsShown: boolean
  /** Views that few need; undefined until they are loaded. */
  rare: Rare | undefined
  markdown: DrawMarkdown | undefined
  settings: Settings | undefined
  notice: Notice | undefined
  /** What the page draws into the row of this message, if it does. */
  ownRow: (message: InboxMessage) => HTMLElement | undefined
  act: ViewActions
}

export interface ViewActions {
  selectTab(tab: Tab): void
  open(message: InboxMessage): void
  back(): void
  close(): void
  markAllRead(): void
  /** `done` is the key of the word that says it, with a way to undo; empty says nothing. */
  change(messages: InboxMessage[], change: MessageChange, done: string): void
  remove(messages: InboxMessage[]): void
  undo(): void
  /** Offers times for this message; undefined takes the offer away. */
  chooseSnooze(message: InboxMessage | undefined): void
  /** Chooses these for one deed; undefined ends choosing. */
  select(ids: string[] | undefined): void
  help(isShown: boolean): void
  settings(isShown: boolean): void
  follow(event: MouseEvent, message: InboxMessage, link: string): void
  run(event: MouseEvent, message: InboxMessage, action: MessageAction): void
  tryAgain(): void
  scrolled(event: Pick<Event, 'target'>): void
}
