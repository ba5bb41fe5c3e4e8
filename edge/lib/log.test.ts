// Tests the log: allow-listed fields, and no credential in any line.

import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createLog, type LogFields, logFault, scrub } from './log.ts'

function linesOf(act: (log: ReturnType<typeof createLog>) => void, level: 'info' | 'silent' = 'info') {
  const lines: string[] = []
  act(createLog(level, (line) => lines.push(line)))
  return lines
}

test('a line is JSON with level, time, message and the given fields', () => {
  const [line] = linesOf((log) => log.info('Listening', { address: 'http://127.0.0.1:3000' }))
  expect(line?.endsWith('\n')).toBe(true)
  expect(JSON.parse(line as string)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    address: 'http://127.0.0.1:3000',
    msg: 'Listening',
  })
})

test('a field that is not on the list is left out', () => {
  const fields: LogFields & { body: string } = { code: 'x', body: 'private' }
  expect(linesOf((log) => log.warn('m', fields)).join()).not.toContain('private')
})

test('an error shows its causes and none of its other properties', () => {
  const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { row: 'private' })
  const [line] = linesOf((log) => log.error('Failed', { error }))
  const { error: shown } = JSON.parse(line as string) as { error: Record<string, unknown> }
  expect(shown).toMatchObject({ name: 'Error', message: 'outer', causes: ['Error: inner'] })
  expect(line).not.toContain('private')
})

test.each([
  'nc_sdk_eu_Abc123_-x',
  'nc_auth_eu_Abc123',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'v2.1760000000.0123456789abcdef0123456789abcdef',
  'a3f5'.repeat(16),
  Buffer.from('a master key of thirty-two bytes').toString('base64'),
  "ann.o'hara+x@mail.example.co.uk",
])('%s is scrubbed wherever it stands', (secret) => {
  const [line] = linesOf((log) => log.error(`bad ${secret}!`, { reason: secret, error: new Error(secret) }))
  expect(line).not.toContain(secret.slice(-8))
  expect(line).toContain('[scrubbed')
})

test('credentials of headers and addresses are scrubbed', () => {
  expect(scrub('Authorization: Bearer abc.def')).toBe('Authorization: Bearer [scrubbed]')
  expect(scrub('postgres://me:pass@db:5432/x')).toBe('postgres://[scrubbed]@db:5432/x')
})

test('values quoted in an error are removed, in its causes and its stack too', () => {
  const cause = (() => {
    try {
      JSON.parse('{"card":"4111","name":"Ann"')
    } catch (error) {
      return error as Error
    }
  })()
  const [line = ''] = linesOf((log) =>
    log.error('Failed', { error: new Error('invalid input syntax for type integer: "Bert \\"B\\""', { cause }) }),
  )
  expect(line).not.toMatch(/4111|Ann|Bert|B\\/)
  expect(line).toContain('invalid input syntax for type integer')
  expect(JSON.parse(line).error.stack).toMatch(/^\s+at .*log\.test\.ts/)
})

test('paths of packages stay as they are', () => {
  const path = 'file:///srv/node_modules/@hono/node-server/dist/index.mjs:12:5'
  expect(scrub(path)).toBe(path)
})

test('a scrubbed line is still JSON', () => {
  const [line] = linesOf((log) =>
    log.error('Bearer abc', { reason: 'Basic x"y', error: new Error('nc_sdk_eu_1\n"q"') }),
  )
  expect(() => JSON.parse(line as string)).not.toThrow()
})

test('a silent log writes nothing', () => {
  expect(linesOf((log) => log.error('m'), 'silent')).toEqual([])
})

test('a store that is out of reach is a warning, any other fault an error that is counted', () => {
  let errors = 0
  const lines: string[] = []
  const log = createLog('silent', undefined, () => {
    errors++
  })
  logFault(log, 'work not claimed', { error: new ApiError('service/unavailable') })
  expect(errors).toBe(0)
  logFault(log, 'work not claimed', { error: new Error('defect') })
  expect(errors).toBe(1)
  logFault(
    createLog('info', (line) => lines.push(JSON.parse(line).level)),
    'work not claimed',
    { error: new ApiError('service/unavailable') },
  )
  expect(lines).toEqual(['warn'])
})
