// Reads all output of a test file's processes, and fails the file for a secret or an e-mail address.

import { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { afterAll } from 'vitest'
import { collected, createCollector, throwOnLeaks } from './leak-collector.ts'

// `npm test` checks this process's own output; this file checks the processes that tests start.
const spawn: (this: ChildProcess, ...args: unknown[]) => unknown = Reflect.get(ChildProcess.prototype, 'spawn')

function watchedSpawn(this: ChildProcess, ...args: unknown[]): unknown {
  const result = spawn.apply(this, args)
  const name = nameOf(this)
  createCollector(`${name} (command line)`).write(`${this.spawnargs.join(' ')}\n`)
  if (this.stderr !== null) tap(this.stderr, `${name} (errors)`)
  if (this.stdout !== null && !showsSecrets(this)) tap(this.stdout, name)
  return result
}

/** Reads the data on its way to its consumers, if any. */
function tap(stream: Readable, source: string): void {
  const collector = createCollector(source)
  const { push } = stream
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null) collector.end()
    else collector.write(String(chunk))
    return push.call(stream, chunk, encoding)
  }
}

/** Returns program and script only: other arguments may contain secrets. */
function nameOf({ spawnargs: [program = '', ...args] }: ChildProcess): string {
  const script = args.find((word) => /\.[cm]?[jt]s$/.test(word)) ?? ''
  return [program, script].map((path) => path.split('/').at(-1)).join(' ')
}

/** Only `nc` prints a new secret, once, to its caller. */
function showsSecrets({ spawnargs }: ChildProcess): boolean {
  return spawnargs.some((word) => /(^|\/)(cli|dist)\/nc\.[jt]s$/.test(word))
}

Reflect.set(ChildProcess.prototype, 'spawn', watchedSpawn)
collected.leaks = []

// Registered first, so it runs last.
afterAll(() => {
  Reflect.set(ChildProcess.prototype, 'spawn', spawn)
  throwOnLeaks()
})
