// Carries one request of the proxy to one target and its answer back, and knows whether the target can have begun it (RFC 9110 sections 7.6 and 9.2.2).

import { type Agent, request as ask, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { forwardedBy } from './forwarded.ts'
import type { TargetState } from './readiness.ts'

export interface Carrier {
  /** `refused`: the target has not taken a byte, so another may be asked. Otherwise the client has its answer, or is gone. */
  carry(request: IncomingMessage, response: ServerResponse, target: TargetState): Promise<'done' | 'refused'>
  /** An answer of the proxy's own, in the form of the edge's. */
  refuse(response: ServerResponse, status: 502 | 503): void
}

/** How long a target may take to accept (ms). */
const CONNECT_TIMEOUT_MS = 2000
const TEXT = { 502: 'The server went away.', 503: 'No server is ready.' }

export function createCarrier(deps: { agent: Agent; onRefused(target: TargetState): void }): Carrier {
  return {
    refuse,
    async carry(request, response, target) {
      const { host, port } = target
      const outward = ask({
        agent: deps.agent,
        host,
        port,
        method: request.method,
        path: request.url,
        setHost: false,
        headers: endToEnd(request.rawHeaders, forwardedBy(request)),
      })
      if (!(await isTaken(outward))) {
        deps.onRefused(target)
        return 'refused'
      }
      await exchange(request, response, outward)
      return 'done'
    },
  }
}

/**
 * Whether a connection stands. Nothing of the request is sent before it does, so that a refusal is certain. From then on
 * the target may have begun: a connection that breaks is an answer 502, never a second try.
 */
function isTaken(outward: ClientRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const onError = () => settle(false)
    // Not before a connection is seen that came while this process stood still.
    const timer = setTimeout(() => setImmediate(() => settle(false)), CONNECT_TIMEOUT_MS)
    let isSettled = false
    const settle = (taken: boolean) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      if (taken) outward.off('error', onError)
      else outward.on('error', () => {}).destroy()
      resolve(taken)
    }
    outward.on('error', onError)
    outward.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => settle(true))
      else settle(true)
    })
  })
}

function exchange(request: IncomingMessage, response: ServerResponse, outward: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const onBroken = () => {
      request.unpipe(outward)
      if (response.headersSent) response.destroy()
      else refuse(response, 502)
      resolve()
    }
    outward.on('error', onBroken)
    outward.on('response', (answer) => {
      // Answered before its body was read (too large, too slow): the rest of it would stand before the next request.
      const ending = request.complete ? [] : ['connection', 'close']
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, [...endToEnd(answer.rawHeaders), ...ending])
      // A target that breaks off ends the client's connection too: half an answer must not look whole.
      pipeline(answer, response, () => resolve())
      answer.on('aborted', () => response.destroy())
    })
    response.on('close', () => {
      if (!response.writableFinished) outward.destroy()
      request.unpipe(outward).resume()
      resolve()
    })
    request.pipe(outward)
  })
}

function refuse(response: ServerResponse, status: 502 | 503): void {
  if (response.destroyed) return
  const body = JSON.stringify({ code: 'service/unavailable', message: TEXT[status] })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  // The body of the request may be half read, so the connection ends.
  response.writeHead(status, { ...headers, 'retry-after': '1', connection: 'close' }).end(body)
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'])

/** Without what is for one connection alone; a body's framing is made anew by node. Flat, as `rawHeaders`. */
function endToEnd(raw: string[], replaced: [string, string][] = []): string[] {
  const own = new Set(replaced.map(([name]) => name))
  const kept: string[] = []
  const named = new Set<string>()
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue
    for (const name of (raw[at + 1] ?? '').split(',')) named.add(name.trim().toLowerCase())
  }
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!HOP_BY_HOP.has(name) && !named.has(name) && !own.has(name)) kept.push(raw[at] ?? '', raw[at + 1] ?? '')
  }
  for (const [name, value] of replaced) kept.push(name, value)
  return kept
}
