// Exports the filtered deliveries as CSV, with its progress, and can be cancelled.

import type { EnvironmentApi } from '../../api/environment.ts'
import { createRowCounter } from '../../lib/csv.ts'
import { download } from '../../lib/download.ts'
import type { Filters } from './filters.ts'

export interface ExportProgress {
  rows: number
  bytes: number
}

/**
 * Reads the whole stream before the download begins, so that a broken export leaves no half file.
 * @throws ApiFailure, the browser's `AbortError`, and its error for a stream that has broken off.
 */
export async function exportCsv(
  api: EnvironmentApi,
  filters: Filters,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<ExportProgress> {
  const answer = await api.exportDeliveries({ ...filters }, signal)
  const reader = answer.body?.getReader()
  const countRows = createRowCounter()
  const pieces: BlobPart[] = []
  const progress = { rows: 0, bytes: 0 }
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value)
    progress.bytes += value.length
    progress.rows = countRows(value)
    onProgress({ ...progress })
  }
  download(new Blob(pieces, { type: 'text/csv' }), `deliveries-${new Date().toISOString().slice(0, 10)}.csv`)
  return progress
}
