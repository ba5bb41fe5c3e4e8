// Measures the dashboard in Chromium against the edge on SQLite: first usable pages on a slow device, scrolling, and the editor.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, launch, type Page } from 'puppeteer-core'
import { programPath } from '../../tools/programs/programs.ts'
import { type Benchmark, millis, type Row, whole } from '../benchmark.ts'
import type { Edge } from '../edges.ts'
import { median, percentile } from '../numbers.ts'
import { seededUser } from '../seed.ts'
import { workPerFrame } from '../widget/frames.ts'
import { MEASURED_FLAGS, slowDown } from '../widget/stage.ts'
import { measureEditor } from './editor.ts'

const USABLE_MS = 1000
const FRAME_MS = 8
const FLUNG_FRAMES = 240
/** Rows that are loaded before the table is flung. */
const LOADED = 2000
const VIEW = { width: 1440, height: 900 }
const ROW = '.grid-body [role=row]'

interface Demo {
  organisation: { id: string }
  dashboard: { email: string; password: string }
  environments: { dev: { id: string; sdkSecretKey: string } }
}

export const dashboard: Benchmark = {
  name: 'dashboard',
  measures: 'the dashboard in Chromium: first usable pages, scrolling of the delivery history, the editor',
  async run({ edges, pick, log }) {
    const stored = pick({ rehearsal: 3000, quick: 1_000_000, full: 1_000_000 })
    const edge = await edges.start({ stored })
    const demo = JSON.parse(readFileSync(join(edge.dataDir, 'demo.json'), 'utf8')) as Demo
    const browser = await launch({
      executablePath: programPath('chromium'),
      args: MEASURED_FLAGS,
      headless: true,
      defaultViewport: VIEW,
    })
    try {
      const { id: environment, sdkSecretKey } = demo.environments.dev
      const addressOf = (path: string) => `${edge.address}/org/${demo.organisation.id}/app/${path}`
      const address = addressOf(`inbox?env=${environment}`)
      const rounds = pick({ rehearsal: 1, quick: 5, full: 9 })
      const signedIn = await signIn(browser, edge, demo)
      log('first usable page')
      const first = await repeat(rounds, async () =>
        firstUsable(
          await browser.createBrowserContext(),
          `${edge.address}/sign-in`,
          'form:has(wa-button:defined) #email',
        ),
      )
      const usable = (page: string, selector: string) =>
        repeat(rounds, async () => firstUsable(await withSession(browser, signedIn, edge), page, selector))
      const home = await usable(addressOf(`home?env=${environment}`), '.figure dd')
      const history = await usable(address, ROW)
      const found = await usable(`${address}&userId=${seededUser(1)}`, ROW)
      log('scrolling')
      const frames = await scroll(signedIn, address)
      log('editor')
      const editorOf = (id: string) => addressOf(`campaigns/${id}/edit?env=${environment}`)
      const place = { address: edge.address, sdkSecretKey, editorOf }
      const edited = await measureEditor(signedIn, place, pick({ rehearsal: 5, quick: 40, full: 100 }))
      const usableRows = [
        usableRow('Sign-in usable, nothing cached', first),
        usableRow('Home with its figures, signed in, nothing cached', home),
        usableRow('Delivery History with its first rows, signed in, nothing cached', history),
        usableRow('… of one user', found),
      ]
      return { rows: [...usableRows, ...scrollRows(frames, stored), ...edited], notes: NOTES }
    } finally {
      await browser.close()
    }
  },
}

async function repeat(count: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = []
  for (let at = 0; at < count; at += 1) values.push(await measure())
  return values
}

async function signIn(browser: Browser, { address }: Edge, { dashboard: { email, password } }: Demo): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${address}/sign-in`)
  await page.waitForSelector('#email')
  await page.type('#email', email)
  await page.type('#password', password)
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.pathname.startsWith('/org/'))
  return page
}

/** @returns A visitor with the session alone: nothing is in the cache. */
async function withSession(browser: Browser, page: Page, { address }: Edge): Promise<BrowserContext> {
  const context = await browser.createBrowserContext()
  const { hostname } = new URL(address)
  const cookies = await page.browserContext().cookies()
  await context.setCookie(...cookies.filter(({ domain }) => domain === hostname))
  return context
}

/** Runs in the page, as text: tsx adds calls of a helper to functions, which the page has not. */
const MARK_USABLE = `(wanted) => {
  const look = () => {
    if (document.querySelector(wanted) === null) requestAnimationFrame(look)
    else setTimeout(() => performance.mark('usable'))
  }
  requestAnimationFrame(look)
}`

/** Measures from the navigation to the task after the frame that drew an element, on a slow device. */
async function firstUsable(context: BrowserContext, address: string, selector: string): Promise<number> {
  const page = await context.newPage()
  await slowDown(await page.createCDPSession())
  await page.evaluateOnNewDocument(`(${MARK_USABLE})(${JSON.stringify(selector)})`)
  await page.goto(address)
  const at = await page.waitForFunction(() => performance.getEntriesByName('usable')[0]?.startTime)
  const usableMs = (await at.jsonValue()) ?? Number.NaN
  await context.close()
  return usableMs
}

/** Loads rows, then flings the table down and up. @returns the milliseconds of work of each frame */
async function scroll(page: Page, address: string): Promise<number[]> {
  await page.goto(address)
  await page.waitForSelector(ROW)
  await page.evaluate(async (wanted) => {
    const grid = document.querySelector('[role=grid]') as HTMLElement
    const table = grid.parentElement as HTMLElement & { list: { records: unknown[] } }
    while (table.list.records.length < wanted) {
      grid.scrollTop = grid.scrollHeight
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    grid.scrollTop = 0
  }, LOADED)
  const fling = `(async () => {
    const grid = document.querySelector('[role=grid]')
    const step = (grid.scrollHeight * 2) / ${FLUNG_FRAMES}
    for (let at = 0; at < ${FLUNG_FRAMES}; at++) {
      grid.scrollTop += at < ${FLUNG_FRAMES} / 2 ? step : -step
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })()`
  return workPerFrame({ page, ask: (expression) => page.evaluate(expression) as Promise<never> }, fling)
}

function usableRow(what: string, times: number[]): Row {
  const value = median(times)
  return { what, value: millis(value), aim: `≤ ${USABLE_MS} ms`, isMet: value <= USABLE_MS }
}

function scrollRows(frames: number[], stored: number): Row[] {
  const frame = percentile(frames, 0.95)
  const what = `Work per frame of the history, ${whole(stored)} stored, ${whole(LOADED)} loaded and flung, p95`
  return [
    { what, value: millis(frame), aim: `≤ ${FRAME_MS} ms`, isMet: frame <= FRAME_MS },
    { what: '… p50', value: `${millis(median(frames))} (${frames.length} frames)` },
  ]
}

const NOTES = [
  'Usable: 1.6 Mbit/s, 150 ms for each request, a quarter of the processor; from the navigation to the task after the frame that drew the first field or row. Medians. Scrolling and the editor run at the full speed of the machine.',
]
