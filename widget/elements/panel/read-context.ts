// Reads what the views draw from: the controller as it is now, and where the user stands in the panel.

import type { Categories } from './categories.ts'
import type { ListRows } from './list/list-rows.ts'
import type { Notice } from './notices.ts'
import type { PanelState } from './panel-state.ts'
import type { PanelHost } from './panel-types.ts'
import type { RareViews } from './rare-views.ts'
import type { Speech } from './speech.ts'
import type { ViewActions, ViewContext } from './view-context.ts'

const NO_LIST = { isLoading: false, hasMore: false, failure: undefined }

interface Surroundings {
  rows: ListRows
  views: RareViews
  categories: Categories
  notice: Notice | undefined
}

export function readContext(
  host: PanelHost,
  state: PanelState,
  speech: Speech,
  act: ViewActions,
  { rows, views, categories, notice }: Surroundings,
): ViewContext {
  const { voice, element } = host
  const controller = host.controller()
  const core = controller?.core
  const { tab, detailId, snoozingId } = state
  const messages = core?.list(tab)
  return {
    ...state,
    ...speech,
    act,
    locale: voice.locale,
    rows: rows.holder,
    most: rows.most,
    now: controller?.clock.now() ?? Date.now(),
    status: controller?.status ?? 'signed-out',
    failure: controller?.failure,
    counts: controller?.counts ?? { unread: 0, unopened: 0 },
    categories: categories.of(core?.list('all') ?? [], tab),
    messages,
    listState: core?.listState(tab) ?? NO_LIST,
    windowed: rows.isWindowed(messages?.length ?? 0) ? { activeId: undefined } : undefined,
    isCut: rows.isCut(messages?.length ?? 0),
    detail: core?.find(detailId ?? ''),
    snoozing: core?.find(snoozingId ?? ''),
    isSettingsShown: state.isSettingsShown && views.settings.made !== undefined,
    rare: views.rare.made,
    markdown: views.markdown.made,
    settings: views.settings.made,
    notice,
    ownRow: (message) => rows.own.of(message, element.renderRow),
  }
}
