// Reads what the views draw from: the controller as it is now, and where the user stands in the panel.

import type { PanelState } from './panel-actions.ts'
import type { PanelHost } from './panel-types.ts'
import type { Speech } from './speech.ts'
import type { ViewActions, ViewContext } from './view-context.ts'

const NO_LIST = { isLoading: false, hasMore: false, failure: undefined }

export function readContext(
  host: PanelHost,
  state: PanelState,
  { say, times, short }: Speech,
  act: ViewActions,
  rows: HTMLElement,
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
    isSnoozing: state.isSnoozing,
    notice: state.notice === undefined ? undefined : say(state.notice),
    renderRow: host.element.renderRow,
  }
}
