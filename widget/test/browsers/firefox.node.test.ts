// The core of the widget in Firefox ESR.

import { afterAll, beforeAll, describe } from 'vitest'
import { findProgram } from '../../../tools/programs/programs.ts'
import { openPuppeteer } from '../../../tools/test/browsers/puppeteer-browser.ts'
import { playCore } from './core-scenarios.ts'
import { playKeyboard } from './keyboard-scenario.ts'
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
