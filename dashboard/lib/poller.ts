// Calls a function again and again while its element is on the page and the page is visible, and reports when it fails.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { type Polling, report } from './connection.ts'
import type { Polled } from './loader.ts'

/** One failure may be a passing one; with this many the page is told. */
const FAILURES = 2

/** A lost network gives no answer at all for minutes. */
const SLOW_MS = 10_000

export class Poller implements ReactiveController, Polling {
  readonly #host: ReactiveControllerHost
  readonly #poll: () => Promise<Polled>
  readonly #everyMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isConnected = false
  #isOn = true
  /** Rises with each poll: an older one reports nothing. */
  #turn = 0
  #failures = 0
  #succeededAt = 0

  /** @param everyMs Milliseconds from the end of one call to the next. */
  constructor(host: ReactiveControllerHost, everyMs: number, poll: () => Promise<Polled>) {
    this.#host = host
    this.#poll = poll
    this.#everyMs = everyMs
    host.addController(this)
  }

  get isOn(): boolean {
    return this.#isOn
  }

  set isOn(isOn: boolean) {
    this.#isOn = isOn
    if (!isOn) this.#succeed()
    this.#plan()
  }

  get isInterrupted(): boolean {
    return this.#failures >= FAILURES
  }

  pollNow(): void {
    this.#plan(0)
  }

  hostConnected(): void {
    this.#isConnected = true
    this.#succeededAt = Date.now()
    document.addEventListener('visibilitychange', this.#onChange)
    addEventListener('online', this.#onChange)
    this.#plan()
  }

  hostDisconnected(): void {
    this.#isConnected = false
    document.removeEventListener('visibilitychange', this.#onChange)
    removeEventListener('online', this.#onChange)
    this.#succeed()
    this.#plan()
  }

  readonly #onChange = (): void => this.#plan(0)

  #plan(afterMs = this.#everyMs): void {
    clearTimeout(this.#timer)
    if (this.#isConnected && this.#isOn && !document.hidden) this.#timer = setTimeout(this.#run, afterMs)
  }

  readonly #run = async (): Promise<void> => {
    const turn = ++this.#turn
    const slow = setTimeout(() => this.#interrupt(undefined), SLOW_MS)
    try {
      const polled = await this.#poll()
      if (polled === undefined || turn !== this.#turn || !this.#isConnected || !this.#isOn) return
      if ('failure' in polled) this.#fail(polled.failure)
      else this.#succeed()
    } finally {
      clearTimeout(slow)
      if (turn === this.#turn) this.#plan()
    }
  }

  #succeed(): void {
    this.#succeededAt = Date.now()
    const wasInterrupted = this.isInterrupted
    this.#failures = 0
    report(this, undefined)
    if (wasInterrupted) this.#host.requestUpdate()
  }

  #fail(error: unknown): void {
    this.#failures++
    if (this.isInterrupted) this.#interrupt(error)
  }

  #interrupt(error: unknown): void {
    if (!this.#isConnected || !this.#isOn) return
    this.#failures = Math.max(this.#failures, FAILURES)
    report(this, { since: this.#succeededAt, error })
    this.#host.requestUpdate()
  }
}
