// Registers the button of the library, and gives the library's icons from our sprite. Other components are imported where they are used.

import '@awesome.me/webawesome/dist/components/button/button.js'
import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js'
import { SPRITE } from './icon.ts'

// As shipped, the icons are inline markup or come from another host; the policy allows neither.
for (const library of ['system', 'default']) {
  registerIconLibrary(library, { resolver: (name) => `${SPRITE}#${name}`, spriteSheet: true })
}
