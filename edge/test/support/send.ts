// Sends requests byte by byte: bodies that are not JSON, and headers that an HTTP client would not send.

import { request } from 'node:http'

export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Undefined when the text is not JSON. */
  body: Record<string, unknown>
}

export interface RawRequest {
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends one request on its own connection. */
export function send(url: string, method: string, path: string, options: RawRequest = {}): Promise<RawAnswer> {
  const { promise, resolve, reject } = deferred<RawAnswer>()
  const { hostname, port } = new URL(url)
  const outgoing = request(
    { hostname, port, method, path, headers: options.headers ?? {}, agent: false },
    (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parse(text) })
      })
    },
  )
  outgoing.on('error', reject)
  outgoing.end(options.body)
  return promise
}

function deferred<T>() {
  let resolve!: (value: T) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
