// Starts a real server with the demo organisation, and a real Chromium that reports every error and every violation.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type RunningEdge, startEdge } from '../../edge/index.ts'
import { ON_BUSY_MACHINES } from '../../edge/test/support/given.ts'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import { CHEAP_PASSWORDS, prepareSeeded } from '../../edge/test/support/prepared-folders.ts'
import { leaveBrowser, shareBrowser } from '../../tools/test/one-browser.ts'

type Demo = NonNullable<RunningEdge['demo']>

export interface Account {
  email: string
  password: string
}

export interface GivenDashboard {
  url: string
  demo: Demo
  browser: Browser
  /** Makes somebody a member, by an invitation of the command line. */
  join(email: string, role: string): Promise<Account>
  /** Settings of the edge; the command line uses them as well. */
  settings: Record<string, string>
  /** The address of a page of the demo's organisation in its dev environment. */
  address(path: string, query?: Readonly<Record<string, string>>): string
  /** Tracks events in the dev environment by the public API. */
  track(event: { name: string; userId: string; properties?: object }): Promise<string>
  call<T>(method: string, path: string, body?: object): Promise<T>
  stop(): Promise<void>
}

/**
 * @param more Settings of the server, such as its PUBLIC_URL, where browsers reach it then.
 * @param options Replace parts of the server, such as its name servers.
 */
export async function givenDashboard(
  more: Record<string, string> = {},
  options: Parameters<typeof startEdge>[1] = {},
): Promise<GivenDashboard> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dashboard-e2e-'))
  const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: 'off', SEED_DEMO: 'plain', ...more }
  await prepareSeeded(settings, 'with campaigns')
  const edge = await startEdge(settings, { ...ON_BUSY_MACHINES, passwordCost: CHEAP_PASSWORDS, ...options })
  const browser = await shareBrowser()
  const demo = edge.demo as Demo
  const { id, sdkSecretKey } = demo.environments.dev
  const url = more.PUBLIC_URL ?? edge.url

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(edge.url + path, {
      method,
      headers: { authorization: `Bearer ${sdkSecretKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  async function makeMember(email: string, role: string): Promise<Account> {
    const command = `member invite --org ${demo.organisation.id} --email ${email} --role ${role}`
    const { link } = await givenNc(settings).json<{ link: string }>(command)
    const password = 'a long password'
    const answer = await fetch(`${edge.url}/v1/dashboard/auth/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-nc-request': '1' },
      body: JSON.stringify({ token: link.split('#')[1], password }),
    })
    if (!answer.ok) throw new Error(`invitation refused: ${await answer.text()}`)
    return { email, password }
  }

  return {
    url,
    demo,
    browser,
    join: makeMember,
    settings,
    address: (path, query = {}) =>
      `${url}/org/${demo.organisation.id}/app/${path}?${new URLSearchParams({ env: id, ...query })}`,
    call,
    track: async (event) =>
      (await call<{ eventId: string }>('POST', '/v1/events/track', { sdkSecretKey, ...event })).eventId,
    async stop() {
      await leaveBrowser()
      await edge.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface Visit {
  page: Page
  /** Violations of the policy, errors on the console, and uncaught errors. */
  faults: string[]
}

/** Opens a page as a new visitor. @param prepare Runs before the page is loaded. */
export async function visit(
  { browser }: Pick<GivenDashboard, 'browser'>,
  url: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Visit> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', acceptDownloads: true, ...options })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself logs refused calls; pages show them. The script below does not run in the frames of mails.
    const isKnown = /^Failed to load resource|^Blocked script execution in 'about:srcdoc'/.test(message.text())
    if (message.type() === 'error' && !isKnown) faults.push(`console: ${message.text()}`)
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      throw new Error(`policy violation: ${violatedDirective} ${blockedURI} ${sourceFile}`)
    })
  })
  await prepare(page)
  await page.goto(url)
  return { page, faults }
}

/** Signs a person in on the page of the sign-in; default: the owner of the demo. */
export async function signIn(
  page: Page,
  { demo }: GivenDashboard,
  { email, password }: Account = demo.dashboard,
): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
}

/** Opens a page as a person who has signed in before; default: the owner of the demo. */
export async function visitSignedIn(
  given: GivenDashboard,
  url: string,
  heading: string | RegExp,
  options: BrowserContextOptions = {},
  { email, password }: Account = given.demo.dashboard,
): Promise<Visit> {
  const visited = await visit(given, url, options, async (page) => {
    const answer = await page.request.post(`${given.url}/v1/dashboard/auth/sign-in`, {
      headers: { 'x-nc-request': '1' },
      data: { email, password },
    })
    if (!answer.ok()) throw new Error(`sign-in refused: ${answer.status()} ${await answer.text()}`)
  })
  await visited.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  return visited
}

/** The document of the shown mail, which runs no script: its elements are read, not evaluated. */
export const mailOf = (page: Page) => page.frameLocator('nc-mail-view iframe').locator('iframe').last().contentFrame()

/** @returns How the frame of the mail is sandboxed, and how wide the mail is for its styles. */
export async function frameOf(page: Page): Promise<{ sandbox: string; width: number }> {
  const outer = page.locator('nc-mail-view iframe')
  const sandbox = await page.frameLocator('nc-mail-view iframe').locator('iframe').getAttribute('sandbox')
  return { sandbox: sandbox ?? 'none', width: await outer.evaluate((frame) => (frame as HTMLElement).offsetWidth) }
}

/** What colours can break. The other rules read names, roles and places, which are the same in light and dark. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** @returns The violations of the page as it is now, each with its elements. @param only Rules; default: all. */
export async function findViolations(page: Page, only: string[] = []): Promise<string[]> {
  // The policy of the page allows no other script, so the check runs as one of the browser's own.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  await page.evaluate(finishMoving)
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as typeof globalThis & { axe: { run(options: object): Promise<AxeResult> } }
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }, only)
}

/**
 * Runs in the page: ends its transitions and animations, also in the shadow roots of the library. On its way, a colour or
 * an opacity has another contrast. None is waited for: a browser without a window draws no frame when only colours change.
 */
function finishMoving(): void {
  const roots: (Document | ShadowRoot)[] = [document]
  for (const root of roots) {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot)
  }
  for (const moving of roots.flatMap((root) => root.getAnimations())) {
    // One that follows a scrolling ends only at its end, and the bones of a loading page never.
    const isEndless = moving.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
    if (moving.timeline === document.timeline && !isEndless) moving.finish()
  }
}

/** @returns The violations of the page as it is now: light and dark, wide and narrow; also where it scrolls sideways. */
export async function findViolationsAround(page: Page, widths: readonly number[] = [1440, 360]): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const name = `${colorScheme} ${width}`
      const only = colorScheme === 'light' ? [] : RULES_OF_COLOURS
      found.push(...(await findViolations(page, only)).map((violation) => `${name}: ${violation}`))
      const overflow = await overflowOf(page)
      if (overflow > 0) found.push(`${name}: ${overflow} px too wide`)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
  return found
}

/** @returns By how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

interface AxeResult {
  violations: { id: string; nodes: { target: string[] }[] }[]
}
