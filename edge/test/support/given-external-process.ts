// Runs the command line's functions in a child process, which tests call like local functions.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Operator, Routes } from '../../app/operator.ts'
import type { Tools } from '../../cli/command-context.ts'
import { buildTestScript } from './test-script.ts'

export interface ExternalCall {
  id: number
  /** Path from the tools to the method; of routes, from what `routes` returns. */
  path: string[]
  routes?: [of: keyof Pick<Operator, 'inEnvironment' | 'inOrganisation'>, id: string]
  args: unknown[]
}
export interface ExternalAnswer {
  id: number
  value?: unknown
  /** Code of an API error, or the text of another error. */
  error?: string
}

export interface GivenExternalProcess {
  /** The command line's functions. Each returns a promise; a refusal rejects with its code as the message. */
  tools: Tools
  /** The routes that the command line calls; a refusal rejects as above. */
  inEnvironment(id: string): Routes
  inOrganisation(id: string): Routes
  close(): Promise<void>
}

/** Starts the process on the store of `env`. @throws when it ends at its start */
export async function givenExternalProcess(env: Record<string, string>): Promise<GivenExternalProcess> {
  const script = await buildTestScript(join(import.meta.dirname, 'external-process.ts'))
  const child = fork(script, [], { env: { ...process.env, ...env }, execArgv: [], serialization: 'advanced' })
  const waiting = new Map<number, (answer: ExternalAnswer) => void>()
  child.on('message', (answer: ExternalAnswer) => waiting.get(answer.id)?.(answer))
  let lastId = 0
  const ask = <T>(call: Omit<ExternalCall, 'id'>): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, ({ value, error }) => (error === undefined ? resolve(value as T) : reject(new Error(error))))
      child.send({ id, ...call } satisfies ExternalCall)
    })
  const routesOf = (...routes: NonNullable<ExternalCall['routes']>): Routes => ({
    call: (...args) => ask({ path: ['call'], args, routes }),
  })
  await Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('It ended.')))])
  return {
    tools: remote([], ask) as Tools,
    inEnvironment: (id) => routesOf('inEnvironment', id),
    inOrganisation: (id) => routesOf('inOrganisation', id),
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function remote(path: string[], ask: (call: Omit<ExternalCall, 'id'>) => Promise<unknown>): unknown {
  return new Proxy(() => {}, {
    get: (_, name) => remote([...path, String(name)], ask),
    apply: (_, __, args) => ask({ path, args }),
  })
}
