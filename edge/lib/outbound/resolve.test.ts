// Tests the resolution of names with its own name server: answers, refusals, and no answer, which must block no other work.

import { createSocket, type Socket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createResolve, type Resolve } from './resolve.ts'

const A = 1
const AAAA = 28
/** By name and type. Other names do not exist; `silent.…` is never answered, and `late.…` when a test releases it. */
const RECORDS: Record<string, Record<number, number[]>> = {
  'both.example': { [A]: [93, 184, 215, 14], [AAAA]: [0x26, 6, 0x28, 0, ...Array.from({ length: 11 }, () => 0), 1] },
  'four.example': { [A]: [93, 184, 215, 15] },
}

let server: Socket
let servers: string[]
beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', async (query, from) => {
    const { name, type, end } = readQuestion(query)
    if (name.startsWith('silent.')) return
    if (name.startsWith('late.')) await late
    const known = RECORDS[name]
    const data = known?.[type]
    const header = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x81,
      known === undefined ? 0x83 : 0x80,
      0,
      1,
      0,
      data ? 1 : 0,
      0,
      0,
      0,
      0,
    ])
    const record = data === undefined ? [] : [0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]
    server.send(Buffer.concat([header, query.subarray(12, end), Buffer.from(record)]), from.port, from.address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  servers = [`127.0.0.1:${server.address().port}`]
})
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

let asked: string[]
let late: Promise<void>
beforeEach(() => {
  asked = []
})
const system: Resolve = (hostname, _options, callback) => {
  asked.push(hostname)
  callback(null, [{ address: '10.0.0.9', family: 4 }])
}

function resolve(hostname: string, asksSystem = false, timeoutMs = 60_000): Promise<LookupAddress[]> {
  const ask = createResolve({ asksSystem, servers, system, timeoutMs })
  return new Promise((done, fail) => {
    ask(hostname, { all: true }, (error, addresses) => (error === null ? done(addresses) : fail(error)))
  })
}

test('a name returns its addresses of both families, or of one', async () => {
  expect(await resolve('both.example')).toEqual([
    { address: '93.184.215.14', family: 4 },
    { address: '2606:2800::1', family: 6 },
  ])
  expect(await resolve('four.example')).toEqual([{ address: '93.184.215.15', family: 4 }])
  expect(asked).toEqual([])
})

test('an unknown name is an error, unless the system may know it', async () => {
  await expect(resolve('nobody.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  expect(asked).toEqual([])
  expect(await resolve('nobody.example', true)).toEqual([{ address: '10.0.0.9', family: 4 }])
})

test('names of this machine are resolved by the system', async () => {
  for (const name of ['localhost', 'database', 'printer.local', 'app.localhost']) await resolve(name)
  expect(asked).toEqual(['localhost', 'database', 'printer.local', 'app.localhost'])
})

test('a name server that does not answer times out, and the system is not asked', async () => {
  await expect(resolve('silent.example', true, 150)).rejects.toMatchObject({ code: 'ETIMEOUT' })
  expect(asked).toEqual([])
})

test('a name server that does not answer does not block reads of files', async () => {
  let answerAll = () => {}
  late = new Promise((resolve) => {
    answerAll = resolve
  })
  const order: string[] = []
  const waiting = Array.from({ length: 32 }, (_, n) =>
    resolve(`late.${n}.example`).catch((error: NodeJS.ErrnoException) => order.push(String(error.code))),
  )
  // More names than the thread pool has threads.
  await Promise.all(Array.from({ length: 16 }, () => readFile(import.meta.filename)))
  order.push('read')
  answerAll()
  await Promise.all(waiting)
  expect(order).toEqual(['read', ...Array.from({ length: 32 }, () => 'ENOTFOUND')])
})
