// The CSV answer reads no further than its client does, stops with it, and never ends as if it were whole when it is not.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttp, type Http } from '../http.ts'
import { createNodeServer } from '../node/node-server.ts'
import { type CsvSource, openCsv } from './csv-stream.ts'

/** Portions without an end; tells how many were read, and when the reading stopped. */
function endless(row: object = { a: 1 }, portion = 10) {
  const source = { read: 0, stopped: Promise.resolve(), portions: generate() }
  let stop: () => void = () => undefined
  source.stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  async function* generate(): AsyncGenerator<object[], void, undefined> {
    try {
      for (;;) {
        source.read++
        yield Array<object>(portion).fill(row)
      }
    } finally {
      stop()
    }
  }
  return source
}

async function* listed(...portions: object[][]): AsyncGenerator<object[], void, undefined> {
  yield* portions
}

const noFailure = (error: unknown) => {
  throw error
}
const textOf = async (columns: string[], ...portions: object[][]) =>
  new Response(await openCsv({ columns, portions: listed(...portions), onFailure: noFailure })).text()

describe('the text', () => {
  test('has one header row, CRLF behind each row, and quotes where they must be', async () => {
    const rows = [
      { a: 'x,y', b: null },
      { a: '"q"', b: 2 },
    ]
    expect(
      await textOf(['a', 'b'], rows, [
        { b: true, a: 'two\nlines' },
        { a: '', b: false },
      ]),
    ).toBe('a,b\r\n"x,y",\r\n"""q""",2\r\n"two\nlines",true\r\n,false\r\n')
    expect(await textOf(['a', 'b'])).toBe('a,b\r\n')
  })

  test.each(['=1', '+1', '-1', '@a', '\ta', '\ra'])('neutralises %j', async (cell) => {
    const [, row] = (await textOf(['a'], [{ a: cell }])).split(/\r\n(?=.)/s)
    expect(row?.replace(/^"/, '').startsWith(`'${cell}`)).toBe(true)
  })

  test('leaves the same characters within a cell, and numbers, alone', async () => {
    expect(await textOf(['a', 'b'], [{ a: 'a=b', b: -1 }])).toBe('a,b\r\na=b,-1\r\n')
  })
})

describe('the reading', () => {
  test('takes a portion for each that the client took', async () => {
    const source = endless()
    const stream = await openCsv({ columns: ['a'], portions: source.portions, onFailure: noFailure })
    const reader = stream.getReader()
    // The first is read before the answer begins: if that fails, there is an error to answer.
    expect(source.read).toBe(1)
    for (let taken = 1; taken <= 3; taken++) {
      await reader.read()
      expect(source.read).toBe(taken)
    }
    await reader.cancel()
    await source.stopped
    expect(source.read).toBe(3)
  })

  test('that fails breaks the answer off', async () => {
    const failures: unknown[] = []
    async function* broken(): AsyncGenerator<object[], void, undefined> {
      yield [{ a: 1 }]
      throw new Error('the disk is gone')
    }
    const stream = await openCsv({ columns: ['a'], portions: broken(), onFailure: (error) => failures.push(error) })
    await expect(new Response(stream).text()).rejects.toThrow('the disk is gone')
    expect(failures).toHaveLength(1)
  })

  test('that fails at once is an error before any answer', async () => {
    // biome-ignore lint/correctness/useYield: it never comes to that.
    async function* broken(): AsyncGenerator<object[], void, undefined> {
      throw new Error('the disk is gone')
    }
    await expect(openCsv({ columns: ['a'], portions: broken(), onFailure: noFailure })).rejects.toThrow('the disk')
  })
})

describe('over a connection', () => {
  let close: () => Promise<void>
  afterEach(() => close())

  async function serve(source: Omit<CsvSource, 'columns'>): Promise<IncomingMessage> {
    const sinks = { onDefect: () => undefined, onRefused: () => undefined }
    const refuse = () => Promise.reject(new Error('nobody calls'))
    const http: Http = createHttp({ ...sinks, callers: { key: refuse, widget: refuse }, isDraining: () => false })
    http.app.get('/export', async (c) => {
      return new Response(await openCsv({ columns: ['a'], ...source, cut: () => c.env.outgoing?.destroy() }))
    })
    const server = createNodeServer(http.app, http)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    close = async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
    const request = get({ port: (server.address() as AddressInfo).port, path: '/export', agent: false })
    request.on('error', () => undefined)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.on('error', () => undefined)
    return response
  }

  const closed = (response: IncomingMessage) => new Promise<void>((resolve) => response.on('close', resolve))

  test('a client that goes away stops it', async () => {
    const source = endless()
    const response = await serve({ portions: source.portions, onFailure: noFailure })
    await once(response, 'data')
    response.destroy()
    await source.stopped
  })

  test('a client that stops reading is not read ahead for, and is cut in the end', async () => {
    const source = endless({ a: 'x'.repeat(10_000) }, 10)
    const failures: unknown[] = []
    const onFailure = (error: unknown) => void failures.push(error)
    const response = await serve({ portions: source.portions, onFailure, stalledMs: 300 })
    response.pause()
    const end = closed(response)
    await source.stopped
    expect(String(failures[0])).toContain('stopped reading')
    // What the sockets of both sides hold, at 100 KB a portion.
    expect(source.read).toBeLessThan(200)
    response.resume()
    await end
    expect(response.complete).toBe(false)
  })

  test('a reading that fails on the way cuts the connection and tells the client nothing', async () => {
    let onText: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      onText = resolve
    })
    async function* broken(): AsyncGenerator<object[], void, undefined> {
      yield [{ a: 1 }]
      await arrived
      throw new Error('SQLITE_IOERR')
    }
    const failures: unknown[] = []
    const response = await serve({ portions: broken(), onFailure: (error) => failures.push(error) })
    let text = ''
    response.on('data', (chunk: Buffer) => {
      text += String(chunk)
      onText()
    })
    await closed(response)
    expect([text, response.complete, failures.length]).toEqual(['a\r\n1\r\n', false, 1])
  })
})
