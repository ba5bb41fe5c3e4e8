// Plays scripts of answers to the tracking calls of an SDK, records the calls, and forwards some to the real server.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of a script; the format is described in `contract/vectors/retry-scripts.json`. */
export interface ScriptedAnswer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** Refuses the call, and repeats its body and its credential. */
  echo?: boolean
  /** Sends the call to the real server, and returns its answer. */
  forward?: boolean
  /** Resets the connection before the answer, or within its body. With `forward` after the real answer arrived. */
  drop?: 'request' | 'body'
  never?: 'answers' | 'ends'
}

/** One recorded request. Instants are milliseconds of one clock of this process. */
export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  startedAtMs: number
  /** When the answer was written, or the connection dropped. Without an answer it is the beginning. */
  endedAtMs: number
}

export interface ScriptServer {
  url: string
  stop(): Promise<void>
}

interface Script {
  answers: ScriptedAnswer[]
  requests: RecordedRequest[]
}

const BEYOND_SCRIPT: ScriptedAnswer = { status: 599, json: { code: 'script/ended', message: 'The script has ended.' } }

/**
 * Starts the server. `POST /scripts` with `{ answers }` returns `{ id, url }`, where `url` is the `baseUrl` for the SDK;
 * `GET /scripts/<id>` returns `{ requests }`.
 */
export async function startScriptServer(realUrl: string): Promise<ScriptServer> {
  const scripts: Script[] = []
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAtMs = performance.now()
    const body = await readText(request)
    const [, , id, ...rest] = (request.url ?? '').split('/')
    const script = scripts[Number(id)]
    if (id === undefined && request.method === 'POST') {
      scripts.push({ answers: (JSON.parse(body) as Script).answers, requests: [] })
      const made = String(scripts.length - 1)
      sendJson(response, 201, { id: made, url: `${url}/scripts/${made}/play` })
    } else if (script === undefined) {
      sendJson(response, 404, { code: 'script/not-found' })
    } else if (rest.length === 0) {
      sendJson(response, 200, { requests: script.requests })
    } else {
      await playNext(script, { request, response, startedAtMs, body, path: `/${rest.slice(1).join('/')}` })
    }
  }

  async function playNext(script: Script, call: Call): Promise<void> {
    const answer = script.answers[script.requests.length] ?? BEYOND_SCRIPT
    const headers = Object.fromEntries(Object.entries(call.request.headers).map(([name, value]) => [name, `${value}`]))
    const { startedAtMs, body, path } = call
    const recorded: RecordedRequest = {
      method: call.request.method ?? '',
      path,
      headers,
      body,
      startedAtMs,
      endedAtMs: startedAtMs,
    }
    script.requests.push(recorded)
    const real = answer.forward === true ? await forward(realUrl, call) : answer
    // Before the bytes leave, so that the next request never begins earlier than this end.
    if (answer.never === undefined) recorded.endedAtMs = performance.now()
    play({ ...real, drop: answer.drop, never: answer.never }, call)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Call {
  request: IncomingMessage
  response: ServerResponse
  startedAtMs: number
  body: string
  path: string
}

async function forward(realUrl: string, { request, path, body }: Call): Promise<ScriptedAnswer> {
  const { authorization = '', 'content-type': type = '', 'x-correlation-id': correlationId } = request.headers
  const headers = new Headers({ authorization, 'content-type': type })
  if (typeof correlationId === 'string') headers.set('x-correlation-id', correlationId)
  const answer = await fetch(realUrl + path, { method: request.method ?? 'POST', headers, body })
  const kept = ['content-type', 'x-correlation-id'].map((name) => [name, answer.headers.get(name) ?? ''])
  return { status: answer.status, headers: Object.fromEntries(kept), text: await answer.text() }
}

function play(answer: ScriptedAnswer, { request, response, body }: Call): void {
  if (answer.never === 'answers') return
  if (answer.drop === 'request') {
    request.socket.resetAndDestroy()
    return
  }
  const echo = { code: 'x/echo', message: `You sent ${body}`, reason: request.headers.authorization }
  const json = answer.echo === true ? { ...echo, details: [{ path: body, message: 'echo' }] } : answer.json
  const text = answer.text ?? JSON.stringify(json)
  response.writeHead(answer.status ?? 202, { 'content-type': 'application/json', ...answer.headers })
  if (answer.drop === undefined && answer.never === undefined) {
    response.end(text)
    return
  }
  response.write(text.slice(0, text.length / 2), () => {
    if (answer.drop === 'body') request.socket.resetAndDestroy()
  })
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
