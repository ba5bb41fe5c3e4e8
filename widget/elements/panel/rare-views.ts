// Loads the views that few need, each when it is first asked for.

import { type Failure, hasThrown, PART_FAILED } from '../../lib/failure.ts'
import { NcErrorEvent } from '../events.ts'
import type { DrawMarkdown } from './message/markdown-view.ts'
import { PanelPart } from './panel-part.ts'
import type { Notices, PanelHost, Rare, RareViews } from './panel-types.ts'
import type { Preferences } from './settings/preferences.ts'

export function createRareViews(host: PanelHost, notices: Notices, update: () => void): RareViews {
  const { shadow, i18n } = host
  const markdown: PanelPart<DrawMarkdown> = new PanelPart(
    async () => (await host.parts()?.loadMarkdown())?.createMarkdown(shadow),
    update,
  )
  let isAsked = false
  /** Reported while somebody is there who asked for it. A part that came and threw is an error: trying again does not help. */
  const failed = (error: unknown, text: string, retry: () => void): void => {
    if (!host.element.open && host.element.mode !== 'inline') return
    if (hasThrown(error)) {
      host.emit(new NcErrorEvent(PART_FAILED.code, PART_FAILED.correlationId))
      notices.show(text)
    } else notices.show('offlineEmpty', { retry })
  }
  const rare: PanelPart<Rare> = new PanelPart(
    async () => (await host.parts()?.loadRare())?.createRare(host),
    update,
    (error) => {
      if (isAsked) failed(error, 'error', () => rare.load())
    },
  )
  const loadSettings = async (): Promise<Preferences | undefined> => {
    const call = () => host.controller()?.core?.call
    const onRefused = (failure: Failure): void => notices.show('refused', { failure })
    const part = await host.parts()?.loadSettings()
    const preferences = part?.createSettings({ i18n, call, onChange: update, onRefused })
    void preferences?.read()
    return preferences
  }
  const settings: PanelPart<Preferences> = new PanelPart(loadSettings, update, (error) =>
    failed(error, 'preferencesError', () => settings.load()),
  )
  return {
    rare,
    markdown,
    settings,
    needRare: () => {
      isAsked = true
      update()
      rare.load()
    },
    needSettings: () => (settings.value === undefined ? settings.load() : void settings.value.read()),
  }
}
