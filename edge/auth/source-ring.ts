// Finds sources of connectors with the live values of their secrets, cached for less than a second.

import { type FoundSource, secretKindOf } from '../domain/connector/source.ts'
import type { Core } from '../domain/core.ts'
import type { Environment } from '../domain/environment.ts'
import { isLive, type KeptSecret } from '../domain/secret.ts'
import { createCache } from '../lib/cache.ts'
import { createConfirmedReader } from './confirmed-reader.ts'

const MAX_SOURCES = 20_000
const MAX_VALUES = 50_000
/** Values of retired secrets leave the memory after this time. */
const OPENED_MS = 10 * 60_000

/** Resolves to undefined for an unknown source. Throws `service/unavailable` when the store cannot answer in time. */
export type FindSource = (publicId: string) => Promise<FoundSource | undefined>

export function createSourceRing({
  sources,
  secrets,
  findEnvironment,
  open,
  bus,
  clock,
}: Pick<Core, 'sources' | 'secrets' | 'open' | 'bus' | 'clock'> & {
  findEnvironment(id: number): Promise<Environment | undefined>
}): FindSource {
  const opened = createCache<string, string>({ clock, maxSize: MAX_VALUES, ttlMs: OPENED_MS })
  // Opening a value costs a hundred times a look-up.
  async function openOnce(sealed: string): Promise<string> {
    const known = opened.get(sealed)
    if (known !== undefined) return known
    const value = await open(sealed)
    opened.set(sealed, value)
    return value
  }

  async function openSecret({ id, sealed, retiresAt, settledAt }: KeptSecret) {
    // Nobody may sign with an empty value.
    if (sealed === null) throw new Error('secret of a source without its value')
    return { id, value: await openOnce(sealed), retiresAt, settledAt }
  }

  const entries = createConfirmedReader(clock, MAX_SOURCES, async (publicId: string) => {
    const source = await sources.findByPublicId(publicId)
    if (source === undefined) return undefined
    const kept = await secrets.list(source.environmentId, secretKindOf(source))
    // The sealed value of a retired secret may be deleted already.
    const live = kept.filter((secret) => isLive(secret, clock.now()))
    return { source, secrets: await Promise.all(live.map(openSecret)) }
  })
  bus.subscribe('environment-changed', () => entries.clear())

  return async function findSource(publicId) {
    const entry = await entries.read(publicId)
    const environment = entry && (await findEnvironment(entry.source.environmentId))
    if (entry === undefined || environment === undefined) return undefined
    const live = entry.secrets.filter((secret) => isLive(secret, clock.now()))
    return { source: entry.source, environment, secrets: live }
  }
}
