// Tests that a CSV answer reads rows only as fast as its client, and that an incomplete answer is noticed.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttp, type Http } from '../kernel/http.ts'
import { createNodeServer } from '../node/node-server.ts'
import { type CsvSource, openCsv } from './csv-stream.ts'

/** Generates portions without an end; `read` counts them, and `stopped` resolves when the generator ends. */
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
  test('has one header row, CRLF after each row, and quotes where they are required', async () => {
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

  test.each(['=1', '+1', '-1', '@a', '\ta', '\ra'])('prefixes %j with an apostrophe', async (cell) => {
    const [, row] = (await textOf(['a'], [{ a: cell }])).split(/\r\n(?=.)/s)
    expect(row?.replace(/^"/, '').startsWith(`'${cell}`)).toBe(true)
  })

  test('does not change these characters inside a cell, or numbers', async () => {
    expect(await textOf(['a', 'b'], [{ a: 'a=b', b: -1 }])).toBe('a,b\r\na=b,-1\r\n')
  })
})

describe('the reading', () => {
  test('reads one portion for each portion that the client reads', async () => {
    const source = endless()
    const stream = await openCsv({ columns: ['a'], portions: source.portions, onFailure: noFailure })
    const reader = stream.getReader()
    // The first portion is read before the answer begins, so that an error can still be answered.
    expect(source.read).toBe(1)
    for (let taken = 1; taken <= 3; taken++) {
      await reader.read()
      expect(source.read).toBe(taken)
    }
    await reader.cancel()
    await source.stopped
    expect(source.read).toBe(3)
  })

  test('aborts the answer when it fails', async () => {
    const failures: unknown[] = []
    async function* broken(): AsyncGenerator<object[], void, undefined> {
      yield [{ a: 1 }]
      throw new Error('the disk is gone')
    }
    const stream = await openCsv({ columns: ['a'], portions: broken(), onFailure: (error) => failures.push(error) })
    await expect(new Response(stream).text()).rejects.toThrow('the disk is gone')
    expect(failures).toHaveLength(1)
  })

  test('rejects before any answer when it fails at once', async () => {
    // biome-ignore lint/correctness/useYield: it throws first.
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
    const refuse = () => Promise.reject(new Error('unused'))
    const http: Http = createHttp({ ...sinks, callers: { key: refuse, widget: refuse }, isDraining: () => false })
    http.app.get('/export', async (c) => {
      return new Response(
        await openCsv({ columns: ['a'], ...source, destroyConnection: () => c.env.outgoing?.destroy() }),
      )
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

  test('a client that disconnects stops the reading', async () => {
    const source = endless()
    const response = await serve({ portions: source.portions, onFailure: noFailure })
    await once(response, 'data')
    response.destroy()
    await source.stopped
  })

  test('a client that stops reading causes no further reads, and is disconnected after the timeout', async () => {
    const source = endless({ a: 'x'.repeat(10_000) }, 10)
    const failures: unknown[] = []
    const onFailure = (error: unknown) => void failures.push(error)
    const response = await serve({ portions: source.portions, onFailure, stalledMs: 300 })
    response.pause()
    const end = closed(response)
    await source.stopped
    expect(String(failures[0])).toContain('stopped reading')
    // The buffers of both sockets take some portions of 100 KB.
    expect(source.read).toBeLessThan(200)
    response.resume()
    await end
    expect(response.complete).toBe(false)
  })

  test('a failure after the beginning closes the connection and sends the client no error text', async () => {
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
