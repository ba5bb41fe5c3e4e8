// Compares the journeys of both engines: a case of one engine only must be in a file whose name says so.

import { relative } from 'node:path'
import type { VitestReport } from './counts.ts'

/** `a.sqlite.test.ts` runs on SQLite alone, for the reason in its first line; `postgres` likewise. */
const ALONE = /\.(sqlite|postgres)\.test\.ts$/

/** Returns each case that ran, as `path › name`, with any result. */
export function casesOf(report: VitestReport, root: string): string[] {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName }) => `${relative(root, name)} › ${fullName}`),
  )
}

/** Returns cases that only one engine ran, in files whose names do not say so. */
export function findLeftOut(ran: { sqlite: string[]; postgres: string[] }): string[] {
  const missing = (from: string[], engine: string, inThat: string[]) => {
    const there = new Set(inThat)
    return from
      .filter((name) => !ALONE.test(name.split(' › ')[0] as string) && !there.has(name))
      .map((name) => `not run on ${engine}: ${name}`)
  }
  return [...missing(ran.sqlite, 'postgres', ran.postgres), ...missing(ran.postgres, 'sqlite', ran.sqlite)]
}
