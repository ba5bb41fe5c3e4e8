// Loads OpenTelemetry, which is a program of its own beside the server: without a collector nothing of it is read.

import type { Traces } from '../domain/traces.ts'
import type { Log } from '../lib/log.ts'
import { threadUrl } from '../lib/thread.ts'

export interface TracesOptions {
  /** Where the collector takes traces, OTLP over HTTP. */
  url: string
  version: string
  log: Pick<Log, 'warn' | 'info'>
}

/** What `otlp-traces.ts` exports. */
export interface TracesProgram {
  createTraces(options: TracesOptions): Traces
}

/** @returns Traces that are sent to the collector; undefined without one. */
export async function loadTraces({
  url,
  ...options
}: Omit<TracesOptions, 'url'> & { url: string | null }): Promise<Traces | undefined> {
  if (url === null) return undefined
  const program = (await import(threadUrl(import.meta.url, 'otlp-traces').href)) as TracesProgram
  return program.createTraces({ url, ...options })
}
