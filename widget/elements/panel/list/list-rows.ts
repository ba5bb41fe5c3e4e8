// The rows of the panel's list, be they all in the page or those near the view: who draws them, where they stand, which are seen.

import type { InboxMessage } from '../../../../contract/api.ts'
import { element } from '../../../lib/dom.ts'
import type { PanelState } from '../panel-state.ts'
import type { PanelHost } from '../panel-types.ts'
import type { ViewContext } from '../view-context.ts'
import { wantedPart } from '../wanted-part.ts'
import { createRowPlaces, type RowPlaces } from './row-places.ts'
import { createSight } from './visibility.ts'

/** Lists up to this length stand in the page whole; of longer ones, the rows near the view do. */
export const WHOLE = 50

export interface ListRows {
  /** Holds the rows, from one drawing to the next. */
  holder: HTMLElement
  places: RowPlaces
  /** Whether a list of this length is drawn in part; the first time, what does so is fetched. */
  isWindowed(length: number): boolean
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
  const sight = createSight(isListShown, (ids) => recordRead(host, ids))
  const watch = (): void => {
    for (const row of holder.querySelectorAll<HTMLElement>('article.row')) sight.watch(row, row.dataset.id ?? '')
  }
  const long = wantedPart(async () => (await host.parts()?.loadLong())?.createLongList(shadow, holder, watch), update)
  const find = (id: string) => (state.selected === undefined ? host.controller()?.core?.find(id) : undefined)
  const touch = wantedPart(
    async () => (await host.parts()?.loadTouch())?.createSwipe({ shadow, rows: holder, find, archive }),
    () => {},
  )
  if (matchMedia('(any-pointer: coarse)').matches) touch.want()
  holder.addEventListener('pointerdown', ({ pointerType }) => pointerType === 'touch' && touch.want())
  const places = createRowPlaces(shadow, panel, holder, () => long.made)

  return {
    holder,
    places,
    isWindowed: (length) => {
      if (length <= WHOLE) return false
      long.want()
      return long.made !== undefined
    },
    prepare: ({ windowed }) => {
      if (windowed === undefined) long.made?.rest()
    },
    settle: (context) => {
      places.messages = context.messages ?? []
      if (context.windowed !== undefined) long.made?.draw(context)
      watch()
      if (context.detail === undefined && !context.isSettingsShown) sight.look()
    },
    empty: () => {
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
  for (const id of ids) if (core?.find(id)?.readAt === null) core.record(id, 'read')
}
