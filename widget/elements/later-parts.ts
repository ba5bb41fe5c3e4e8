// The parts of the element that come after the badge: the panel, and what the page opts into for arrivals.

import type { InboxMessage } from '../../contract/api.ts'
import type { Extras } from './panel/extras.ts'
import type { Panel, PanelHost } from './panel/panel-types.ts'
import type { Parts } from './parts.ts'

export interface LaterParts {
  loadPanel(): Promise<void>
  /** Something may be different. */
  update(): void
  /** Another user: nothing of the former one stays in view. */
  reset(): void
  arrived(messages: InboxMessage[]): Promise<void>
  /** The element left the page. */
  drop(): void
}

export function createLaterParts(parts: () => Parts | undefined, host: PanelHost): LaterParts {
  let panel: Panel | undefined
  let panelLoading: Promise<void> | undefined
  let extras: Extras | undefined

  const makePanel = async (): Promise<void> => {
    // Not to be had now: the next press asks for it again.
    const loaded = await parts()
      ?.loadPanel()
      .catch(() => undefined)
    if (loaded === undefined || !host.element.isConnected) return
    panel = loaded.createPanel(host)
    panel.update()
  }
  const getExtras = async (): Promise<Extras | undefined> => {
    const loaded = await parts()
      ?.loadExtras()
      .catch(() => undefined)
    if (host.element.isConnected) extras ??= loaded?.createExtras(host)
    return extras
  }
  return {
    loadPanel: async () => {
      if (panel !== undefined) return
      // A press of the bell is to ask for the browser's permission, before anything has arrived.
      if (host.element.desktop) void getExtras()
      panelLoading ??= makePanel()
      await panelLoading
      panelLoading = undefined
    },
    update: () => panel?.update(),
    reset: () => panel?.reset(),
    // An arrival without its toast is still in the list and in the badge.
    arrived: async (messages) => (await getExtras())?.arrived(messages),
    drop: () => {
      panel?.destroy()
      extras?.destroy()
      panel = extras = undefined
    },
  }
}
