// Takes the place of engine.io-client under the realtime client (decision 0070): Engine.IO 4 over one WebSocket, text only, as contract section 5 has it. No polling, no upgrade, no binary.

import { Emitter } from './emitter.ts'

const [OPEN, PING, PONG, MESSAGE] = ['0', '2', '3', '4']

interface Handshake {
  /** ms */
  pingInterval: number
  /** ms */
  pingTimeout: number
}

/** Emits `open`, `data`, `ping`, `error` and, once, `close`. Named as the client imports it. */
export class Socket extends Emitter {
  readonly #socket: WebSocket
  readonly #whenOffline = (): void => this.#end('transport close')
  /** Without a ping for this long the line is dead, ms. */
  #silenceMs = Number.POSITIVE_INFINITY
  #deadAt = Number.POSITIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  constructor(uri: string, { path }: { path: string }) {
    super()
    const { protocol, host, hostname } = new URL(uri)
    const scheme = /^(https|wss):/.test(protocol) ? 'wss' : 'ws'
    this.#socket = new WebSocket(`${scheme}://${host}${path.replace(/\/$/, '')}/?EIO=4&transport=websocket`)
    this.#socket.onmessage = ({ data }) => this.#take(data)
    this.#socket.onclose = () => this.#end('transport close')
    this.#socket.onerror = () => {
      if (!this.#isOver) this.emitReserved('error', new Error('websocket error'))
      this.#end('transport error')
    }
    // A page of this very machine needs no network.
    if (hostname !== 'localhost') addEventListener('offline', this.#whenOffline)
  }

  /** What the client asks of its transport. */
  get transport(): { writable: boolean } {
    return { writable: this.#socket.readyState === 1 }
  }

  /** A page that was frozen finds out here, before its late timer does. */
  _hasPingExpired(): boolean {
    const isDead = performance.now() > this.#deadAt
    if (isDead) queueMicrotask(() => this.#end('ping timeout'))
    return isDead
  }

  write(text: string): void {
    this.#send(MESSAGE + text)
  }

  close(): void {
    this.#end('forced close')
  }

  #take(data: unknown): void {
    if (this.#isOver) return
    const type = typeof data === 'string' ? data[0] : undefined
    if (typeof data !== 'string') this.#end('parse error')
    else if (type === MESSAGE) this.emitReserved('data', data.slice(1))
    else if (type === PING) {
      this.#send(PONG)
      this.emitReserved('ping')
      this.#awaitPing()
    } else if (type === OPEN) {
      const { pingInterval, pingTimeout }: Handshake = JSON.parse(data.slice(1))
      this.#silenceMs = pingInterval + pingTimeout
      this.#awaitPing()
      this.emitReserved('open')
    }
  }

  #awaitPing(): void {
    clearTimeout(this.#timer)
    this.#deadAt = performance.now() + this.#silenceMs
    this.#timer = setTimeout(() => this.#end('ping timeout'), this.#silenceMs)
  }

  #send(text = ''): void {
    if (this.transport.writable) this.#socket.send(text)
  }

  #end(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    removeEventListener('offline', this.#whenOffline)
    this.#socket.close()
    this.emitReserved('close', reason)
  }
}

/** The client's classes call their timers through themselves. */
export function installTimerFunctions(target: object): void {
  Object.assign(target, { setTimeoutFn: setTimeout.bind(globalThis), clearTimeoutFn: clearTimeout.bind(globalThis) })
}

export const nextTick = (act: () => void): void => queueMicrotask(act)
