// The parts of the element that come after the badge: the panel, and what the page opts into for arrivals.

import type { InboxMessage } from '../../contract/api.ts'
import type { Watch } from '../inbox/core-types.ts'
import { element } from '../lib/dom.ts'
import type { Debug } from './debug/debug.ts'
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
  /** Follows the attribute `debug`. True while its part is on its way: nothing begins before, so that it sees all of it. */
  isDebugComing(): boolean
  /** What `debug` puts between an inbox that begins now and the world. */
  watch(): Watch | undefined
  /** The element left the page. */
  drop(): void
}

/** `restart`: the inbox begins anew. */
export function createLaterParts(parts: () => Parts | undefined, host: PanelHost, restart: () => void): LaterParts {
  let panel: Panel | undefined
  let panelLoading: Promise<void> | undefined
  let missing: HTMLElement | undefined
  let extras: Extras | undefined
  /** Null: not to be had. */
  let debug: Debug | null | undefined
  let debugLoading: Promise<void> | undefined

  const makePanel = async (): Promise<void> => {
    const loaded = await parts()
      ?.loadPanel()
      .catch(() => undefined)
    missing?.remove()
    if (!host.element.isConnected) return
    if (loaded === undefined) return tellMissing()
    panel = loaded.createPanel(host)
    panel.update()
  }
  const isInline = (): boolean => host.element.mode === 'inline'
  /** In place of the panel that could not be had: so much, and a way to try again. */
  const tellMissing = (): void => {
    if (!host.element.open && !isInline()) return
    const { say } = host.voice
    const what = host.element.state === 'error' ? 'error' : 'offlineEmpty'
    missing = element('button', { class: 'missing' }, `${say(what)}. ${say('tryAgain')}`)
    missing.addEventListener('click', (event) => {
      event.stopPropagation()
      void later.loadPanel()
    })
    const place = isInline() ? host.root : host.anchor
    place.append(missing)
  }
  const getExtras = async (): Promise<Extras | undefined> => {
    const loaded = await parts()
      ?.loadExtras()
      .catch(() => undefined)
    if (host.element.isConnected) extras ??= loaded?.createExtras(host)
    return extras
  }
  const loadDebug = async (): Promise<void> => {
    const loaded = await parts()
      ?.loadDebug()
      .catch(() => undefined)
    debug = loaded?.createDebug(host) ?? null
    restart()
  }
  const later: LaterParts = {
    loadPanel: async () => {
      // A press of the bell is to ask for the browser's permission, before anything has arrived.
      if (host.element.desktop && extras === undefined) void getExtras()
      if (panel !== undefined) return
      panelLoading ??= makePanel()
      await panelLoading
      panelLoading = undefined
    },
    update: () => {
      if (!host.element.open && !isInline()) missing?.remove()
      panel?.update()
      debug?.update()
    },
    isDebugComing: () => {
      if (host.element.debug) debugLoading ??= loadDebug()
      // What did not come is asked for again when the attribute is set anew.
      else if (debug === null) debug = debugLoading = undefined
      return debugLoading !== undefined && debug === undefined
    },
    watch: () => debug?.watch(),
    reset: () => panel?.reset(),
    // An arrival without its toast is still in the list and in the badge.
    arrived: async (messages) => (await getExtras())?.arrived(messages),
    drop: () => {
      panel?.destroy()
      extras?.destroy()
      debug?.update()
      missing?.remove()
      panel = extras = undefined
    },
  }
  return later
}
