// Explains the error of a start: names the setting or the file that caused it, or what PostgreSQL refuses.

import { join } from 'node:path'
import { findStoreFault } from './cli/doctor/explain-fault.ts'
import type { Settings } from './config.ts'
import { isUnavailable } from './lib/api-error.ts'
import { explainFile } from './stores/sqlite/driver.ts'

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'PORT is taken: another process listens there.',
  EACCES: 'PORT cannot be listened on by this account.',
  EADDRNOTAVAIL: 'HOST is no address of this machine.',
  ENOTFOUND: 'HOST is no address, and no name that resolves to one.',
}

/** @returns An error that names the setting or the file which caused the error of the start; else the error itself. */
export function explainStart(error: unknown, { host, databaseUrl, dataDir, metricsPort }: Settings): unknown {
  // A write of the seed that fails has a text for callers of the API.
  if (databaseUrl === null && isUnavailable(error)) return explainFile(error.cause, join(dataDir, 'store.db')) ?? error
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code, message } = error
  // Other names are looked up at a start too.
  const isOfPort =
    'hostname' in error ? error.hostname === host : 'syscall' in error && /^(listen|bind)$/.test(String(error.syscall))
  const reason = isOfPort ? LISTEN_ERRORS[String(code)] : findStoreFault(error, () => databaseUrl)
  if (reason === undefined) return error
  const isOfMetrics = 'port' in error && error.port === metricsPort
  return new Error(`${isOfMetrics ? reason.replace(/^PORT/, 'METRICS_PORT') : reason} (${message})`, { cause: error })
}
