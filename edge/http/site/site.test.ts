// Tests the files that are served in addition to the API: reference and widget.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from '@hono/zod-openapi'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttp, type Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import { addDocs } from './docs.ts'
import { namesEtag } from './file-route.ts'
import { addOpenApi } from './openapi.ts'
import { readServedFolder } from './served-folder.ts'
import { addWidgetFiles } from './widget-files.ts'

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
  })
}

describe('the widget', () => {
  async function givenWidget(): Promise<Http> {
    const dist = await mkdtemp(join(tmpdir(), 'widget-'))
    cleanups.push(() => rm(dist, { recursive: true }))
    await mkdir(join(dist, 'chunks'))
    await writeFile(join(dist, 'notification-center.js'), `export const x = 1 // ${'pad '.repeat(300)}`)
    await writeFile(join(dist, 'chunks', 'realtime.js'), 'export {}')
    await writeFile(join(dist, 'integrity.json'), '{}')
    await writeFile(join(dist, '.secret.js'), 'no')
    await writeFile(join(dist, 'notes.txt'), 'no')
    const http = givenHttp()
    addWidgetFiles(http, await readServedFolder(dist), '1.2.3')
    return http
  }

  test.each([
    ['/widget/notification-center.js', /max-age=300/, 'text/javascript; charset=utf-8'],
    ['/widget/chunks/realtime.js', /max-age=300/, 'text/javascript; charset=utf-8'],
    ['/widget/integrity.json', /max-age=300/, 'application/json'],
    ['/widget/1.2.3/notification-center.js', /immutable/, 'text/javascript; charset=utf-8'],
    ['/widget/1.2.3/chunks/realtime.js', /immutable/, 'text/javascript; charset=utf-8'],
  ])('%s may be loaded from any origin', async (path, cache, type) => {
    const answer = await (await givenWidget()).app.request(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toMatch(cache)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-correlation-id')).toBeTruthy()
  })

  test.each([
    '/widget/',
    '/widget/nothing.js',
    '/widget/9.9.9/notification-center.js',
    '/widget/.secret.js',
    '/widget/notes.txt',
    '/widget/../package.json',
    '/widget/%2e%2e/package.json',
    '/widget/..%2fpackage.json',
    '/widget/chunks',
  ])('%s is 404', async (path) => {
    const answer = await (await givenWidget()).app.request(path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'request/not-found' })
  })

  test('it is compressed for clients that accept it, and answered 304 to clients that have it', async () => {
    const http = await givenWidget()
    const path = '/widget/notification-center.js'
    const compressed = await http.app.request(path, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    const bytes = Buffer.from(await compressed.arrayBuffer())
    expect(brotliDecompressSync(bytes).toString()).toContain('export const x')
    const plain = await http.app.request(path, { headers: { 'accept-encoding': 'br;q=0, gzip;q=0' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const etag = plain.headers.get('etag') as string
    const again = await http.app.request(path, { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  test('a widget that was not built is 404, not an error', async () => {
    const http = givenHttp()
    addWidgetFiles(http, await readServedFolder('/nonexistent/dist'), '1.2.3')
    expect((await http.app.request('/widget/notification-center.js')).status).toBe(404)
  })

  test('other methods are 405', async () => {
    const answer = await (await givenWidget()).app.request('/widget/notification-center.js', { method: 'POST' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  })
})

test.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['a', false],
  ['"ab"', false],
])('If-None-Match %j matches the tag: %s', (header, isMatch) => {
  expect(namesEtag(header, 'a')).toBe(isMatch)
})

describe('the reference', () => {
  test('the document has each route with its body, answer and errors', async () => {
    const http = givenHttp()
    addRoute(
      http,
      {
        method: 'put',
        path: '/v1/things/:id',
        summary: 'Change a thing',
        tag: 'Things',
        caller: 'key',
        role: 'editor',
        body: z.object({ a: z.string() }).openapi('Thing'),
        answer: { status: 200, schema: z.object({ b: z.number() }) },
        errors: ['message/not-found'],
      },
      () => ({ b: 1 }),
    )
    addOpenApi(http, { publicUrl: () => 'https://nc.example.com' }, '1.2.3')
    const document = await (await http.app.request('/openapi.json')).json()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://nc.example.com' }],
      components: { schemas: { Thing: { required: ['a'] }, Error: {} }, securitySchemes: { sdkSecretKey: {} } },
    })
    const operation = document.paths['/v1/things/{id}'].put
    expect(operation.security).toEqual([{ sdkSecretKey: [] }])
    expect(Object.keys(operation.responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '405',
      '408',
      '409',
      '413',
      '415',
      '429',
      '431',
      '500',
      '501',
      '503',
    ])
    expect(operation.responses[404].description).toContain('message/not-found')
  })

  test('the page loads its scripts from this server, and its policy forbids other hosts', async () => {
    const http = givenHttp()
    addDocs(http)
    const page = await http.app.request('/docs')
    const html = await page.text()
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'")
    expect(html).not.toMatch(/https?:\/\//)
    const scripts = [...html.matchAll(/src="([^"]+)"/g)].map((match) => match[1] as string)
    for (const script of scripts) expect((await http.app.request(script)).status).toBe(200)
    expect(await (await http.app.request('/docs/start.js')).text()).toContain('telemetry: false')
  })
})
