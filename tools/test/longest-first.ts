// Sorts test files within a phase: long ones start first, so that no worker is left with a long one at the end.

import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that measure milliseconds start a phase. They mostly wait, so in parallel they leave the machine quiet. */
const MEASURING = [
  'edge/test/limits/slow-clients.test.ts',
  'edge/test/postgres/outage.postgres.test.ts',
  'edge/test/redis/outage.postgres.test.ts',
  'edge/test/secrets/rotation.test.ts',
  'edge/test/redis/keys.postgres.test.ts',
  'edge/test/redis/two-edges.postgres.test.ts',
]

/**
 * Files of ten seconds and more on a quiet machine, roughly in that order. A fresh clone has no recorded times,
 * and a file's size says little. A file that is not listed only starts later.
 */
export const LONGEST = [
  ...MEASURING,
  'widget/test/hostile.node.test.ts',
  'widget/test/whole-life.node.test.ts',
  'widget/test/room.node.test.ts',
  'widget/test/secrets.node.test.ts',
  'widget/test/tabs.node.test.ts',
  'widget/test/places.node.test.ts',
  'widget/test/healing.node.test.ts',
  'widget/test/versions.node.test.ts',
  'widget/test/missing-parts.node.test.ts',
  'widget/test/leader.node.test.ts',
  'widget/test/newcomers.node.test.ts',
  'edge/campaign/expression/test/fuzz.test.ts',
  'tools/dev.test.ts',
  'edge/test/realtime/frame-order.test.ts',
  'edge/test/cli/moving.postgres.test.ts',
  'edge/test/cli/moving-live.postgres.test.ts',
  'widget/test/browsers/access.node.test.ts',
  'widget/test/browsers/webkit.node.test.ts',
  'edge/test/realtime/gateway.test.ts',
  'edge/test/realtime/sessions.test.ts',
  'edge/test/ops/full-disk.sqlite.test.ts',
  'edge/stores/postgres.test.ts',
  'edge/stores/sqlite/stores.test.ts',
  'edge/test/history-export.test.ts',
  'widget/inbox/interleavings.node.test.ts',
  'edge/test/contract/inbox.test.ts',
  'widget/test/browsers/firefox.node.test.ts',
  'edge/test/cli/backup-ledger.sqlite.test.ts',
  'edge/test/ops/killed-node.postgres.test.ts',
  'edge/test/orchestrator/enrich.test.ts',
  'edge/test/ops/restart.sqlite.test.ts',
  'edge/test/retention/kill.test.ts',
  'edge/test/limits/overload.test.ts',
  'widget/test/debug.node.test.ts',
  'edge/test/contract/tracking.test.ts',
  'widget/test/left-behind.node.test.ts',
  'edge/test/orchestrator/digest-model.test.ts',
  'edge/test/contract/process.test.ts',
]

interface Place {
  /** Path from the root. */
  path: string
  /** True when the file runs in its own process. */
  isApart: boolean
  bytes: number
}

/**
 * Sorts files with their own process before files that share one: a worker that has finished the first kind continues
 * with the second, which has many short files. Then known long files, then by size.
 */
export function comparePlaces(a: Place, b: Place): number {
  if (a.isApart !== b.isApart) return a.isApart ? -1 : 1
  const rank = ({ path }: Place) => (LONGEST.includes(path) ? LONGEST.indexOf(path) : LONGEST.length)
  return rank(a) - rank(b) || b.bytes - a.bytes || (a.path < b.path ? -1 : 1)
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(files.map((file) => [file, placeOf(file)]))
    return [...files].sort((a, b) => comparePlaces(places.get(a) as Place, places.get(b) as Place))
  }
}

function placeOf({ moduleId, project }: TestSpecification): Place {
  return {
    path: relative(project.vitest.config.root, moduleId),
    isApart: project.config.isolate,
    bytes: statSync(moduleId).size,
  }
}
