// Tests spans without an edge: what a failure leaves in them, and a collector that is away.

import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findFreePort } from '../../tools/servers/server-process.ts'
import type { Traces } from '../domain/traces.ts'
import { createLog } from '../lib/log.ts'
import { type Collector, startCollector } from '../test/support/collector.ts'
import { loadTraces } from './load-traces.ts'

let collector: Collector
let lines: string[]
beforeEach(async () => {
  lines = []
  collector = await startCollector()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await collector.close()
})

async function open(url: string): Promise<Traces> {
  const log = createLog('info', (line) => lines.push(line))
  return (await loadTraces({ url, version: '1', log })) as Traces
}

test('without an address there are no traces', async () => {
  expect(await loadTraces({ url: null, version: '1', log: createLog('silent') })).toBeUndefined()
})

test('work that throws keeps its error, and its span has the name of the error alone', async () => {
  const traces = await open(`${collector.url}/v1/traces`)
  const failing = () => traces.run({ name: 'async' }, () => Promise.reject(new TypeError('private')))
  await expect(failing()).rejects.toThrow('private')
  expect(() =>
    traces.run({ name: 'sync' }, () => {
      throw new RangeError('private')
    }),
  ).toThrow('private')
  expect(traces.run({ name: 'plain' }, () => 7)).toBe(7)
  await traces.close()
  const found = collector.spans().map(({ name, hasFailed, attributes }) => [name, hasFailed, attributes['error.type']])
  expect(found).toEqual([
    ['async', true, 'TypeError'],
    ['sync', true, 'RangeError'],
    ['plain', false, undefined],
  ])
  expect(collector.texts.join()).not.toContain('private')
})

test('a collector that is away costs one warning, and neither work nor the end waits for it', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20')
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200')
  const traces = await open(`http://127.0.0.1:${await findFreePort()}/v1/traces`)
  const warnings = () => lines.filter((line) => line.includes('traces not sent'))
  traces.run({ name: 'first' }, () => {})
  await expect.poll(warnings).toHaveLength(1)
  for (let at = 0; at < 5000; at++) traces.run({ name: 'more' }, () => {})
  const closed = await Promise.race([traces.close().then(() => 'closed'), delay(60_000, 'still open')])
  expect(closed).toBe('closed')
  expect(warnings()).toHaveLength(1)
})
