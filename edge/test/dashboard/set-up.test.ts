// Tests the first set-up of an edge without members: who may do it, with which code, and that it happens once.

import { afterEach, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { cookieOf, givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { send } from '../support/send.ts'

const PATH = '/v1/dashboard/auth/setup'
const OWNER = { email: 'Ada@Example.com', name: 'Ada', password: PASSWORD, organisationName: 'Engines' }
const PROXIED = { 'x-forwarded-for': '127.0.0.1' }

let given: GivenEdge
let lines: string[]
afterEach(() => given.stop())

async function start(env: Record<string, string> = {}): Promise<void> {
  lines = []
  given = await givenEdge({ SEED_DEMO: 'false', ...env }, { writeLog: (line) => lines.push(line) })
}

const links = () =>
  lines.flatMap((line) => {
    const { msg, link } = JSON.parse(line) as { msg: string; link?: string }
    return msg.startsWith('no member yet') && link !== undefined ? [link] : []
  })
const codeInLog = async () => {
  await expect.poll(links).not.toEqual([])
  return links()[0]?.split('#')[1] ?? ''
}
const setUp = (body: object = OWNER, headers: Record<string, string> = {}) =>
  given.call('POST', PATH, { body, headers: { 'x-nc-request': '1', ...headers } })
const state = async (headers: Record<string, string> = {}) => (await given.call('GET', PATH, { headers })).body
const outcomeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  [status, body.code, body.reason].filter((part) => part !== undefined).join(' ')

test('a caller on this machine sets up without a code, is signed in as the owner, and nobody sets up again', async () => {
  await start()
  expect(await state()).toEqual({ open: true, needsCode: false })
  expect(outcomeOf(await setUp({ ...OWNER, password: 'short' }))).toBe('400 request/invalid-body')
  const answer = await setUp()
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    person: { email: 'ada@example.com', name: 'Ada' },
    organisations: [{ name: 'Engines', role: 'owner', onboardingCompleted: false }],
  })
  const dashboard = givenDashboard(given)
  const owner = dashboard.personOf('ada@example.com', cookieOf(answer))
  expect((await owner.call('GET', '/v1/dashboard/auth/me')).status).toBe(200)
  expect(outcomeOf(await setUp({ ...OWNER, email: 'b@example.com' }))).toBe('409 request/conflict set-up-done')
  expect(await state()).toEqual({ open: false, needsCode: false })
  const org = (answer.body.organisations as { id: string }[])[0]?.id
  const entries = await dashboard.cli.json<{ actor: string; who: string; action: string }[]>(`audit list --org ${org}`)
  const by = { actor: 'dashboard', who: 'ada@example.com' }
  expect(entries).toMatchObject([
    { ...by, action: 'member.add' },
    { ...by, action: 'org.create' },
  ])
  const announced = links().length
  await given.restart()
  expect(outcomeOf(await setUp())).toBe('409 request/conflict set-up-done')
  expect(links()).toHaveLength(announced)
})

test('a caller behind a proxy, or under another host name, needs the code, which a restart does not change', async () => {
  await start()
  const refused = '403 authorization/not-allowed set-up-code'
  expect(await state(PROXIED)).toEqual({ open: true, needsCode: true })
  expect(outcomeOf(await setUp(OWNER, PROXIED))).toBe(refused)
  expect(outcomeOf(await setUp({ ...OWNER, code: 'nc_setup_wrong' }, PROXIED))).toBe(refused)
  const headers = { 'content-type': 'application/json', 'x-nc-request': '1', host: 'rebound.example.com' }
  const rebound = await send(given.url, 'POST', PATH, { headers, body: JSON.stringify(OWNER) })
  expect(rebound.text).toContain('"reason":"set-up-code"')
  const code = await codeInLog()
  expect(code).toMatch(/^nc_setup_[\w-]{32}$/)
  await given.restart()
  await expect.poll(() => links().length).toBe(2)
  expect(new Set(links()).size).toBe(1)
  expect((await setUp({ ...OWNER, code }, PROXIED)).status).toBe(201)
})

test.each<[string, { PUBLIC_URL?: string; TRUSTED_PROXIES?: string }]>([
  ['PUBLIC_URL is another machine', { PUBLIC_URL: 'https://notifications.example.com' }],
  ['a proxy is trusted', { TRUSTED_PROXIES: '1' }],
])('where %s, every caller needs the code', async (_, env) => {
  await start(env)
  expect(await state()).toEqual({ open: true, needsCode: true })
  expect(outcomeOf(await setUp())).toBe('403 authorization/not-allowed set-up-code')
  // Readers of the log of a server that others reach must not become its owner.
  await expect.poll(() => lines.join('')).toContain('nc -- member set-up')
  expect(lines.join('')).not.toContain('nc_setup_')
  const { cli } = givenDashboard(given)
  const { link } = await cli.json<{ link: string }>('member set-up')
  const [page, code] = link.split('#')
  expect(page).toBe(`${env.PUBLIC_URL ?? given.url}/dashboard/set-up`)
  expect((await setUp({ ...OWNER, code })).status).toBe(201)
  expect((await cli.nc('member set-up')).err).toContain('There is a member already')
})

test('of several set-ups at the same moment one wins', async () => {
  await start()
  const answers = await Promise.all([1, 2, 3].map((n) => setUp({ ...OWNER, email: `p${n}@example.com` })))
  expect(answers.map(outcomeOf).sort()).toEqual(['201', ...Array(2).fill('409 request/conflict set-up-done')])
  expect(await givenDashboard(given).cli.json<object[]>('org list')).toHaveLength(1)
})

test('a set-up that may come from a page of another site is refused, and guesses of the code are limited', async () => {
  await start()
  const crossSite = await setUp(OWNER, { 'x-nc-request': '', origin: 'https://evil.example' })
  expect(outcomeOf(crossSite)).toBe('403 authorization/not-allowed cross-site')
  for (let attempt = 0; attempt < 5; attempt++) await setUp({ ...OWNER, code: `guess ${attempt}` }, PROXIED)
  expect(outcomeOf(await setUp({ ...OWNER, code: 'guess' }, PROXIED))).toBe('429 request/rate-limited')
})
