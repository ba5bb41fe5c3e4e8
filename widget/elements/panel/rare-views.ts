// The views that few need, each fetched when it is first asked for.

import type { Notices } from './notices.ts'
import type { PanelHost } from './panel-types.ts'
import type { Rare } from './rare.ts'
import type { Settings } from './settings/settings.ts'
import { wantedPart } from './wanted-part.ts'

export interface RareViews {
  readonly rare: Rare | undefined
  readonly settings: Settings | undefined
  needRare(): void
  /** The picture of an empty list is among them. */
  fetchRare(): void
  /** The settings, read anew. */
  needSettings(): void
}

export function createRareViews(host: PanelHost, notices: Notices, update: () => void): RareViews {
  const { shadow, voice } = host
  const rare = wantedPart(async () => (await host.parts()?.loadRare())?.createRare(host), update)
  const settings = wantedPart(async () => {
    const call = () => host.controller()?.core?.call
    const onRefused = (): void => notices.tell('refused')
    const made = (await host.parts()?.loadSettings())?.createSettings({
      shadow,
      voice,
      call,
      onChange: update,
      onRefused,
    })
    made?.read()
    return made
  }, update)
  return {
    get rare() {
      return rare.made
    },
    get settings() {
      return settings.made
    },
    needRare: () => {
      update()
      rare.want()
    },
    fetchRare: rare.want,
    needSettings: () => (settings.made === undefined ? settings.want() : settings.made.read()),
  }
}
