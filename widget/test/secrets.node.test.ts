// No token and no session in an address, a log, a storage or another page's ear: a whole life of the built element, then everything that it left is read.

import { createHmac } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Line, openLine } from './browsers/line.ts'
import { type GivenSite, givenOwnSite } from './given-site.ts'
import { has } from './has.ts'
import { collectLeft, placesOf, type Traces, watchTraces } from './traces.ts'

const HOUR_MS = 3_600_000
/** Where a token or a session must be: in the body of a sign-in, in the header of a call. */
const WHERE_THEY_BELONG = ['bearer', 'sign-ins']
const log: string[] = []
let line: Line
let site: GivenSite

beforeAll(async () => {
  line = await openLine()
  site = await givenOwnSite(line, { writeLog: (text) => void log.push(text) })
})

afterAll(async () => {
  await site?.stop()
  await line?.close()
})

const hashed = (text: string): string =>
  createHmac('sha256', site.edge.demo.environments.dev.authSecretKey).update(text).digest('hex')

/** How a site signs in; each ask of a provider is answered with another token, as a backend does. */
const CREDENTIALS: Record<string, (userId: string, times: number) => Promise<string> | string> = {
  'a hashed token': (userId) => hashed(userId),
  'hashed tokens that end': (userId, times) => {
    const endsAt = Math.floor(Date.now() / 1000) + 900 + times
    return `v2.${endsAt}.${hashed(`v2\n${endsAt}\n${userId}`)}`
  },
  'JSON Web Tokens': async (userId, times) => {
    const { algorithm, privateKeyJwk } = site.edge.demo.environments.dev.signedJwt
    const jwt = new SignJWT({ sub: userId, times }).setProtectedHeader({ alg: algorithm }).setExpirationTime('15m')
    return jwt.sign(await importJWK(privateKeyJwk, algorithm))
  },
}

interface Life {
  context: BrowserContext
  userId: string
  isGiven: boolean
  authType: string
  traces: Traces
}

/** A page with the element on it; the credential comes by properties, so that the page's own markup has none. */
async function openTab({ context, userId, isGiven, authType }: Life): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.clock.install()
  await page.goto(site.host.url)
  await page.evaluate(
    async ({ isGiven, ...given }) => {
      const center = document.createElement('notification-center')
      const mint = Reflect.get(globalThis, 'mintToken') as () => Promise<string>
      const credential = isGiven ? { token: await mint() } : { tokenProvider: async () => ({ token: await mint() }) }
      Object.assign(center, given, credential)
      document.querySelector('#slot')?.append(center)
    },
    { isGiven, authType, userId, baseUrl: line.url, apiKey: site.edge.demo.environments.dev.frontApiKey },
  )
  await has(page, 'state', 'ready')
  return page
}

const inside = (page: Page, selector: string) => page.locator(`notification-center ${selector}`).first()
const track = ({ userId }: Life, name = 'usage.high') => site.edge.track({ name, userId, properties: {} })

/** Sign-in, two tabs, pushes, reads, a lost network. */
async function everyday(life: Life): Promise<[Page, Page]> {
  await track(life)
  const [one, other] = [await openTab(life), await openTab(life)]
  await has(one, 'unread', 1)
  await track(life, 'payment.failed')
  for (const page of [one, other]) await has(page, 'unread', 2)
  await inside(one, '[part~=bell]').click()
  for (const page of [one, other]) await has(page, 'unread', 0)
  line.cut()
  await has(one, 'state', 'offline')
  await inside(one, 'article.row').click()
  await inside(one, '[part~=detail]').waitFor()
  await collectLeft(one, life.traces)
  line.mend()
  await one.evaluate(() => dispatchEvent(new Event('online')))
  await has(one, 'state', 'ready')
  return [one, other]
}

/** The session is renewed, by every tab that has one. */
async function renewal(page: Page): Promise<void> {
  const renewed = page.waitForResponse((response) => response.url().endsWith('/v1/users/auth'))
  await page.clock.fastForward(HOUR_MS)
  await renewed
  await has(page, 'state', 'ready')
}

/** The report of `debug`, as shown and as copied, well and after a refusal. */
async function explained(life: Life, page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('notification-center')?.setAttribute('debug', ''))
  const copies = async (words: string): Promise<void> => {
    const copied = async () => {
      await inside(page, '.debug-copy').click()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    await expect.poll(copied).toContain(words)
    life.traces.set('copied', [...(life.traces.get('copied') ?? []), await copied()])
    await collectLeft(page, life.traces)
  }
  await page.bringToFront()
  await has(page, 'state', 'ready')
  await copies('ready')
  // One that nobody minted, and that is a secret all the same: of another environment, say.
  await page.evaluate(
    (wrong) =>
      Object.assign(document.querySelector('notification-center') ?? {}, { token: wrong, tokenProvider: null }),
    WRONG,
  )
  // A token of the same user is used when the session is renewed.
  await page.clock.fastForward(HOUR_MS)
  await has(page, 'state', 'error')
  await copies('The service refused')
}

const WRONG = 'c0ffee'.repeat(11).slice(0, 64)

/** A click that leaves the page, whose event goes out in a call that outlives it. */
async function leaving(life: Life, page: Page): Promise<void> {
  await inside(page, '[part~=bell]').click()
  const row = page.locator('notification-center article.row').filter({ hasText: 'card was declined' })
  const before = line.requests.length
  await Promise.all([page.waitForURL('**/billing'), row.locator('[part~=actions] a').click()])
  const clicked = async () => (await site.edge.page(await site.edge.signIn(life.userId))).data[0]?.clickedAt
  const registered = () => line.requests.slice(before).filter((text) => text.includes('event/register'))
  await expect.poll(async () => ((await clicked()) ? [] : ['no click', ...registered()])).toEqual([])
}

test.each(Object.keys(CREDENTIALS))('%s and its sessions stay where they belong', async (name) => {
  const secrets = new Set<string>([WRONG])
  const context = await site.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const traces = await watchTraces(context)
  const isGiven = name === 'a hashed token'
  const authType = name === 'JSON Web Tokens' ? 'signedJwt' : 'backendToken'
  const life: Life = { context, userId: `secret-${Object.keys(CREDENTIALS).indexOf(name)}`, isGiven, authType, traces }
  await context.exposeFunction('mintToken', async () => {
    const token = await CREDENTIALS[name]?.(life.userId, secrets.size)
    secrets.add(`${token}`)
    return token
  })
  const [one, other] = await everyday(life)
  await renewal(one)
  await leaving(life, other)
  await explained(life, one)
  const last = await openTab(life)
  await inside(last, '[part~=bell]').click()
  await inside(last, 'article.row').waitFor()
  await last.evaluate(() => {
    const center = document.querySelector('notification-center')
    return Reflect.get(center ?? {}, 'signOut').call(center)
  })
  await has(last, 'state', 'signed-out')
  await collectLeft(last, traces)
  await context.close()

  for (const bearer of traces.get('bearer') ?? []) secrets.add(bearer.slice('Bearer '.length))
  traces.set('requests on the line', [...line.requests])
  traces.set('log of the server', log)
  // It was all there to be found.
  const watched = ['addresses', 'attributes', 'channels', 'disk', 'headers', 'left: records on disk', 'left: shadows']
  expect([...traces.keys()]).toEqual(expect.arrayContaining([...watched, ...WHERE_THEY_BELONG, 'console', 'events']))
  expect(line.requests.filter((request) => request.includes('/v1/')).length).toBeGreaterThan(10)
  expect(log.filter((text) => text.includes('/v1/')).length).toBeGreaterThan(10)
  expect(secrets.size).toBeGreaterThan(isGiven ? 4 : 6)
  expect(placesOf(secrets, traces).sort()).toEqual(WHERE_THEY_BELONG)
})
