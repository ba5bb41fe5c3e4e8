// The core of the widget in Chromium, so that the scenarios of the other browsers are known to be right.

import { afterAll, beforeAll, describe } from 'vitest'
import { programPath } from '../../../tools/programs/programs.ts'
import { openPuppeteer } from '../../../tools/test/browsers/puppeteer-browser.ts'
import { playCore } from './core-scenarios.ts'
import { playKeyboard } from './keyboard-scenario.ts'
import { openStage, type Stage } from './stage.ts'

describe('Chromium', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(() => openPuppeteer('chrome', programPath('chromium')))
  })
  afterAll(() => stage?.close())
  playCore(() => stage)
  playKeyboard(() => stage)
})
