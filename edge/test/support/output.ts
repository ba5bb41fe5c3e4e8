// Before each file of journeys: all that its servers and processes put out is read, and the file fails when a secret or an e-mail address is in it.

import { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { afterAll } from 'vitest'
import { collected, createCollector, refuseLeaks } from './collected.ts'

// Its own standard output is what `npm test` reads as a whole; here are the processes that tests start.
const spawn: (this: ChildProcess, ...args: unknown[]) => unknown = Reflect.get(ChildProcess.prototype, 'spawn')

function watchedSpawn(this: ChildProcess, ...args: unknown[]): unknown {
  const result = spawn.apply(this, args)
  const name = nameOf(this)
  createCollector(`${name} (command line)`).write(`${this.spawnargs.join(' ')}\n`)
  if (this.stderr !== null) tap(this.stderr, `${name} (errors)`)
  if (this.stdout !== null && !showsSecrets(this)) tap(this.stdout, name)
  return result
}

/** What comes in is read on its way to whoever listens, or nobody does. */
function tap(stream: Readable, source: string): void {
  const collector = createCollector(source)
  const { push } = stream
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null) collector.end()
    else collector.write(String(chunk))
    return push.call(stream, chunk, encoding)
  }
}

/** The program and its script alone: its other words may hold what must not be repeated. */
function nameOf({ spawnargs: [program = '', ...words] }: ChildProcess): string {
  const script = words.find((word) => /\.[cm]?[jt]s$/.test(word)) ?? ''
  return [program, script].map((path) => path.split('/').at(-1)).join(' ')
}

/** Only `nc` shows a new secret, once, to who asked for it. */
function showsSecrets({ spawnargs }: ChildProcess): boolean {
  return spawnargs.some((word) => /(^|\/)(cli|dist)\/nc\.[jt]s$/.test(word))
}

Reflect.set(ChildProcess.prototype, 'spawn', watchedSpawn)
collected.leaks = []

// Registered before all others, so it runs after them.
afterAll(() => {
  Reflect.set(ChildProcess.prototype, 'spawn', spawn)
  refuseLeaks()
})
