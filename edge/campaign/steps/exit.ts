// Ends the run.

import { addTrace } from '../trace.ts'
import { optional, text } from './fields.ts'
import { defineStep } from './step-type.ts'

const MAX_REASON_CHARS = 200

export const exitStep = defineStep('exit', {
  description: 'Ends the run.',
  fields: () => ({ reason: optional(text(MAX_REASON_CHARS)) }),
  compile({ id, type, reason: why }) {
    const reason = why ?? null
    return {
      id,
      type,
      inner: [],
      readsProfile: false,
      isPlain: true,
      ends: true,
      run(run) {
        run.ended = { state: 'exited', stateReason: reason }
        addTrace(run, this, 'exited', reason, run.deps.clock.now())
      },
      skip(run, unsent) {
        run.ended = { state: 'exited', stateReason: reason }
        addTrace(run, this, 'skipped', unsent.statusReason, run.deps.clock.now(), undefined, unsent.statusReason)
      },
    }
  },
})
