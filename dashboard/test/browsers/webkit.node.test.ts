// The dashboard in WebKitGTK, whose engine is Safari's.

import { afterAll, beforeAll, describe } from 'vitest'
import { findWebKit } from '../../../tools/programs/programs.ts'
import { openWebKit } from '../../../tools/test/browsers/webkit-browser.ts'
import { openWalk, playDashboard, type Walk } from './walk.ts'

const webKit = findWebKit()

describe.runIf(webKit)('WebKitGTK', () => {
  let walk: Walk
  beforeAll(async () => {
    if (webKit !== undefined) walk = await openWalk(() => openWebKit(webKit))
  })
  afterAll(() => walk?.close())
  playDashboard(() => walk)
})
