// Tracks whether SQLite can write its files, by the first failed commit. Reads continue on a read-only disk, after an
// I/O error, or under the lock of another program (docs/decisions/0009-store-outages.md).

import { isUnavailable } from '../../lib/api-error.ts'
import type { Log } from '../../lib/log.ts'
import type { BatchResult } from '../sql/commit/run-batch.ts'
import { isFull } from './driver.ts'

export interface WriteHealth {
  /** Records the result of each batch. */
  onResult(result: BatchResult): void
  /** Resolves when writes work. Tries a write only after one has failed. */
  confirm(): Promise<void>
}

export interface WriteHealthDeps {
  /** Writes one page with any content. */
  trial(): Promise<unknown>
  log?: Pick<Log, 'info' | 'error'> | undefined
}

/** Creates the state: writes work until `onResult` gets a store fault. */
export function createWriteHealth({ trial, log }: WriteHealthDeps): WriteHealth {
  let isFailing = false

  function recover(): void {
    if (isFailing) log?.info('store write restored')
    isFailing = false
  }

  return {
    onResult({ plans: [plan], writes: [write] }) {
      // A store fault fails all pieces of a batch. A successful write may have changed nothing.
      const piece = plan ?? write
      const error = piece !== undefined && 'error' in piece && isUnavailable(piece.error) ? piece.error : undefined
      if (error === undefined) {
        if (plan !== undefined) recover()
      } else if (!isFailing && !isFull(error.cause)) {
        // The disk guard reports a full disk.
        isFailing = true
        log?.error('store write failed: changes are refused', { error })
      }
    },
    async confirm() {
      if (!isFailing) return
      await trial()
      recover()
    },
  }
}
