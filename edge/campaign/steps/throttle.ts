// Limits a user's runs in a window. Each run continues as if there were room; the commit decides.

import { findDurationMs } from '../../../contract/duration.ts'
import { skipRun } from '../skip-run.ts'
import { addTrace } from '../trace.ts'
import { count, window } from './fields.ts'
import { defineStep } from './step-type.ts'

const MOST_IN_WINDOW = 1_000_000

export const throttleStep = defineStep('throttle', {
  description: 'Lets `limit` runs of a user pass in a window; the others end here.',
  fields: () => ({ limit: count(MOST_IN_WINDOW), window: window() }),
  compile({ id, type, limit, window }) {
    const windowMs = findDurationMs(window) ?? 0
    return {
      id,
      type,
      inner: [],
      readsProfile: false,
      isPlain: true,
      run(run) {
        const { start } = run
        const at = run.deps.clock.now()
        // The commit adds the number of earlier runs.
        const inputs = { limit, windowMs }
        if (!start.isTest) {
          run.gates.push({
            kind: 'throttle',
            runId: run.runId,
            campaignId: start.campaign.campaign.id,
            stepId: id,
            userId: start.user.id,
            limit,
            windowMs,
            otherwise: skipRun(run, this, 'throttled', inputs),
          })
        }
        addTrace(run, this, 'done', start.isTest ? 'a test is not throttled' : null, at, inputs)
      },
    }
  },
})
