// Starts a real edge for journeys: its own data folder or database, a free port, a demo organisation, and callers.

import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthAnswer, InboxPage, RegisterItem } from '../../../contract/api.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { type RunningEdge, type ServeOptions, startEdge } from '../../serve.ts'
import { ENGINE, type EngineSettings, engineSettings } from './engine.ts'
import { createCollector } from './leak-collector.ts'
import { NEVER_SILENT_MS } from './open-stores.ts'
import { CHEAP_PASSWORDS, prepareSeeded } from './prepared-folders.ts'

export interface Answer<T = Record<string, unknown>> {
  status: number
  headers: Headers
  body: T
}

export type EnvironmentName = 'dev' | 'prod'

export interface GivenEdge {
  url: string
  demo: DemoFile
  dataDir: string
  /** Settings of the edge; another node on the same store uses them as well. */
  settings: Record<string, string>
  edge: RunningEdge
  /** Sends any call; `key` and `session` set the Bearer credential. */
  call<T = Record<string, unknown>>(method: string, path: string, options?: CallOptions): Promise<Answer<T>>
  track(event: Record<string, unknown>, environment?: EnvironmentName): Promise<Answer<TrackBody>>
  /** Creates and publishes a campaign in an environment that its key may manage. */
  publish(definition: Record<string, unknown>): Promise<string>
  signIn(userId: string, environment?: EnvironmentName): Promise<AuthAnswer>
  page(session: AuthAnswer, query?: string): Promise<InboxPage>
  register(session: AuthAnswer, events: RegisterItem[]): Promise<Answer>
  /** Stops the edge and starts another on the same store. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface TrackBody {
  eventId: string
  correlationId: string
  duplicate: boolean
  receivedAt: string
}

export interface CallOptions {
  key?: string
  session?: AuthAnswer
  body?: unknown
  headers?: Record<string, string>
}

/** Returns an inbox campaign on one event name; `extra` adds or replaces fields. */
export function inboxCampaign(key: string, event: string, extra: Record<string, unknown> = {}) {
  return {
    key,
    name: key,
    trigger: { event },
    steps: [{ id: 'tell', type: 'inbox', title: 'Hello {{ event.properties.name }}', link: '/somewhere' }],
    ...extra,
  }
}

/** Disables load shedding: a machine that is blocked for two seconds is not overloaded. Overload has its own tests. */
const NO_LOAD_SHEDDING = { lagMs: 60_000, oldestMs: 60_000 }

/**
 * Waits for PostgreSQL and Redis however busy the machine is. A call that Redis counts too late is counted in the process as
 * well, which would make limits apply early.
 */
export const ON_BUSY_MACHINES = { storeSilenceMs: NEVER_SILENT_MS, countTimeoutMs: 20_000 }

/**
 * Starts an edge on its own store, which was seeded before where that makes no difference (`prepareSeeded`). `env` overrides
 * settings, `options` those of tests. Call `stop` at the end.
 */
export async function givenEdge(
  env: Record<string, string> = {},
  options: ServeOptions = {},
  engineName = ENGINE,
): Promise<GivenEdge> {
  const dataDir = await mkdtemp(join(tmpdir(), 'edge-test-'))
  const engine = await engineSettings(engineName)
  // Reserved before the start, so that a restart uses the same port.
  const PORT = String(await findFreePort())
  const settings = { PORT, DATA_DIR: dataDir, SEED_DEMO: 'plain', LOG_LEVEL: 'debug', ...engine.env, ...env }
  const defaults = { ...ON_BUSY_MACHINES, seedCampaigns: [], passwordCost: CHEAP_PASSWORDS }
  const merged = { ...defaults, ...options, loadLimits: { ...NO_LOAD_SHEDDING, ...options.loadLimits } }
  const checked = withCheckedLog(merged)
  const { clock, seedCampaigns, seedEnrichers } = options
  const seedsOther = [clock, seedCampaigns, seedEnrichers].some((option) => option !== undefined)
  if (!seedsOther) await prepareSeeded(settings, 'seeded')
  return createGiven(await startEdge(settings, checked), { dataDir, settings, engine }, checked)
}

/** Checks every log line for secrets. */
function withCheckedLog(options: ServeOptions): ServeOptions {
  const reader = createCollector('the log of an edge')
  const writeLog = (line: string) => {
    reader.write(line)
    options.writeLog?.(line)
  }
  return { ...options, writeLog }
}

interface EdgeDeps {
  dataDir: string
  settings: Record<string, string>
  engine: EngineSettings
}

function createGiven(first: RunningEdge, { dataDir, settings, engine }: EdgeDeps, options: ServeOptions): GivenEdge {
  const keyOf = (name: EnvironmentName) => given.demo.environments[name].sdkSecretKey
  const given: GivenEdge = {
    url: first.url,
    demo: first.demo as DemoFile,
    dataDir,
    settings,
    edge: first,
    async call<T>(method: string, path: string, options: CallOptions = {}) {
      const credential = options.key ?? options.session?.sessionToken
      const response = await fetch(given.url + path, {
        method,
        headers: {
          ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: parse(text) as T }
    },
    track: (event, name = 'dev') =>
      given.call('POST', '/v1/events/track', { key: keyOf(name), body: { sdkSecretKey: keyOf(name), ...event } }),
    async publish(definition) {
      const created = await given.call<{ id: string }>('POST', '/v1/campaigns', { key: keyOf('dev'), body: definition })
      if (created.status !== 201) throw new Error(`campaign refused: ${JSON.stringify(created.body)}`)
      const published = await given.call('POST', `/v1/campaigns/${created.body.id}/publish`, { key: keyOf('dev') })
      if (published.status !== 200) throw new Error(`publish refused: ${JSON.stringify(published.body)}`)
      return created.body.id
    },
    async signIn(userId, name = 'dev') {
      const { frontApiKey, authSecretKey } = given.demo.environments[name]
      const token = createHmac('sha256', authSecretKey).update(userId, 'utf8').digest('hex')
      const answer = await given.call<AuthAnswer>('POST', '/v1/users/auth', {
        body: { apiKey: frontApiKey, authType: 'backendToken', userId, token },
      })
      if (answer.status !== 200) throw new Error(`sign-in refused: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    page: async (session, query = '') =>
      (await given.call<InboxPage>('GET', `/v1/inbox/messages${query}`, { session })).body,
    register: (session, events) => given.call('POST', '/v1/notification/event/register', { session, body: { events } }),
    async restart() {
      await given.edge.close()
      given.edge = await startEdge({ ...settings, PORT: new URL(given.url).port }, options)
    },
    async stop() {
      await given.edge.close()
      await engine.release()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return given
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
