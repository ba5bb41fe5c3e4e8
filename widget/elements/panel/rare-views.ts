// The views that few need, each fetched when it is first asked for.

import type { DrawMarkdown } from './message/markdown-view.ts'
import type { Notices } from './notices.ts'
import type { PanelHost } from './panel-types.ts'
import type { Rare } from './rare.ts'
import type { Settings } from './settings/settings.ts'
import { type WantedPart, wantedPart } from './wanted-part.ts'

export interface RareViews {
  rare: WantedPart<Rare>
  markdown: WantedPart<DrawMarkdown>
  settings: WantedPart<Settings>
  needRare(): void
  /** The settings, read anew. */
  needSettings(): void
}

export function createRareViews(host: PanelHost, notices: Notices, update: () => void): RareViews {
  const { shadow, voice } = host
  const markdown = wantedPart(async () => (await host.parts()?.loadMarkdown())?.createMarkdown(shadow), update)
  let isAsked = false
  /** Said while somebody is there who asked for it. */
  const failed = (retry: () => void): void => {
    if (host.element.open || host.element.mode === 'inline') notices.tell('offlineEmpty', { retry })
  }
  const rare: WantedPart<Rare> = wantedPart(
    async () => (await host.parts()?.loadRare())?.createRare(host),
    update,
    () => isAsked && failed(rare.want),
  )
  const loadSettings = async (): Promise<Settings | undefined> => {
    const call = () => host.controller()?.core?.call
    const onRefused = (): void => notices.tell('refused')
    const part = await host.parts()?.loadSettings()
    const made = part?.createSettings({ shadow, voice, call, onChange: update, onRefused })
    made?.read()
    return made
  }
  const settings: WantedPart<Settings> = wantedPart(loadSettings, update, () => failed(settings.want))
  return {
    rare,
    markdown,
    settings,
    needRare: () => {
      isAsked = true
      update()
      rare.want()
    },
    needSettings: () => (settings.made === undefined ? settings.want() : settings.made.read()),
  }
}

/** What is opened below the list wants an answer: it has the focus once. */
export function createSheetFocus(panel: HTMLElement): () => void {
  let before: Element | null = null
  return () => {
    const sheet = panel.querySelector('.sheet, .settings')
    if (sheet !== before) {
      const first = sheet?.querySelector('.choice') ?? sheet?.querySelector('button, input, [tabindex]')
      if (first instanceof HTMLElement) first.focus()
    }
    before = sheet
  }
}
