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
  { say, times, short }: Speech,
  act: ViewActions,
  { rows, views, categories, notice }: Surroundings,
): ViewContext {
  const controller = host.controller()
  const core = controller?.core
  const messages = core?.list(state.tab)
  return {
    say,
    times,
    short,
    act,
    locale: host.voice.locale,
    rows: rows.holder,
    now: controller?.clock.now() ?? Date.now(),
    status: controller?.status ?? 'signed-out',
    failure: controller?.failure,
    counts: controller?.counts ?? { unread: 0, unopened: 0 },
    tab: state.tab,
    categories: categories.of(core?.list('all') ?? [], state.tab),
    messages,
    listState: core?.listState(state.tab) ?? NO_LIST,
    windowed: rows.isWindowed(messages?.length ?? 0) ? { activeId: undefined } : undefined,
    currentId: state.currentId,
    detail: state.detailId === undefined ? undefined : core?.find(state.detailId),
    snoozing: state.snoozingId === undefined ? undefined : core?.find(state.snoozingId),
    selected: state.selected,
    isHelpShown: state.isHelpShown,
    isSettingsShown: state.isSettingsShown && views.settings !== undefined,
    rare: views.rare,
    settings: views.settings,
    notice,
    renderRow: host.element.renderRow,
  }
}
