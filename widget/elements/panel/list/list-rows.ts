// The rows of the panel's list, be they all in the page or those near the view: who draws them, where they stand, which are seen.

import { element } from '../../../lib/dom.ts'
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

export function createListRows(
  host: PanelHost,
  panel: HTMLElement,
  { update, isListShown }: { update(): void; isListShown(): boolean },
): ListRows {
  const { shadow } = host
  const holder = element('div')
  const sight = createSight(isListShown, (ids) => recordRead(host, ids))
  const watch = (): void => {
    for (const row of holder.querySelectorAll<HTMLElement>('article.row')) sight.watch(row, row.dataset.id ?? '')
  }
  const long = wantedPart(async () => (await host.parts()?.loadLong())?.createLongList(shadow, holder, watch), update)
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
      if (context.detail === undefined) sight.look()
    },
    empty: () => {
      long.made?.rest()
      holder.replaceChildren()
    },
    stop: () => {
      long.made?.rest()
      sight.stop()
    },
  }
}

function recordRead(host: PanelHost, ids: string[]): void {
  const core = host.controller()?.core
  for (const id of ids) if (core?.find(id)?.readAt === null) core.record(id, 'read')
}
