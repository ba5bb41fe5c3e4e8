// Takes screenshots of a real server with a new store: the demo page wide and at 360 px, light and dark, and every gallery state.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { DemoFile } from './backend/demo-file.ts'
import { createEdgeApi } from './backend/edge-api.ts'
import { SCENES as STATES } from './page/gallery/scenes.ts'
import { createInboxReader } from './replay/inbox.ts'
import { startDemo } from './start.ts'

export interface PictureOptions {
  /** Folder of the PNG files. */
  folder: string
  executablePath: string
  /** Takes only pictures whose name contains one of these; empty means all. */
  only: readonly string[]
}

interface Scene {
  name: string
  path?: string
  /** Selector that shows that the page is ready; default the widget's sign-in. */
  ready?: string
  /** Opens the workbench's tab first. */
  tab?: 'Send' | 'Watch' | 'Mail' | 'Funnel' | 'Sign-in'
  act?(page: Page): Promise<void>
}

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } }
const SIGNED_IN = '#widget-state[data-state="ready"]'
const BELL = '#bell notification-center'

const SCENES: readonly Scene[] = [
  { name: 'shop' },
  { name: 'plant', path: '/plants/monstera' },
  { name: 'order', path: '/orders/L-204117' },
  { name: 'care', path: '/care' },
  { name: 'bell-open', act: (page) => page.locator(`${BELL} [part~="bell"]`).click() },
  { name: 'send', tab: 'Send', act: (page) => page.locator('#send').click() },
  { name: 'send-refused', tab: 'Send', act: sendBadName },
  {
    name: 'send-no-json',
    tab: 'Send',
    act: (page) => page.locator('#event-properties').fill('{\n  "orderId": "L-1",\n  "total": 12,,\n}'),
  },
  { name: 'platforms', tab: 'Send', act: deliverExamples },
  { name: 'watch', tab: 'Watch' },
  { name: 'mails', tab: 'Mail', act: (page) => page.locator('.mail-row').first().waitFor() },
  { name: 'mail', tab: 'Mail', act: openMail },
  { name: 'funnel', tab: 'Funnel', act: chooseInvoice },
  { name: 'sign-in', tab: 'Sign-in' },
  { name: 'prod-refused', tab: 'Sign-in', act: refusedInProd },
  {
    name: 'second-user',
    tab: 'Sign-in',
    act: (page) =>
      page
        .locator('#second')
        .selectOption('u_7')
        .then(() => undefined),
  },
  { name: 'offline', act: goOffline },
  { name: 'themes', path: '/themes', ready: '#preview [part~="row"]' },
  { name: 'gallery', path: '/gallery', ready: '#states iframe' },
]

/** @returns the names of the written files */
export async function takePictures({ folder, executablePath, only }: PictureOptions): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-pictures-'))
  const edge = await startDemo({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    SEED_DEMO: 'plain',
  })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] })
  try {
    await fillFunnel(edge.url, edge.demo as DemoFile)
    const shots = [...demoShots(), ...galleryShots()].filter(
      ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
    )
    for (const shot of shots) await takePicture(browser, edge.url, shot, join(folder, `${shot.name}.png`))
    return shots.map(({ name }) => name)
  } finally {
    await browser.close()
    await edge.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Shot {
  name: string
  path: string
  look: BrowserContextOptions & { viewport: { width: number; height: number } }
  /** Runs when the page is ready. */
  act(page: Page): Promise<void>
}

function demoShots(): Shot[] {
  return Object.entries(SIZES).flatMap(([size, viewport]) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      SCENES.map((scene) => ({
        name: `demo-${scene.name}-${size}-${colorScheme}`,
        path: scene.path ?? '/',
        look: { viewport, colorScheme },
        async act(page: Page) {
          await page
            .locator(scene.ready ?? SIGNED_IN)
            .first()
            .waitFor({ state: 'attached' })
          if (scene.tab !== undefined) {
            if (viewport.width < 1000) await page.locator('.handle').click()
            await page.getByRole('tab', { name: scene.tab }).click()
          }
          await scene.act?.(page)
          await page.waitForTimeout(900)
        },
      })),
    ),
  )
}

const WIDE = { width: 900, height: 720 }
/** A touch screen, on which nothing is hovered. */
const PHONE = { viewport: SIZES.narrow, isMobile: true, hasTouch: true }
/** The looks in which each state of the element is taken. */
const LOOKS: Record<string, Shot['look'] & { query?: string }> = {
  wide: { viewport: WIDE },
  phone: PHONE,
  dark: { viewport: WIDE, colorScheme: 'dark' },
  'phone-dark': { ...PHONE, colorScheme: 'dark' },
  rtl: { viewport: WIDE, query: '?dir=rtl&locale=ar' },
  forced: { viewport: WIDE, forcedColors: 'active' },
}

function galleryShots(): Shot[] {
  return Object.entries(LOOKS).flatMap(([name, { query = '', ...look }]) =>
    STATES.map((state) => ({
      name: `state-${state.name}-${name}`,
      path: `/gallery/${state.name}${query}`,
      look: state.isLow ? { ...look, viewport: { ...look.viewport, height: 120 } } : look,
      async act(page: Page) {
        await page.locator('html[data-scene]').waitFor({ timeout: 30_000 })
        const found = await page.locator('html').getAttribute('data-scene')
        if (found !== 'there') throw new Error(`${state.name}: ${await page.locator('#place').textContent()}`)
        await page.waitForTimeout(250)
      },
    })),
  )
}

async function takePicture(browser: Browser, url: string, { path, look, act }: Shot, file: string): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', deviceScaleFactor: 2, ...look })
  try {
    const page = await context.newPage()
    await page.goto(`${url}${path}`)
    await act(page)
    await page.screenshot({ path: file })
  } finally {
    await context.close()
  }
}

async function sendBadName(page: Page): Promise<void> {
  await page.locator('#event-name').fill('order..shipped')
  await page.locator('#send').click()
}

/** Shows an accepted delivery, a repeat and a refused one. */
async function deliverExamples(page: Page): Promise<void> {
  const outcome = (platform: string, words: string) =>
    page.locator(`[data-platform="${platform}"]`).getByText(words).waitFor()
  await page.getByRole('radio', { name: 'Other platforms' }).check()
  for (const name of ['Stripe', 'Intercom']) await page.getByRole('button', { name: `Send: ${name}` }).click()
  await outcome('stripe', 'Accepted')
  await page.getByRole('button', { name: 'Send the same again: Stripe' }).click()
  await outcome('stripe', 'Repeat.')
  await page.getByLabel('Sign with a wrong secret').check()
  await page.getByRole('button', { name: 'Send: HubSpot' }).click()
  await outcome('hubspot', 'Refused')
}

async function chooseInvoice(page: Page): Promise<void> {
  await page.locator('#funnel-campaign option').first().waitFor({ state: 'attached' })
  await page.locator('#funnel-campaign').selectOption({ label: 'Invoice (with branches)' })
}

async function openMail(page: Page): Promise<void> {
  await page.locator('.mail-row').first().click()
  await page.frameLocator('#mail iframe').getByRole('heading').first().waitFor()
}

async function refusedInProd(page: Page): Promise<void> {
  await page.locator('#strategy').selectOption('jwt')
  await page.getByRole('radio', { name: 'prod' }).check()
  await page.locator('#banner').waitFor()
}

async function goOffline(page: Page): Promise<void> {
  if (await page.locator('.handle').isVisible()) await page.locator('.handle').click()
  await page.locator('#cut').click()
  await page.locator('#widget-state[data-state="offline"]').waitFor()
}

/** Creates a funnel with counts in each step and branch, and an inbox of several kinds, through the public API. */
async function fillFunnel(url: string, demo: DemoFile): Promise<void> {
  const edge = createEdgeApi(url, demo.environments.dev)
  const reader = createInboxReader(url, demo)
  const events = Array.from({ length: 60 }, (_, index) => ({
    name: 'invoice.issued',
    userId: `u_guest-${index}`,
    properties: {
      invoiceId: `R-${2100 + index}`,
      total: index % 5 === 0 ? 1280 : 74,
      currency: 'EUR',
      dueOn: '14 December',
      daysOverdue: index % 7 === 0 ? 9 : 0,
    },
  }))
  await edge.trackBatch(events)
  for (let index = 0; index < events.length; index++) {
    if (index % 6 === 5) continue
    const eventType = index % 3 === 0 ? 'read' : index % 5 === 0 ? 'clicked' : index % 2 === 0 ? 'opened' : 'read'
    await reader.register(`u_guest-${index}`, eventType)
  }
  await edge.trackBatch(
    [
      { name: 'user.signed-up', properties: {} },
      {
        name: 'plant.thirsty',
        properties: { plant: 'Rubber fig', slug: 'rubber-fig', moisture: 11, millilitres: 350 },
      },
      {
        name: 'invoice.issued',
        properties: { invoiceId: 'R-2099', total: 74, currency: 'EUR', dueOn: '1 November', daysOverdue: 12 },
      },
      {
        name: 'comment.created',
        properties: {
          author: 'Ada from the greenhouse',
          plant: 'Sword fern',
          slug: 'sword-fern',
          text: 'Brown tips are thirst: put the pot in a bowl of water for an hour.',
        },
      },
      {
        name: 'order.shipped',
        properties: { orderId: 'L-204117', summary: 'Monstera, sword fern', carrier: 'Green Post', total: 74 },
      },
    ].map((event) => ({ ...event, userId: 'u_42' })),
  )
}
