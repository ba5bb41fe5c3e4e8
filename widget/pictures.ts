// Named pictures of every state of the widget, taken of the built script on a page under a strict policy, with the real edge behind it.

import { createHmac } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type GivenEdge, givenEdge } from '../edge/test/support/given.ts'
import { type HostPage, startHostPage } from './gallery/host-page.ts'
import { fillInbox, publishSamples } from './gallery/sample-inbox.ts'

export interface PictureOptions {
  /** Where the PNGs go. */
  folder: string
  executablePath: string
  /** Names of scenes. */
  only?: string[]
}

interface Scene {
  name: string
  userId: string
  attributes?: Record<string, string>
  before?: (page: Page, context: BrowserContext) => Promise<void>
  after?: (page: Page, userId: string) => Promise<void>
  /** Only what stands in the header. */
  clip?: { x: number; y: number; width: number; height: number }
}

const opens = async (page: Page): Promise<void> => {
  await page.locator('notification-center [part~=bell]').click()
  await page.waitForFunction(() =>
    document.querySelector('notification-center')?.shadowRoot?.querySelector('.panel:popover-open'),
  )
}
const listedIn = async (page: Page): Promise<void> => {
  await opens(page)
  await listed(page)
}
/** Opens the list and presses these keys, one after the other. */
const byKeys =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    await listedIn(page)
    for (const key of keys) await page.keyboard.press(key)
  }
/** The settings, with quiet hours. */
const settingsIn = async (page: Page): Promise<void> => {
  await listedIn(page)
  await page.locator('notification-center .gear').click()
  await page.locator('notification-center .quiet .switch').click()
  await page.locator('notification-center .hours').waitFor()
}
const listed = (page: Page) => page.locator('notification-center article.row').first().waitFor()
const refuse = (path: string, status: number, code: string) => async (page: Page) => {
  await page.route(`**${path}*`, (route) =>
    route.fulfill({
      status,
      headers: { 'access-control-allow-origin': '*' },
      json: { code, message: '', correlationId: 'picture' },
    }),
  )
}

const SCENES: Scene[] = [
  { name: 'bell', userId: 'nobody-yet', clip: { x: 0, y: 0, width: 480, height: 66 } },
  { name: 'badge', userId: 'ada', clip: { x: 0, y: 0, width: 480, height: 66 } },
  { name: 'badge-99', userId: 'busy', clip: { x: 0, y: 0, width: 480, height: 66 } },
  { name: 'panel-list', userId: 'ada', after: listedIn },
  {
    name: 'panel-hover',
    userId: 'ada',
    after: async (page) => {
      await opens(page)
      await page.locator('notification-center article.row').nth(1).hover()
    },
  },
  {
    name: 'panel-keyboard',
    userId: 'ada',
    after: async (page) => {
      await opens(page)
      await listed(page)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'detail',
    userId: 'eve',
    after: async (page) => {
      await opens(page)
      await page.locator('notification-center article.row').first().click()
      await page.locator('notification-center [part~=detail]').waitFor()
    },
  },
  {
    name: 'detail-snooze',
    userId: 'eve',
    after: async (page) => {
      await opens(page)
      await page.locator('notification-center article.row').first().click()
      await page.locator('notification-center .tool').nth(1).click()
    },
  },
  { name: 'snooze', userId: 'ada', after: byKeys('ArrowDown', 'h') },
  { name: 'selection', userId: 'ada', after: byKeys('ArrowDown', 'x', 'j', 'x') },
  { name: 'undo', userId: 'ada', after: byKeys('ArrowDown', 'e') },
  { name: 'keys', userId: 'ada', after: byKeys('?') },
  { name: 'settings', userId: 'ada', after: settingsIn },
  { name: 'settings-arabic', userId: 'ada', attributes: { locale: 'ar' }, after: settingsIn },
  { name: 'german', userId: 'ada', attributes: { locale: 'de' }, after: byKeys('ArrowDown', 'h') },
  { name: 'japanese', userId: 'ada', attributes: { locale: 'ja' }, after: listedIn },
  { name: 'arabic', userId: 'ada', attributes: { locale: 'ar' }, after: byKeys('ArrowDown', 'x') },
  { name: 'empty', userId: 'nobody-yet', after: opens },
  {
    name: 'loading',
    userId: 'slow',
    before: async (page) => void (await page.route('**/v1/inbox/messages*', () => {})),
    after: opens,
  },
  {
    name: 'offline',
    userId: 'ada',
    after: async (page) => {
      await opens(page)
      await listed(page)
      await page.context().setOffline(true)
      await page.locator('notification-center [part~=offline]').waitFor({ timeout: 15_000 })
    },
  },
  { name: 'error', userId: 'ada', before: refuse('/v1/users/auth', 401, 'auth/invalid-token-signature'), after: opens },
  {
    name: 'toast',
    userId: 'toaster',
    attributes: { toasts: 'all' },
    after: async (page, userId) => {
      await page.waitForSelector('notification-center[data-ready]', { state: 'attached' })
      await page.waitForTimeout(500)
      await trackNow(userId)
      await page.locator('notification-center [part~=toast]').first().waitFor()
    },
  },
  { name: 'inline', userId: 'ada', attributes: { mode: 'inline' }, after: listed },
  { name: 'rtl', userId: 'ada', attributes: { dir: 'rtl' }, after: listedIn },
]

const SIZES = { wide: { width: 900, height: 720 }, phone: { width: 360, height: 740 } }
let trackNow = async (_userId: string): Promise<void> => {}

/** Takes all pictures, or those of the scenes named; answers their names. */
export async function takePictures({ folder, executablePath, only }: PictureOptions): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const edge = await givenEdge({ RATE_LIMITS: 'off' })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] })
  const host = await startHostPage(edge.url)
  trackNow = (userId) => fillInbox(edge, userId)
  try {
    await publishSamples(edge)
    const names: string[] = []
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const scheme of ['light', 'dark'] as const) {
        for (const scene of SCENES.filter(({ name }) => only?.includes(name) ?? true)) {
          const name = `widget-${scene.name}-${size}-${scheme}.png`
          await takePicture({ edge, host, browser, scene, viewport, scheme, path: join(folder, name) })
          names.push(name)
        }
      }
    }
    return names
  } finally {
    await browser.close()
    await host.close()
    await edge.stop()
  }
}

interface Shot {
  edge: GivenEdge
  host: HostPage
  browser: Browser
  scene: Scene
  viewport: { width: number; height: number }
  scheme: 'light' | 'dark'
  path: string
}

async function takePicture({ edge, host, browser, scene, viewport, scheme, path }: Shot): Promise<void> {
  const context = await browser.newContext({
    viewport,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 2,
  })
  // Each picture has a user of its own, so that none has read what another shows.
  const userId = `${scene.userId}-${scene.name}-${viewport.width}-${scheme}`
  const rounds = { 'nobody-yet': 0, slow: 0, toaster: 0, busy: 16 }[scene.userId] ?? 1
  await fillInbox(edge, userId, rounds)
  try {
    const page = await context.newPage()
    await scene.before?.(page, context)
    await page.goto(host.url)
    await mount(page, edge, userId, scene.attributes ?? {})
    await page.waitForTimeout(400)
    await scene.after?.(page, userId)
    await page.waitForTimeout(300)
    await page.screenshot({
      path,
      ...(scene.clip && {
        clip: {
          ...scene.clip,
          x: viewport.width - Math.min(480, viewport.width),
          width: Math.min(480, viewport.width),
        },
      }),
    })
  } finally {
    await context.close()
  }
}

/** Puts the element into the page, as a site would. */
export async function mount(
  page: Page,
  edge: GivenEdge,
  userId: string,
  attributes: Record<string, string> = {},
): Promise<void> {
  const { frontApiKey, authSecretKey } = edge.demo.environments.dev
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  const all: Record<string, string> = { 'api-key': frontApiKey, 'user-id': userId, token, ...attributes }
  await page.evaluate((all) => {
    const center = document.createElement('notification-center')
    for (const [name, value] of Object.entries(all)) center.setAttribute(name, value)
    center.addEventListener('nc-ready', () => center.setAttribute('data-ready', ''))
    if (all.mode === 'inline') center.className = 'place'
    document.querySelector(all.mode === 'inline' ? 'main' : '#slot')?.append(center)
  }, all)
}
