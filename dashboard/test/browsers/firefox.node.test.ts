// The dashboard in Firefox ESR.

import { afterAll, beforeAll, describe } from 'vitest'
import { findProgram } from '../../../tools/programs/programs.ts'
import { openPuppeteer } from '../../../tools/test/browsers/puppeteer-browser.ts'
import { openWalk, playDashboard, type Walk } from './walk.ts'

const firefox = findProgram('firefox')

describe.skipIf(firefox === undefined)('Firefox', () => {
  let walk: Walk
  beforeAll(async () => {
    walk = await openWalk(() => openPuppeteer('firefox', firefox ?? ''))
  })
  afterAll(() => walk?.close())
  playDashboard(() => walk)
})
