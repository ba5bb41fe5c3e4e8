// A proxy that stood still holds it against no target: what came meanwhile is read before it is called late.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { standStill } from '../../edge/test/support/stand-still.ts'
import { createProxy, type RunningProxy } from './proxy.ts'

/** How often the target has answered. */
const answers = new Int32Array(new SharedArrayBuffer(4))

/** On a loop of its own: it answers while this one stands still, and then says so. */
const TARGET = `
  const { parentPort, workerData: answers } = require('node:worker_threads')
  const server = require('node:http').createServer((request, response) => {
    parentPort.postMessage(request.url)
    response.end('ok', () => {
      Atomics.add(answers, 0, 1)
      Atomics.notify(answers, 0)
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

let target: Worker
let proxy: RunningProxy | undefined
afterEach(async () => {
  await proxy?.close()
  await target.terminate()
})

async function givenProxy(timeoutMs: number): Promise<RunningProxy> {
  answers[0] = 0
  target = new Worker(TARGET, { eval: true, workerData: answers })
  const [port] = (await once(target, 'message')) as [number]
  const probe = { path: '/readyz', everyMs: 600_000, timeoutMs }
  proxy = await createProxy({ host: '127.0.0.1', port: 0, targets: () => [{ host: '127.0.0.1', port }], probe })
  return proxy
}

test('a target is ready whose answer came in time, however late that is seen', async () => {
  const { ready } = await givenProxy(2000)
  const [path] = await once(target, 'message')
  // Until it has answered, and then until its time is over.
  Atomics.wait(answers, 0, 0, 20_000)
  standStill(2100)
  await expect.poll(ready).toBe(1)
  expect(path).toBe('/readyz')
})

test('a connection that stands is used, however late that is seen', async () => {
  const { url, ready } = await givenProxy(60_000)
  await expect.poll(ready).toBe(1)
  let dialled = 0
  const onDial = () => {
    // The client dials first, then the proxy; behind the turn of the loop in which it does so.
    if (++dialled === 2) setImmediate(standStill, 2100)
  }
  subscribe('net.client.socket', onDial)
  const answer = await fetch(url)
  unsubscribe('net.client.socket', onDial)
  expect([answer.status, dialled]).toEqual([200, 2])
})
