// Sends one request of the fuzz by node's own client, which refuses fewer forms than `fetch` does.

import { Agent, request } from 'node:http'

/** A request as it is sent. */
export interface Sent {
  method: string
  /** Path with its query. */
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** Whether it comes from an address of its own, because one address has few attempts to sign in. */
  isFromNewAddress: boolean
}

export interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  tookMs: number
}

/** After this time a request counts as hanging: longer where the answer waits for a server of the customer's. */
const HANG_MS = 10_000
const OUTSIDE_MS = 40_000
const ASKS_OUTSIDE = /\/test$|\/test\?|prove-domain|single-sign-on|\/oidc\//

/** @returns Milliseconds. */
export const limitOf = (target: string) => (ASKS_OUTSIDE.test(target) ? OUTSIDE_MS : HANG_MS)

/** @param concurrency Requests under way at a time. */
export function createClient(url: string, concurrency: number) {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let addresses = 0
  // Linux alone has all addresses of 127.0.0.0/8.
  const newAddress = () => {
    const at = ++addresses
    return {
      agent: undefined,
      ...(process.platform === 'linux' && { localAddress: `127.${(at >> 16) & 127}.${(at >> 8) & 255}.${at & 255}` }),
    }
  }
  return {
    /** @throws when the connection ends without an answer, or none comes in time */
    send({ method, target, headers, body, isFromNewAddress }: Sent): Promise<Received> {
      const startedAt = performance.now()
      return new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(body.length) }
        const call = request(
          {
            ...{ hostname, port, method, path: target, headers: { ...headers, ...length }, timeout: limitOf(target) },
            ...(isFromNewAddress ? newAddress() : { agent }),
          },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('error', reject)
            answer.on('end', () =>
              resolve({
                status: answer.statusCode ?? 0,
                headers: answer.headers,
                text: Buffer.concat(chunks).toString(),
                tookMs: performance.now() - startedAt,
              }),
            )
          },
        )
        call.on('timeout', () => call.destroy(new Error('none in time')))
        call.on('error', reject)
        call.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}

export type Client = ReturnType<typeof createClient>

/** @returns The request as a line for a shell, with its secrets left out. */
export function toCommand(url: string, { method, target, headers, body }: Sent): string {
  const shown = Object.entries(headers).map(
    ([name, value]) => `-H ${quoted(`${name}: ${hidden(name, value).slice(0, 100)}`)}`,
  )
  const data = body === undefined ? [] : [`--data-binary ${quotedBytes(body)}`]
  return ['curl -i', `-X ${method}`, ...shown, ...data, quoted(url + target.slice(0, 1000))].join(' ')
}

const hidden = (name: string, value: string) =>
  name === 'authorization' ? 'Bearer $KEY' : name === 'cookie' ? '$COOKIE' : value

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const LONG_BODY = 2000

function quotedBytes(body: Buffer): string {
  const text = body.toString('latin1').slice(0, LONG_BODY)
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/[^\x20-\x7e]/g, (char) => {
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `$'${escaped}'${body.length > LONG_BODY ? ` # … ${body.length} bytes` : ''}`
}
