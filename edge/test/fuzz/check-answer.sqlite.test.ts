// Tests that the fuzz finds each fault of an answer, and none in a right one. SQLite alone: no server is asked.

import { expect, test } from 'vitest'
import { createAnswerCheck } from './check-answer.ts'
import type { Operation } from './requests.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const operation: Operation = {
  ...{ method: 'GET', path: '/v1/things', name: 'GET /v1/things' },
  responses: {
    200: {
      description: 'Things',
      ...json({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }),
    },
    404: { description: '`run/not-found`', ...json({}) },
    500: { description: '`other/unknown`', ...json({}) },
    503: { description: '`service/unavailable`', ...json({}) },
  },
}
const check = createAnswerCheck({ components: {}, secrets: () => ['of-another'] })
const ASKED = {
  isMethodChanged: false,
  isHead: false,
  isFromDashboard: false,
  isPathOdd: false,
  ownSecrets: ['own-key'],
}
const HEADERS = { 'content-type': 'application/json', 'x-correlation-id': 'c' }

const faultOf = (status: number, body: unknown, headers: Record<string, string> = {}, tookMs = 5) =>
  check(
    operation,
    {
      status,
      text: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { ...HEADERS, ...headers },
      tookMs,
    },
    ASKED,
  )
const errorOf = (code: string, message = 'No.') => ({ code, message, correlationId: 'c' })

test('a documented answer has no fault', () => {
  expect(faultOf(200, { n: 1 })).toBeUndefined()
  expect(faultOf(404, errorOf('run/not-found'))).toBeUndefined()
  expect(faultOf(503, errorOf('service/unavailable'), { 'retry-after': '1' })).toBeUndefined()
})

test.each<[string, Parameters<typeof faultOf>]>([
  ['takes too long', [200, { n: 1 }, {}, 10_001]],
  ['status 200 differs from its schema', [200, { n: 'x' }]],
  ['status 201 is not documented', [201, {}]],
  ['status 200 has the type text/plain', [200, 'n', { 'content-type': 'text/plain' }]],
  ['status 500', [500, errorOf('other/unknown')]],
  ['status 503 without Retry-After', [503, errorOf('service/unavailable')]],
  ['status 404 without JSON', [404, 'Not Found']],
  ['status 404 without code or message', [404, { code: 'run/not-found' }]],
  ['status 404 with the code nothing/known', [404, errorOf('nothing/known')]],
  ['status 404 with another correlation id', [404, { ...errorOf('run/not-found'), correlationId: 'd' }]],
  ['the code user/not-found is not documented', [404, errorOf('user/not-found')]],
  ['a stack in the answer', [404, errorOf('run/not-found', 'at node:internal/process')]],
  ['a path of the machine in the answer', [404, errorOf('run/not-found', 'no file /tmp/nc-1/store.db')]],
  ['SQL in the answer', [404, errorOf('run/not-found', 'SQLITE_BUSY')]],
  ['a foreign secret in the answer', [200, { n: 1, key: 'of-another' }]],
  ['a secret in the answer', [200, { n: 1, key: 'own-key' }]],
])('it finds: %s', (fault, answer) => {
  expect(faultOf(...answer)).toContain(fault)
})
