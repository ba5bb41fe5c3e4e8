// Tests what a browser and a program get at addresses that nothing serves.

import { expect, test } from 'vitest'
import { withBrowserPages } from './browser-pages.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const ask = (path: string, init: RequestInit = {}, publicUrl = 'https://x.example') =>
  withBrowserPages(undefined, () => publicUrl)(new Request(`http://127.0.0.1:3000${path}`, init))

test.each([
  ['https://x.example', '/dashboard'],
  ['https://x.example/notify/', '/notify/dashboard'],
])('with %s, / leads to %s', async (publicUrl, dashboard) => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await ask('/?a=b', { method }, publicUrl)
    expect(answer?.status).toBe(302)
    expect(answer?.headers.get('location')).toBe(dashboard)
  }
})

test('an unknown address is a page with a link for a browser, and nothing for a program', async () => {
  const headers = { accept: BROWSER }
  const answer = await ask('/nowhere', { headers }, 'https://x.example/notify')
  expect(answer?.status).toBe(404)
  expect(answer?.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer?.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await answer?.text()).toContain('<a href="/notify/dashboard">')
  expect(await ask('/nowhere', { headers: { accept: '*/*' } })).toBeUndefined()
  expect(await ask('/nowhere', { headers: { accept: 'application/json' } })).toBeUndefined()
  expect(await ask('/nowhere', { headers, method: 'POST' })).toBeUndefined()
  expect(await ask('/', { headers, method: 'POST' })).toBeUndefined()
})

test.each([
  ['/docs/', '/notify/docs'],
  ['/sign-in//?a=b', '/notify/sign-in?a=b'],
  ['//evil.example/', '/notify/evil.example'],
  ['/\\evil.example/', '/notify/evil.example'],
  ['//', '/notify/'],
])('a browser that asks for %s is led to %s', async (path, location) => {
  const headers = { accept: BROWSER }
  const answer = await ask(path, { headers }, 'https://x.example/notify')
  expect([answer?.status, answer?.headers.get('location')]).toEqual([302, location])
  expect((await ask(path, { headers }))?.headers.get('location')).toBe(location.replace('/notify', ''))
  expect(await ask(path)).toBeUndefined()
  expect(await ask(path, { headers, method: 'POST' })).toBeUndefined()
})

test('the pages of a site stand before these', async () => {
  const site = async () => new Response('demo')
  const answer = await withBrowserPages(site, () => 'https://x.example')(new Request('http://127.0.0.1:3000/'))
  expect(await answer?.text()).toBe('demo')
})
