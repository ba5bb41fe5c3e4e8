// Whether SQLite can write its files: reads go on when it cannot (a disk that became read-only, an I/O error, another program's
// lock), so that the first commit which fails is what says it (docs/decisions/0235).

import { isUnavailable } from '../../lib/api-error.ts'
import type { Log } from '../../lib/log.ts'
import type { BatchResult } from '../sql/commit/run-batch.ts'

export interface WriteWatch {
  /** Hears of every batch. */
  onResult(result: BatchResult): void
  /** Ends well when writes do. Nothing is tried while none has failed. */
  confirm(): Promise<void>
}

export interface WriteWatchDeps {
  /** Writes a page, whatever it holds. */
  trial(): Promise<unknown>
  log?: Pick<Log, 'info' | 'error'> | undefined
}

export function createWriteWatch({ trial, log }: WriteWatchDeps): WriteWatch {
  let isFailing = false

  function heal(): void {
    if (isFailing) log?.info('The store can be written again.')
    isFailing = false
  }

  return {
    onResult({ plans: [plan], writes: [write] }) {
      // A fault of the store meets all pieces of a batch. That one of them ended well may only say that it had nothing to write.
      const piece = plan ?? write
      const error = piece !== undefined && 'error' in piece && isUnavailable(piece.error) ? piece.error : undefined
      if (error === undefined) {
        if (plan !== undefined) heal()
      } else if (!isFailing && !isFull(error)) {
        isFailing = true
        log?.error('The store cannot be written: what would change it is refused.', { error })
      }
    },
    async confirm() {
      if (!isFailing) return
      await trial()
      heal()
    },
  }
}

/** The watch over the free space tells of that. */
function isFull({ cause }: Error): boolean {
  return cause instanceof Error && cause.message.includes('disk is full')
}
