// Tests that the dashboard's documents are served under a strict policy, and its files for a year.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createHttp, type Http } from '../kernel/http.ts'
import { addDashboardFiles } from './dashboard-files.ts'
import { readServedFolder } from './served-folder.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

function givenHttp(): Http {
  return createHttp({
    onDefect: (error) => {
      throw error
    },
    onRefused: () => {},
    isDraining: () => false,
    callers: { key: () => Promise.reject(new Error('unused')), widget: () => Promise.reject(new Error('unused')) },
    // The demo's pages come after the dashboard's.
    site: async () => new Response('demo'),
  })
}

async function givenDashboard(): Promise<Http> {
  const dist = await mkdtemp(join(tmpdir(), 'dashboard-'))
  cleanups.push(() => rm(dist, { recursive: true }))
  await mkdir(join(dist, 'dashboard/assets'), { recursive: true })
  for (const name of ['index', 'sign-in', 'history', 'home']) {
    await writeFile(join(dist, `${name}.html`), `<!doctype html><title>Dashboard</title>${name}`)
  }
  await writeFile(join(dist, 'dashboard/assets/main-abc.js'), 'export {}')
  const http = givenHttp()
  addDashboardFiles(http, { publicUrl: () => 'http://127.0.0.1:3000' }, await readServedFolder(dist))
  return http
}

test.each([
  ['/sign-in', 'sign-in'],
  ['/sign-in?next=%2Forg', 'sign-in'],
  ['/org/org_1/app/inbox?status=failed', 'history'],
  ['/org/org_1/app/inbox/x', 'index'],
  ['/org/org_1/app/campaigns/cmp_1', 'index'],
  ['/org/org_1/app/home', 'home'],
  ['/dashboard', 'home'],
  ['/dashboard/accept-invitation', 'index'],
  ['/dashboard/reset-password', 'index'],
])('%s is the document %s, which no cache keeps', async (path, name) => {
  const answer = await (await givenDashboard()).app.request(path)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(`<!doctype html><title>Dashboard</title>${name}`)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toContain('unsafe')
})

test('the frame of mails is an empty document that allows styles and pictures by HTTPS, and only in our own pages', async () => {
  const { app } = await givenDashboard()
  const answer = await app.request('/dashboard/mail-frame')
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('<body></body>')
  const policy = (answer.headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src https: data:',
      "frame-ancestors 'self'",
      "form-action 'none'",
    ]),
  )
  expect(policy.join()).not.toMatch(/script|connect|font/)
  const page = await app.request('/dashboard')
  expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'")
})

test('a file with a hash in its name is kept for a year; an unknown one is 404, not the document', async () => {
  const { app } = await givenDashboard()
  const file = await app.request('/dashboard/assets/main-abc.js')
  expect(file.status).toBe(200)
  expect(file.headers.get('cache-control')).toMatch(/immutable/)
  for (const path of ['/dashboard/assets/main-old.js', '/dashboard/assets/../../index.html/x']) {
    expect((await app.request(path)).headers.get('content-type'), path).not.toMatch(/javascript/)
  }
  expect((await app.request('/dashboard/assets/main-old.js')).status).toBe(404)
})

test('other paths belong to the site', async () => {
  const { app } = await givenDashboard()
  for (const path of ['/', '/orders/1', '/organisation', '/sign-in/x']) {
    expect(await (await app.request(path)).text(), path).toBe('demo')
  }
})

test('a dashboard that was not built is 404', async () => {
  const http = givenHttp()
  addDashboardFiles(http, { publicUrl: () => 'http://127.0.0.1:3000' }, await readServedFolder('/nonexistent/dist'))
  const answer = await http.app.request('/sign-in')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ code: 'request/not-found' })
})

test('below a path, the document names its files there', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'dashboard-path-'))
  await writeFile(join(dist, 'index.html'), '<script src="/dashboard/assets/a.js"></script><link href="data:,">')
  const http = givenHttp()
  const publicUrl = () => 'https://x.example/notify/'
  addDashboardFiles(http, { publicUrl }, await readServedFolder(dist))
  const answer = await http.app.request('/org/org_1')
  expect(await answer.text()).toBe('<script src="/notify/dashboard/assets/a.js"></script><link href="data:,">')
})
