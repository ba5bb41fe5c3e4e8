// Registers the components of the library that pages use, with their icons from our sprite.

import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js'
import '@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js'
import '@awesome.me/webawesome/dist/components/switch/switch.js'
import '@awesome.me/webawesome/dist/components/tab/tab.js'
import '@awesome.me/webawesome/dist/components/tab-group/tab-group.js'
import '@awesome.me/webawesome/dist/components/tab-panel/tab-panel.js'
import { registerIconLibrary } from '@awesome.me/webawesome/dist/webawesome.js'
import { SPRITE } from './icon.ts'

// As shipped, the icons are inline markup or come from another host; the policy allows neither.
for (const library of ['system', 'default']) {
  registerIconLibrary(library, { resolver: (name) => `${SPRITE}#${name}`, spriteSheet: true })
}
