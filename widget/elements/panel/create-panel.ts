// Puts <nc-panel> into the shadow root of the element.

import { EN } from '../../locales/en.ts'
import { Announcer } from './announcer.ts'
import { NcPanel } from './panel.ts'
import type { Panel, PanelHost } from './panel-types.ts'

NcPanel.register('nc-panel')

export function createPanel(host: PanelHost): Panel {
  const announcer = new Announcer(host)
  // Words and announcements of this version, because another one on the page may have made the element.
  host.i18n.learn(EN)
  host.announce = (sentence) => announcer.announce(sentence)
  const panel = document.createElement('nc-panel') as NcPanel
  panel.host = host
  host.root.append(panel)
  return {
    update: () => panel.hostChanged(),
    reset: () => panel.reset(),
    arrived: (messages) => announcer.arrived(messages),
    destroy: () => panel.remove(),
  }
}
