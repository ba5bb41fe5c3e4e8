// The rows of the panel's list, be they all in the page or those near the view: who draws them, where they stand, which are seen.

import type { InboxMessage } from '../../../../contract/api.ts'
import { element } from '../../../lib/dom.ts'
import { createOwnRows, type OwnRows } from '../message/own-rows.ts'
import type { PanelState } from '../panel-state.ts'
import type { PanelHost } from '../panel-types.ts'
import type { Tab, ViewContext } from '../view-context.ts'
import { wantedPart } from '../wanted-part.ts'
import { createRowPlaces, type RowPlaces } from './row-places.ts'
import { createSight } from './visibility.ts'

/** Lists up to this length stand in the page whole, and fill the view; of longer ones, the rows near the view do. */
const WHOLE = 8
/** So many rows stand whole where what draws them in part could not be had; they follow by so many, when nothing else is to be done. */
const [MOST, NEXT] = [50, 5]

export interface ListRows {
  /** Holds the rows, from one drawing to the next. */
  holder: HTMLElement
  places: RowPlaces
  /** What the page draws into rows. */
  own: OwnRows
  /** So many rows are drawn, of a list that is not drawn in part. */
  readonly most: number
  /** More of them from the next drawing on, where nothing draws the list in part; `isAsked`: a key wants one of them now. False when none is to be added. */
  grow(isAsked?: boolean): boolean
  /** Whether a list of this length is drawn in part; the first time, what does so is fetched. */
  isWindowed(length: number): boolean
  /** What draws a list of this length in part could not be had. */
  isCut(length: number): boolean
  /** Asks for it again. */
  retry(): void
  /** Before the panel is drawn. */
  prepare(context: ViewContext): void
  /** Once it is drawn. */
  settle(context: ViewContext): void
  empty(): void
  stop(): void
}

export interface ListRowsDeps {
  update(): void
  isListShown(): boolean
  archive(message: InboxMessage): void
}

export function createListRows(
  host: PanelHost,
  panel: HTMLElement,
  state: PanelState,
  { update, isListShown, archive }: ListRowsDeps,
): ListRows {
  const { shadow } = host
  const holder = element('div')
  const sight = createSight(panel, isListShown, (ids) => recordRead(host, ids))
  const watch = (): void => {
    for (const row of holder.querySelectorAll<HTMLElement>('article.row')) sight.watch(row, row.dataset.id ?? '')
  }
  const long = wantedPart(
    async () => (await host.parts()?.loadLong())?.createLongList(shadow, holder, watch),
    update,
    update,
  )
  const find = (id: string) => (state.selected === undefined ? host.controller()?.core?.find(id) : undefined)
  const touch = wantedPart(
    async () => (await host.parts()?.loadTouch())?.createSwipe({ shadow, rows: holder, find, archive }),
    () => {},
  )
  if (matchMedia('(any-pointer: coarse)').matches) touch.want()
  holder.addEventListener('pointerdown', ({ pointerType }) => pointerType === 'touch' && touch.want())
  const places = createRowPlaces(shadow, panel, holder, () => long.made)

  const own = createOwnRows()

  let [most, drawn, tab]: [number, number, Tab | undefined] = [WHOLE, 0, undefined]
  return {
    holder,
    places,
    own,
    get most() {
      return most
    },
    grow: (isAsked = false) => {
      if (long.made !== undefined || !(isAsked || long.hasFailed)) return false
      if (drawn >= Math.min(MOST, places.messages.length)) return false
      most = drawn + (isAsked ? MOST : NEXT)
      return true
    },
    isWindowed: (length) => {
      if (length <= WHOLE) return false
      if (!long.hasFailed) long.want()
      return long.made !== undefined
    },
    isCut: (length) => length > MOST && long.made === undefined && long.hasFailed,
    retry: () => {
      if (long.hasFailed) long.want()
    },
    prepare: (context) => {
      if (context.windowed === undefined) long.made?.rest()
      if (context.tab !== tab) most = context.most = WHOLE
      tab = context.tab
    },
    settle: (context) => {
      places.messages = context.messages ?? []
      drawn = context.most
      if (context.windowed !== undefined) long.made?.draw(context)
      own.prune((id) => host.controller()?.core?.find(id) !== undefined)
      watch()
      if (context.detail === undefined && !context.isSettingsShown) sight.look()
    },
    empty: () => {
      most = WHOLE
      drawn = 0
      own.prune(() => false)
      long.made?.rest()
      holder.replaceChildren()
    },
    stop: () => {
      long.made?.rest()
      sight.stop()
      touch.made?.()
    },
  }
}

function recordRead(host: PanelHost, ids: string[]): void {
  const core = host.controller()?.core
  core?.record(
    ids.filter((id) => core.find(id)?.readAt === null),
    'read',
  )
}
