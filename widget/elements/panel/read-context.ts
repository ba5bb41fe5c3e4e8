// Reads what the views draw from: the controller as it is now, and where the user stands in the panel.

import type { Notice } from './notices.ts'
import type { PanelState } from './panel-state.ts'
import type { PanelHost } from './panel-types.ts'
import type { Rare } from './rare.ts'
import type { Speech } from './speech.ts'
import type { ViewActions, ViewContext } from './view-context.ts'

const NO_LIST = { isLoading: false, hasMore: false, failure: undefined }

export function readContext(
  host: PanelHost,
  state: PanelState,
  { say, times, short }: Speech,
  act: ViewActions,
  { rows, rare, notice }: { rows: HTMLElement; rare: Rare | undefined; notice: Notice | undefined },
): ViewContext {
  const controller = host.controller()
  const core = controller?.core
  return {
    say,
    times,
    short,
    act,
    rows,
    now: controller?.clock.now() ?? Date.now(),
    status: controller?.status ?? 'signed-out',
    failure: controller?.failure,
    counts: controller?.counts ?? { unread: 0, unopened: 0 },
    tab: state.tab,
    messages: core?.list(state.tab),
    listState: core?.listState(state.tab) ?? NO_LIST,
    currentId: state.currentId,
    detail: state.detailId === undefined ? undefined : core?.find(state.detailId),
    snoozing: state.snoozingId === undefined ? undefined : core?.find(state.snoozingId),
    selected: state.selected,
    isHelpShown: state.isHelpShown,
    rare,
    notice,
    renderRow: host.element.renderRow,
  }
}
