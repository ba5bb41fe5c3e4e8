// The core of the widget in WebKitGTK, whose engine is Safari's.

import { afterAll, beforeAll, describe } from 'vitest'
import { findWebKit } from '../../../tools/programs/programs.ts'
import { openWebKit } from '../../../tools/test/browsers/webkit-browser.ts'
import { playCore } from './core-scenarios.ts'
import { playKeyboard } from './keyboard-scenario.ts'
import { openStage, type Stage } from './stage.ts'

const webKit = findWebKit()

describe.runIf(webKit)('WebKitGTK', () => {
  let stage: Stage
  beforeAll(async () => {
    if (webKit !== undefined) stage = await openStage(() => openWebKit(webKit))
  })
  afterAll(() => stage?.close())
  playCore(() => stage)
  playKeyboard(() => stage)
})
