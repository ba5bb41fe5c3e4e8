// Counts the users who are online, from what all nodes report.

import { performance } from 'node:perf_hooks'
import { ONLINE_EVERY_MS, type OnlineReport } from '../../domain/bus.ts'
import type { Core } from '../../domain/core.ts'

/** A node that is silent for this long is gone. */
const FRESH_MS = 3 * ONLINE_EVERY_MS

/** @returns The number of users of the environment with a connected widget. */
export type CountOnline = (environmentId: number) => number

/** Subscribes until the bus is closed. */
export function createCountOnline({ bus }: Pick<Core, 'bus'>, now = () => performance.now()): CountOnline {
  const reports = new Map<string, { at: number; users: ReadonlyMap<number, number> }>()
  bus.subscribe('users-online', ({ nodeId, users }: OnlineReport) => {
    for (const [other, { at }] of reports) if (now() - at > FRESH_MS) reports.delete(other)
    reports.set(nodeId, { at: now(), users: new Map(users) })
  })
  return (environmentId) => {
    let online = 0
    for (const { at, users } of reports.values()) {
      if (now() - at <= FRESH_MS) online += users.get(environmentId) ?? 0
    }
    return online
  }
}
