// Tests the SDK with the vectors of tracking calls, batches, options and JSON Schemas, which all SDKs share.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import batches from '../../contract/vectors/batches.json' with { type: 'json' }
import clientOptions from '../../contract/vectors/client-options.json' with { type: 'json' }
import retryScripts from '../../contract/vectors/retry-scripts.json' with { type: 'json' }
import { findFreePort } from '../../tools/servers/server-process.ts'
import { type ScriptServer, startScriptServer } from '../live/scripts.ts'
import {
  EnricherRegistrationError,
  type JsonSchema,
  NotificationClient,
  type NotificationClientOptions,
} from './index.ts'
import { givenClient, signedCall } from './test/given.ts'
import {
  checkNoSecret,
  checkRequests,
  type Expected,
  givenScript,
  type Operation,
  readRequests,
  runOperation,
} from './test/run-case.ts'

let scripts: ScriptServer
beforeAll(async () => {
  scripts = await startScriptServer('http://127.0.0.1:1')
})
afterAll(() => scripts?.stop())

interface ScriptCase extends Operation {
  title: string
  client?: Partial<NotificationClientOptions>
  address?: string
  answers: unknown[]
  expect: Operation['expect'] & Expected
}

/** Parsed here, because in an imported module the key `__proto__` sets a prototype. */
const jsonSchemas: {
  accepted: { title: string; schema: JsonSchema; fits: unknown[]; unfit: unknown[] }[]
  refused: { title: string; schema: JsonSchema; names: string }[]
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../contract/vectors/json-schemas.json'), 'utf8'))

/** Types that TypeScript finds in the JSON are narrower than the format. */
const toCases = (cases: unknown) => cases as ScriptCase[]
const toOptions = (options: unknown) => options as NotificationClientOptions

// Side by side, because most of their time is pauses.
describe.concurrent.each([
  ['retry scripts', retryScripts],
  ['batches', batches],
])('%s', (_, { secrets, cases }) => {
  test.each(toCases(cases))('$title', async ({ client: options, address, answers, ...operation }) => {
    const script = await givenScript(scripts.url, answers)
    const baseUrl = address === 'closed' ? `http://127.0.0.1:${await findFreePort()}` : script.url
    const client = new NotificationClient({ ...secrets, ...options, baseUrl })
    const error = await runOperation(client, operation)
    checkNoSecret(error, secrets)
    checkNoSecret(client, secrets)
    checkRequests(await readRequests(scripts.url, script.id), operation.call, secrets.sdkSecretKey, operation.expect)
  })
})

describe('options of the client', () => {
  test.each(clientOptions.accepted)('$title: accepted', ({ options }) => {
    const client = new NotificationClient(toOptions(options))
    checkNoSecret(client, { secret: clientOptions.secret })
  })

  test.each(clientOptions.refused)('$title: refused', ({ options, names }) => {
    const build = () => new NotificationClient(toOptions(options))
    expect(build).toThrow(TypeError)
    expect(build).toThrow(names)
    expect(build).not.toThrow(clientOptions.secret)
  })
})

describe('JSON Schemas', () => {
  test.each(jsonSchemas.accepted)('$title', async ({ schema, fits, unfit }) => {
    const client = givenClient().enricher('e', schema, () => 'reached')
    for (const params of fits) expect(await client.dispatch(signedCall('e', params))).toMatchObject({ data: 'reached' })
    for (const params of unfit) {
      const answer = await client.dispatch(signedCall('e', params))
      expect(answer).toMatchObject({ ok: false, error: { code: 'input-invalid', details: expect.any(Array) } })
    }
  })

  test.each(jsonSchemas.refused)('$title: refused', ({ schema, names }) => {
    const register = () => givenClient().enricher('e', schema, () => 'reached')
    expect(register).toThrow(EnricherRegistrationError)
    expect(register).toThrow(names)
  })
})
