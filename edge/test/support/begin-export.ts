// Begins an export that its client does not read, so that it runs until the server ends it.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { GivenEdge } from './given.ts'

/** More than the buffers of both sockets hold. */
const BATCHES = 6
const EVENTS = 60
const TEXT = 'x'.repeat(60_000)

/** Tracks events of some 20 MB for a user of the environment `dev`. */
export async function trackMuch({ call, demo }: Pick<GivenEdge, 'call' | 'demo'>, userId: string): Promise<void> {
  const { sdkSecretKey } = demo.environments.dev
  const events = Array.from({ length: EVENTS }, () => ({ name: 'much', userId, properties: { text: TEXT } }))
  for (let batch = 0; batch < BATCHES; batch++) {
    const body = { sdkSecretKey, events }
    const { status } = await call('POST', '/v1/events/track/batch', { key: sdkSecretKey, body })
    if (status !== 202) throw new Error(`the batch was answered ${status}`)
  }
}

export interface BegunExport {
  /** Reads on. @returns whether all came */
  readToEnd(): Promise<boolean>
}

/** @param path The export below `url`. */
export async function beginExport(url: string, path: string, headers: Record<string, string>): Promise<BegunExport> {
  const request = get(url + path, { headers, agent: false })
  request.on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`the export was answered ${response.statusCode}`)
  response.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => response.on('close', () => resolve()))
  response.pause()
  return {
    async readToEnd() {
      response.resume()
      await closed
      return response.complete
    },
  }
}

/** @returns how often a node has refused with a code, by its metrics */
export async function countRefused(url: string, code: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^nc_requests_refused_total\\{code="${code}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}
