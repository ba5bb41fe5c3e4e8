// The views that few need, each fetched when it is first asked for.

import { LazyPart } from './lazy-part.ts'
import type { DrawMarkdown } from './message/markdown-view.ts'
import type { NoticeController } from './notices.ts'
import type { PanelHost } from './panel-types.ts'
import type { Rare } from './rare.ts'
import type { Settings } from './settings/settings.ts'

export interface RareViews {
  rare: LazyPart<Rare>
  markdown: LazyPart<DrawMarkdown>
  settings: LazyPart<Settings>
  needRare(): void
  /** The settings, read anew. */
  needSettings(): void
}

export function createRareViews(host: PanelHost, notices: NoticeController, update: () => void): RareViews {
  const { shadow, voice } = host
  const markdown: LazyPart<DrawMarkdown> = new LazyPart(
    async () => (await host.parts()?.loadMarkdown())?.createMarkdown(shadow),
    update,
  )
  let isAsked = false
  /** Said while somebody is there who asked for it. */
  const failed = (retry: () => void): void => {
    if (host.element.open || host.element.mode === 'inline') notices.show('offlineEmpty', { retry })
  }
  const rare: LazyPart<Rare> = new LazyPart(
    async () => (await host.parts()?.loadRare())?.createRare(host),
    update,
    () => {
      if (isAsked) failed(() => rare.load())
    },
  )
  const loadSettings = async (): Promise<Settings | undefined> => {
    const call = () => host.controller()?.core?.call
    const onRefused = (): void => notices.show('refused')
    const part = await host.parts()?.loadSettings()
    const made = part?.createSettings({ shadow, voice, call, onChange: update, onRefused })
    made?.read()
    return made
  }
  const settings: LazyPart<Settings> = new LazyPart(loadSettings, update, () => failed(() => settings.load()))
  return {
    rare,
    markdown,
    settings,
    needRare: () => {
      isAsked = true
      update()
      rare.load()
    },
    needSettings: () => (settings.value === undefined ? settings.load() : settings.value.read()),
  }
}
