// Where the user stands in the panel.

import type { Tab } from './view-context.ts'

export interface PanelState {
  tab: Tab
  detailId: string | undefined
  /** The row that Tab leads to. */
  currentId: string | undefined
  /** Whose snooze is being chosen. */
  snoozingId: string | undefined
  /** The messages chosen for one deed; undefined while nothing is being chosen. */
  selected: ReadonlySet<string> | undefined
  isHelpShown: boolean
  isSettingsShown: boolean
}

export const FRESH: PanelState = {
  tab: 'all',
  detailId: undefined,
  currentId: undefined,
  snoozingId: undefined,
  selected: undefined,
  isHelpShown: false,
  isSettingsShown: false,
}
