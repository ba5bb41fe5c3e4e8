// Whether the journeys ran alike on both engines: a case that only one of them saw stands in a file that says so.

import { relative } from 'node:path'
import type { VitestReport } from './counts.ts'

/** `a.sqlite.test.ts` runs on SQLite alone, and its first line says why; the same with `postgres`. */
const ALONE = /\.(sqlite|postgres)\.test\.ts$/

/** Each case that ran as `path › name`, on whatever it ended. */
export function casesOf(report: VitestReport, root: string): string[] {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName }) => `${relative(root, name)} › ${fullName}`),
  )
}

/** What only one of the engines ran without saying so. */
export function findLeftOut(ran: { sqlite: string[]; postgres: string[] }): string[] {
  const missing = (from: string[], engine: string, inThat: string[]) => {
    const there = new Set(inThat)
    return from
      .filter((name) => !ALONE.test(name.split(' › ')[0] as string) && !there.has(name))
      .map((name) => `not run on ${engine}: ${name}`)
  }
  return [...missing(ran.sqlite, 'postgres', ran.postgres), ...missing(ran.postgres, 'sqlite', ran.sqlite)]
}
