// Tests deploy/monitoring/ with a real Prometheus that scrapes the built server under load.
// On SQLite: an alert on backups reads those of its file.

import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { runPromtool, startPrometheus } from '../../../tools/servers/prometheus.ts'
import type { Server } from '../../../tools/servers/server-process.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { inboxCampaign } from '../support/given.ts'
import { ncProcess } from '../support/given-nc.ts'
import { createSteadyLoad, type SteadyLoad } from './steady-load.ts'

const FOLDER = resolve(import.meta.dirname, '../../../deploy/monitoring')
const ALERTS = join(FOLDER, 'alerts.yaml')
/** The metrics that expressions name. */
const SELECTOR = /\b(?:up|nc_\w+|nodejs_\w+|process_\w+)(?:\{[^}]*\})?/g

interface Rule {
  name: string
  query: string
  state: string
  health: string
  lastError?: string
}

interface Panel {
  title: string
  description: string
  datasource: object
  gridPos: { x: number; y: number; w: number; h: number }
  fieldConfig: { defaults: { unit: string; thresholds: { steps: object[] } } }
  targets: { expr: string; datasource: object }[]
}

interface Board {
  templating: { list: { name: string; type: string; query: string }[] }
  panels: Panel[]
}

const board = JSON.parse(readFileSync(join(FOLDER, 'board.json'), 'utf8')) as Board
const folder = mkdtempSync(join(tmpdir(), 'nc-monitoring-'))
const dataDir = join(folder, 'data')

let edge: EdgeProcess
let prometheus: Server | undefined
let load: SteadyLoad | undefined
let running: Promise<void> | undefined
beforeAll(async () => {
  await buildEdge()
  edge = await startEdgeProcess(dataDir)
  await ncProcess({ DATA_DIR: dataDir }, `backup --to ${join(folder, 'backup.db')}`)
  load = await givenLoad()
  running = load.run()
  const target = new URL(edge.url).host
  prometheus = await startPrometheus({ job: 'notification-center', target, rules: readFileSync(ALERTS, 'utf8') })
})
afterAll(async () => {
  load?.stop()
  await running
  load?.close()
  await prometheus?.kill()
  await prometheus?.remove()
  await edge?.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function post<T>(path: string, key: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(edge.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return (await answer.json()) as T
}

async function givenLoad(): Promise<SteadyLoad> {
  const { dev } = (JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile).environments
  const { sdkSecretKey, frontApiKey, authSecretKey } = dev
  const { id } = await post<{ id: string }>('/v1/campaigns', sdkSecretKey, inboxCampaign('watched', 'watch.ed'))
  await post(`/v1/campaigns/${id}/publish`, sdkSecretKey, {})
  const userId = 'u_watch'
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  const body = { apiKey: frontApiKey, authType: 'backendToken', userId, token }
  const sessions = new Map([[userId, await post<AuthAnswer>('/v1/users/auth', '', body)]])
  return createSteadyLoad({ url: edge.url, sdkSecretKey, event: 'watch.ed', sessions, trackers: 2, readers: 1 })
}

/** Calls Prometheus' API. @throws with its message when it refuses an expression */
async function ask<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(`${prometheus?.url}/api/v1/${path}?${new URLSearchParams(query)}`)
  const { data, error } = (await answer.json()) as { data: T; error?: string }
  if (error !== undefined) throw new Error(`${query.query}: ${error}`)
  return data
}

/** Returns the values of an expression now, without NaN, which stands for a rate of nothing. */
async function valuesOf(query: string): Promise<number[]> {
  const { result } = await ask<{ result: { value: [number, string] }[] }>('query', { query })
  return result.map(({ value: [, value] }) => Number(value)).filter((value) => !Number.isNaN(value))
}

async function rules(): Promise<Rule[]> {
  const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules')
  return groups.flatMap((group) => group.rules)
}

test('promtool accepts the rules, their tests and the metrics of a running server', async () => {
  expect(await runPromtool(['check', 'rules', ALERTS])).toMatchObject({ status: 0 })
  expect(await runPromtool(['test', 'rules', join(FOLDER, 'alerts.test.yaml')])).toMatchObject({ status: 0 })
  const metrics = await (await fetch(`${edge.url}/metrics`)).text()
  expect(await runPromtool(['check', 'metrics'], metrics)).toEqual({ status: 0, output: '' })
})

test('each alert has a case that fires and one that does not', async () => {
  const cases = readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8')
  for (const { name } of await rules()) {
    expect(cases).toContain(`name: ${name} fires on`)
    expect(cases).toContain(`name: ${name} does not fire on`)
  }
})

test('Prometheus evaluates all twelve alerts, and each metric in them has data', async () => {
  const states = async () => (await rules()).map(({ health, lastError = '' }) => health + lastError)
  await expect.poll(states).toEqual(Array(12).fill('ok'))
  const selectors = new Set((await rules()).flatMap(({ query }) => query.match(SELECTOR) ?? []))
  for (const selector of selectors) await expect.poll(() => valuesOf(selector), { message: selector }).not.toEqual([])
})

test('the board has twelve panels, and each expression has data under load', async () => {
  const datasource = { type: 'prometheus', uid: `$\{datasource}` }
  expect(board.templating.list).toEqual([
    expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
  ])
  expect(board.panels).toHaveLength(12)
  expect(new Set(board.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(12)
  for (const panel of board.panels) {
    expect(panel.title).not.toBe('')
    expect(panel.description).toMatch(/^[A-Z][^.]*(?:\.\w[^.]*)*\.$/)
    expect(panel.fieldConfig.defaults.unit).not.toBe('')
    expect(panel.fieldConfig.defaults.thresholds.steps).not.toHaveLength(0)
    for (const one of [panel, ...panel.targets]) expect(one.datasource).toEqual(datasource)
    for (const { expr } of panel.targets) {
      const query = expr.replaceAll('$__rate_interval', '30s')
      await expect.poll(() => valuesOf(query), { message: query }).not.toEqual([])
    }
  }
})

test('a server that is gone makes its alert pending at once', async () => {
  load?.stop()
  await running
  await edge.kill()
  const stateOf = async (name: string) => (await rules()).find((rule) => rule.name === name)?.state
  await expect.poll(() => stateOf('NotificationsDown')).toBe('pending')
})
