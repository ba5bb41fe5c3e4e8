// Tests that the built server reads nothing of OpenTelemetry without a collector. SQLite alone: it is about files of the program.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { buildEdge, startEdgeProcess } from '../support/edge-process.ts'

let folder: string
beforeEach(async () => {
  await buildEdge()
  folder = await mkdtemp(join(tmpdir(), 'edge-modules-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** @returns The URLs of all modules that a server loads until it stops. */
async function loadedBy(settings: Record<string, string>): Promise<string> {
  const [list, hooks, register] = ['list', 'hooks.mjs', 'register.mjs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(
    hooks,
    `import { appendFileSync } from 'node:fs'
    export const load = (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context))`,
  )
  await writeFile(register, `import { register } from 'node:module'; register(${JSON.stringify(`file://${hooks}`)})`)
  const edge = await startEdgeProcess(join(folder, 'data'), { NODE_OPTIONS: `--import ${register}`, ...settings })
  await fetch(`${edge.url}/healthz`)
  await edge.stop()
  return readFile(list, 'utf8')
}

test('without a collector no module of OpenTelemetry is loaded', async () => {
  const loaded = await loadedBy({})
  expect(loaded).toContain('edge/dist/main.js')
  expect(loaded).not.toMatch(/otlp|opentelemetry/i)
  const main = await readFile(new URL('../../dist/main.js', import.meta.url), 'utf8')
  expect(main).not.toContain('BatchSpanProcessor')
})

test('with a collector they are', async () => {
  const collector = await startCollector()
  expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toContain('edge/dist/otlp-traces.js')
  await collector.close()
})
