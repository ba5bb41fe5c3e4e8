// Tests that the types of the dashboard's calls are those of the API reference, so that a field that the server drops is found.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../../edge/test/support/given.ts'
import type { ApiClient } from '../api/client.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const API = join(ROOT, 'dashboard/api')
/** Stands for every argument of a call: it has the place of a parameter in a path. */
const ANY = 'any'
/** Arguments of calls that put another word than a parameter into their path. */
const ARGUMENTS: Record<string, unknown[]> = { changeCampaign: [ANY, 'pause'] }

interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>
}
type Paths = Record<string, Record<string, Operation>>

/** One function of an API of the dashboard, and the operation that it calls. */
interface Call {
  file: string
  create: string
  name: string
  method: string
  path: string
}

let given: GivenEdge
let room: string
let paths: Paths
beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'dashboard-answers-'))
  given = await givenEdge()
  const reference = (await given.call<{ paths: Paths }>('GET', '/openapi.json')).body
  paths = reference.paths
  await writeFile(join(room, 'reference.json'), JSON.stringify(reference))
})
afterAll(async () => {
  await given.stop()
  await rm(room, { recursive: true, force: true })
})

/** Calls all functions of all APIs with a client that notes method and path. Calls whose answer is no JSON are left out. */
async function readCalls(): Promise<Call[]> {
  const calls: Call[] = []
  for (const file of (await readdir(API)).filter((name) => !/^client|\.test\.ts$/.test(name))) {
    const functions = (await import(join(API, file))) as Record<string, (...args: unknown[]) => object>
    for (const create of Object.keys(functions).filter((name) => /^create\w+Api$/.test(name))) {
      const seen: Pick<Call, 'method' | 'path'>[] = []
      const note = (method: string, path: string) => {
        seen.push({ method: method.toLowerCase(), path })
        return new Promise<never>(() => {})
      }
      const client: ApiClient = {
        get: (path) => note('GET', path),
        send: (method, path) => note(method, path),
        sendAt: (_revision, method, path) => note(method, path),
        open: () => new Promise<never>(() => {}),
      }
      for (const [name, call] of Object.entries(functions[create]?.(client, ANY) ?? {})) {
        seen.length = 0
        call(...(ARGUMENTS[name] ?? Array(5).fill(ANY)))
        calls.push(...seen.map((one) => ({ file, create, name, ...one })))
      }
    }
  }
  return calls
}

/** Returns the path of the reference; undefined where it has none with such an answer. */
function findDescribed({ method, path }: Call): string | undefined {
  const served = path.replace(/^\/v1\/dashboard\/environments\/any\//, '/v1/')
  const isAnswered = (template: string) =>
    Object.entries(paths[template]?.[method]?.responses ?? {}).some(
      ([status, { content }]) => status.startsWith('2') && content?.['application/json'] !== undefined,
    )
  const fits = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, ANY)}$`)
  return Object.keys(paths).find(
    (template) => (fits(template).test(path) || fits(template).test(served)) && isAnswered(template),
  )
}

const HEAD = `import type { paths } from './reference.ts'
type Content<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never
type Success<Answers> = { [Status in keyof Answers]: Status extends 200 | 201 | 202 ? Content<Answers[Status]> : never }
type AnswerOf<Operation> = Operation extends { responses: infer Answers } ? Success<Answers>[keyof Answers] : never
/** A function that reads all pages returns their rows. */
type Declared<Value> = Value extends readonly unknown[] ? { data: Value } : Value
declare function compare<Call extends (...args: never[]) => Promise<unknown>>(
  answer: Declared<Awaited<ReturnType<Call>>>,
): void
`
const answerOf = (method: string, path: string) => `{} as AnswerOf<paths['${path}']['${method}']>`

/** Violations of the reference: each must be a type error. */
const WRONG = [
  `compare<() => Promise<{ person: { shoeSize: number } }>>(${answerOf('get', '/v1/dashboard/auth/me')})`,
  `compare<() => Promise<{ nextCursor: number }>>(${answerOf('get', '/v1/campaigns')})`,
  `compare<() => Promise<{ shoeSize: number }[]>>(${answerOf('get', '/v1/campaigns')})`,
]

/** Compiles a program against the types of the reference. Returns the compiler's messages. */
async function compile(lines: string[]): Promise<string> {
  const options = { types: [], noUnusedLocals: false }
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: options, files: ['program.ts'], include: [] }
  await writeFile(join(room, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(room, 'program.ts'), `${HEAD}${lines.join('\n')}\n`)
  const run = promisify(execFile)
  const generator = join(ROOT, 'examples/node_modules/openapi-typescript/bin/cli.js')
  await run(process.execPath, [generator, 'reference.json', '-o', 'reference.ts'], { cwd: room })
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: room }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  )
}

test('each call of the dashboard reads an answer that the reference has, with all fields of its type', async () => {
  const calls = await readCalls()
  expect(calls.length).toBeGreaterThan(35)
  expect(calls.filter((call) => findDescribed(call) === undefined)).toEqual([])
  const lines = calls.map((call) => {
    const api = `ReturnType<typeof import('${join(API, call.file)}').${call.create}>['${call.name}']`
    return `compare<${api}>(${answerOf(call.method, findDescribed(call) ?? '')})`
  })
  const messages = (await compile([...WRONG, ...lines])).split('\n').filter((line) => /error TS/.test(line))
  const first = HEAD.split('\n').length
  const isWrong = (message: string) => WRONG.some((_, at) => message.startsWith(`program.ts(${first + at},`))
  expect(messages.filter((message) => !isWrong(message))).toEqual([])
  expect(messages.filter(isWrong)).toHaveLength(WRONG.length)
})
