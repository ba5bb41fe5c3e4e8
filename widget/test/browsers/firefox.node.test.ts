// The core of the widget in Firefox ESR.

import { afterAll, beforeAll, describe } from 'vitest'
import { findProgram } from '../../../tools/programs/programs.ts'
import { playCore } from './core-scenarios.ts'
import { playKeyboard } from './keyboard-scenario.ts'
import { openPuppeteer } from './puppeteer-browser.ts'
import { openStage, type Stage } from './stage.ts'

const firefox = findProgram('firefox')

describe.skipIf(firefox === undefined)('Firefox', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(() => openPuppeteer('firefox', firefox ?? ''))
  })
  afterAll(() => stage?.close())
  playCore(() => stage)
  playKeyboard(() => stage)
})
