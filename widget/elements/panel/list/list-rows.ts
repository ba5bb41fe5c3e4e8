// The rows of the panel's list, be they all in the page or those near the view: who draws them, where they stand, which are seen.

import type { InboxMessage } from '../../../../contract/api.ts'
import { element } from '../../../lib/dom.ts'
import type { PanelState } from '../panel-state.ts'
import type { PanelHost } from '../panel-types.ts'
import type { Tab, ViewContext } from '../view-context.ts'
import { wantedPart } from '../wanted-part.ts'
import { createRowPlaces, type RowPlaces } from './row-places.ts'
import { createSight } from './visibility.ts'

/** Lists up to this length stand in the page whole; of longer ones, the rows near the view do. */
export const WHOLE = 50
/** Drawn at once: they fill the view. The rest of a short list follows by so many, when nothing else is to be done. */
const [AT_ONCE, NEXT] = [8, 5]

export interface ListRows {
  /** Holds the rows, from one drawing to the next. */
  holder: HTMLElement
  places: RowPlaces
  /** So many rows of a short list are drawn. */
  readonly most: number
  /** So many more from the next drawing on; false when they are all there. */
  grow(by?: number): boolean
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

  let [most, drawn, tab]: [number, number, Tab | undefined] = [AT_ONCE, 0, undefined]
  return {
    holder,
    places,
    get most() {
      return most
    },
    grow: (by = NEXT) => {
      if (drawn >= Math.min(WHOLE, places.messages.length)) return false
      most = drawn + by
      return true
    },
    isWindowed: (length) => {
      if (length <= WHOLE) return false
      if (!long.hasFailed) long.want()
      return long.made !== undefined
    },
    isCut: (length) => length > WHOLE && long.made === undefined && long.hasFailed,
    retry: () => {
      if (long.hasFailed) long.want()
    },
    prepare: (context) => {
      if (context.windowed === undefined) long.made?.rest()
      if (context.tab !== tab) most = context.most = AT_ONCE
      tab = context.tab
    },
    settle: (context) => {
      places.messages = context.messages ?? []
      drawn = context.most
      if (context.windowed !== undefined) long.made?.draw(context)
      watch()
      if (context.detail === undefined && !context.isSettingsShown) sight.look()
    },
    empty: () => {
      most = AT_ONCE
      drawn = 0
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
