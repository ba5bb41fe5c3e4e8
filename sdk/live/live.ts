// Starts the real server on its own data folder, with the campaigns of the suite, beside a server that plays scripts.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoFile, startEdge } from '../../edge/index.ts'
import { findFreePort } from '../../tools/servers/server-process.ts'
import { startScriptServer } from './scripts.ts'

/** Everything that a runner needs, as JSON. It contains secrets of the started server. */
export interface LiveTarget {
  /** Address of the real server. */
  url: string
  /** Address of the server that plays scripts (`sdk/live/scripts.ts`). */
  scriptsUrl: string
  /** Address where no server listens. */
  closedUrl: string
  /** Secrets of an environment whose key may manage campaigns and enrichers. */
  secrets: { authSecretKey: string; sdkSecretKey: string; frontApiKey: string; webhookSigningSecret: string }
  /** Secret of another environment, whose signatures must be refused. */
  foreignSigningSecret: string
}

export interface Live {
  target: LiveTarget
  stop(): Promise<void>
}

/** A machine that is blocked for seconds is not overloaded. */
const NO_LOAD_SHEDDING = { lagMs: 60_000, oldestMs: 60_000 }

/** Starts both servers. `writeLog` receives the log lines of the real one. */
export async function startLive(writeLog: (line: string) => void = () => {}): Promise<Live> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nc-live-'))
  const settings = { PORT: '0', DATA_DIR: dataDir, SEED_DEMO: 'plain', RATE_LIMITS: 'off', LOG_LEVEL: 'debug' }
  const edge = await startEdge(settings, { seedCampaigns: [], writeLog, loadLimits: NO_LOAD_SHEDDING })
  const scripts = await startScriptServer(edge.url)
  const { dev, prod } = (edge.demo as DemoFile).environments
  const { authSecretKey, sdkSecretKey, frontApiKey, webhookSigningSecret } = dev
  const live: Live = {
    target: {
      url: edge.url,
      scriptsUrl: scripts.url,
      closedUrl: `http://127.0.0.1:${await findFreePort()}`,
      secrets: { authSecretKey, sdkSecretKey, frontApiKey, webhookSigningSecret },
      foreignSigningSecret: prod.webhookSigningSecret,
    },
    async stop() {
      await scripts.stop()
      await edge.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  await publishCampaigns(live.target)
  return live
}

async function publishCampaigns({ url, secrets }: LiveTarget): Promise<void> {
  const { campaigns } = JSON.parse(await readFile(join(import.meta.dirname, 'suite.json'), 'utf8'))
  const headers = { authorization: `Bearer ${secrets.sdkSecretKey}`, 'content-type': 'application/json' }
  for (const campaign of campaigns) {
    const created = await fetch(`${url}/v1/campaigns`, { method: 'POST', headers, body: JSON.stringify(campaign) })
    const { id } = (await created.json()) as { id: string }
    const published = await fetch(`${url}/v1/campaigns/${id}/publish`, { method: 'POST', headers })
    if (!published.ok) throw new Error(`campaign refused: ${JSON.stringify(campaign)}`)
  }
}
