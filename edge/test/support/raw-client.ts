// Sends HTTP over kept connections without any retry, like a backend without a client library.

import { Agent, request } from 'node:http'

export interface RawClient {
  /** Sends a request. Rejects when no complete answer arrives within 30 s. */
  ask(url: string, method: string, path: string, options?: RawCall): Promise<{ status: number; body: unknown }>
  close(): void
}

export interface RawCall {
  /** Bearer credential. */
  key?: string
  body?: object
}

/** Far longer than any answer takes on a busy machine: beside other suites, a hostile definition once took 30 s. */
const ANSWER_LIMIT_MS = 5 * 60_000

/** Creates a client; `close` ends its connections. */
export function createRawClient(): RawClient {
  const agent = new Agent({ keepAlive: true, noDelay: true })
  return {
    ask(url, method, path, { key, body } = {}) {
      const { hostname, port } = new URL(url)
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      return new Promise((resolve, reject) => {
        const outgoing = request(
          { agent, hostname, port, method, path, headers, timeout: ANSWER_LIMIT_MS },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('error', reject)
            answer.on('end', () => {
              const content = Buffer.concat(chunks).toString()
              resolve({ status: answer.statusCode ?? 0, body: content.startsWith('{') ? JSON.parse(content) : content })
            })
          },
        )
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${ANSWER_LIMIT_MS} ms`)))
        outgoing.on('error', reject)
        outgoing.end(text)
      })
    },
    close: () => agent.destroy(),
  }
}
