// Tests that a client generated from /openapi.json creates, reads and changes a campaign with every type of step.

import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STEP_TYPES } from '../edge/campaign/steps/registry.ts'
import { type GivenEdge, givenEdge } from '../edge/test/support/given.ts'

const room = join(import.meta.dirname, 'dist/generated-client')
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')

/** A customer's program, whose requests and answers have generated types only. */
const PROGRAM = `
import type { components, paths } from './reference.ts'

type Json<Message extends { content: { 'application/json': unknown } }> = Message['content']['application/json']
type Create = paths['/v1/campaigns']['post']
type Change = paths['/v1/campaigns/{id}']['put']
type Read = paths['/v1/campaigns/{id}']['get']
type Step = components['schemas']['Step']

const [url, key] = process.argv.slice(2)

async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
  const headers = { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const got = await answer.json()
  if (!answer.ok) throw new Error(\`\${method} \${path}: \${JSON.stringify(got)}\`)
  return got as Body
}

const definition: Json<Create['requestBody']> = {
  key: 'all-steps',
  category: 'orders',
  trigger: { event: 'order.placed', where: 'event.properties.total > 1' },
  steps: [
    { id: 'calm', type: 'throttle', limit: 5, window: 'PT1H' },
    { id: 'gather', type: 'digest', window: 'PT10M', key: '{{ event.properties.shop }}', max: 20 },
    { id: 'order', type: 'enrich', enricher: 'order', params: { id: '{{ event.properties.id }}' }, onError: 'continue' },
    {
      id: 'told',
      type: 'inbox',
      title: 'Order {{ event.properties.id }}',
      body: '**Thanks**',
      bodyFormat: 'markdown',
      actions: [{ label: 'Track it', link: '/orders', style: 'primary' }],
      data: { id: '{{ event.properties.id }}', list: [1, null] },
      locales: { fr: { title: 'Commande' } },
    },
    { id: 'pause', type: 'delay', for: 'PT2H' },
    {
      id: 'paid',
      type: 'waitFor',
      event: 'order.paid',
      timeout: 'P1D',
      where: 'awaited.properties.id == event.properties.id',
      then: [{ id: 'done', type: 'exit', reason: 'paid' }],
    },
    {
      id: 'size',
      type: 'branch',
      branches: [
        { key: 'large', when: 'event.properties.total > 100', steps: [] },
        { key: 'some', weight: 20, steps: [] },
        {
          key: 'rest',
          else: true,
          steps: [{ id: 'mail', type: 'email', subject: 'Still open', markdown: 'Please pay.', unless: { read: 'told' } }],
        },
      ],
    },
  ],
}

/** The compiler knows the fields of each step type. */
function change(step: Step): Step {
  switch (step.type) {
    case 'throttle':
      return { ...step, limit: step.limit + 1 }
    case 'digest':
      return { ...step, max: (step.max ?? 0) + 1 }
    case 'enrich':
      return { ...step, params: { ...step.params, more: 'x' } }
    case 'inbox':
      return { ...step, title: step.title + '!' }
    case 'delay':
      return { ...step, for: 'PT3H' }
    case 'waitFor':
      return { ...step, then: (step.then ?? []).map(change) }
    case 'branch':
      return { ...step, branches: step.branches.map((branch) => ({ ...branch, steps: branch.steps.map(change) })) }
    case 'exit':
      return { ...step, reason: step.reason + '!' }
    case 'email':
      return { ...step, subject: step.subject + '!' }
  }
}

const created = await call<Json<Create['responses'][201]>>('POST', '/v1/campaigns', definition)
const read = await call<Json<Read['responses'][200]>>('GET', \`/v1/campaigns/\${created.id}\`)
const draft: Json<Change['requestBody']> = { ...read.draft, steps: read.draft.steps.map(change) }
const changed = await call<Json<Change['responses'][200]>>('PUT', \`/v1/campaigns/\${created.id}\`, draft)
console.log(JSON.stringify([read.draft, changed.draft]))
`

/** Violations of the reference: each line must be a type error. */
const WRONG = `import type { components } from './reference.ts'
const steps: components['schemas']['Step'][] = []
steps.push({ id: 'a', type: 'unknown' })
steps.push({ id: 'a', type: 'inbox' })
steps.push({ id: 'a', type: 'throttle', limit: 'many', window: 'PT1H' })
steps.push({ id: 'a', type: 'delay', branches: [] })
`

const OPTIONS = ['--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
const TYPES = [
  '--lib',
  'es2022,dom',
  '--types',
  'node',
  '--allowImportingTsExtensions',
  '--rewriteRelativeImportExtensions',
]

/** A separate process, as the server runs in this one. */
function run(args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, args, { cwd: room }, (_error, stdout, stderr) => {
      done({ status: child.exitCode ?? -1, stdout, stderr })
    })
  })
}

const typesOf = (draft: object) =>
  [...new Set([...JSON.stringify(draft).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type))].sort()

interface Reference {
  paths: Record<string, Record<string, { security?: Record<string, unknown>[]; responses: Record<string, object> }>>
  components: { schemas: Record<string, unknown> }
}

const HEADER =
  '// Lists the routes that take an sdkSecretKey. Written by `npx vitest run -u --project deep examples/generated-client`.\n\n'

/** Errors are thrown, so their types are not needed. */
function successesOf(responses: Record<string, object>): object {
  const found = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return Object.fromEntries(found.map(([status, answer]) => [status, { ...answer, headers: undefined }]))
}

/** Removes what stands for "there is none", which is most of the text. */
const compact = (types: string) =>
  types
    .replace(/^ +\w+\??: never;\n/gm, '')
    .replace(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, '')
    .replace(/^ +parameters: \{\n +\};\n/gm, '')

/** Leaves out what the key does not open, and the schemas that then nobody names. */
function withKeyRoutesOnly({ paths, components, ...rest }: Reference): object {
  const kept = Object.entries(paths).flatMap(([path, item]) => {
    const operations = Object.entries(item)
      .filter(([, { security }]) => security?.some((one) => 'sdkSecretKey' in one))
      .map(([method, operation]) => [method, { ...operation, responses: successesOf(operation.responses) }] as const)
    return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)] as const]
  })
  const schemas: Record<string, unknown> = {}
  const keep = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in schemas) continue
      schemas[name] = components.schemas[name]
      keep(schemas[name])
    }
  }
  keep(kept)
  return { ...rest, paths: Object.fromEntries(kept), components: { ...components, schemas } }
}

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
  rmSync(room, { recursive: true, force: true })
  mkdirSync(room, { recursive: true })
})
afterAll(async () => {
  await given.stop()
  rmSync(room, { recursive: true, force: true })
})

test('a generated client creates, reads and changes a campaign with every type of step', async () => {
  const { body } = await given.call('GET', '/openapi.json')
  writeFileSync(join(room, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(room, 'reference.ts'), astToString(await openapiTS(JSON.stringify(body))))
  writeFileSync(join(room, 'program.ts'), PROGRAM)
  writeFileSync(join(room, 'wrong.ts'), WRONG)
  // One call for both programs: most of its time is the reference. It writes both in spite of errors.
  const compiled = await run([tsc, ...OPTIONS, ...TYPES, 'program.ts', 'wrong.ts'])
  const faults = [...compiled.stdout.matchAll(/^(\S+)\((\d+),/gm)].map(([, file, line]) => `${file} ${line}`)
  expect({ faults, stderr: compiled.stderr }).toEqual({
    faults: ['wrong.ts 3', 'wrong.ts 4', 'wrong.ts 5', 'wrong.ts 6'],
    stderr: '',
  })

  const { status, stdout, stderr } = await run(['program.js', given.url, given.demo.environments.dev.sdkSecretKey])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const [first, second] = JSON.parse(stdout)
  expect(typesOf(first)).toEqual(STEP_TYPES.map(({ type }) => type).sort())
  expect(second).toMatchObject({
    key: 'all-steps',
    steps: [
      { id: 'calm', limit: 6 },
      { id: 'gather', max: 21 },
      { id: 'order', params: { more: 'x' } },
      { id: 'told', title: 'Order {{ event.properties.id }}!' },
      { id: 'pause', for: 'PT3H' },
      { id: 'paid', then: [{ id: 'done', reason: 'paid!' }], onTimeout: [] },
      { id: 'size', branches: [{}, {}, { steps: [{ id: 'mail', subject: 'Still open!' }] }] },
    ],
  })
})

test('the types of the Node SDK are those of the reference', async () => {
  const { body } = await given.call('GET', '/openapi.json')
  const types = astToString(
    await openapiTS(JSON.stringify(withKeyRoutesOnly(body as Reference)), { defaultNonNullable: false }),
  )
  await expect(HEADER + compact(types)).toMatchFileSnapshot('../sdk/node/api/paths.ts')
})
