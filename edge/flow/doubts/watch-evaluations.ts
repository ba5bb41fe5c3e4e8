// Records what the evaluations of live runs find doubtful, of campaigns that are evaluated here and in sandboxes.

import type { RunStart } from '../../campaign/compiled.ts'
import type { Doubtful, Evaluator, Later } from '../../campaign/evaluator.ts'
import type { NotedDoubt } from '../../campaign/expression/noted-doubts.ts'
import type { RecordDoubt } from '../../domain/doubt.ts'
import { formatId } from '../../lib/id.ts'
import { describeDoubt } from './tell-doubts.ts'

/** @returns The evaluator, which records doubts of live runs; previews and tests have theirs in their answers. */
export function watchEvaluations(evaluator: Evaluator, record: RecordDoubt): Evaluator {
  function watch<T extends Doubtful>(start: RunStart, result: Later<T>): Later<T> {
    if (result instanceof Promise) {
      return result.then((done) => {
        recordAll(start, done.doubts)
        return done
      })
    }
    recordAll(start, result.doubts)
    return result
  }

  function recordAll({ environment, campaign, user, isTest }: RunStart, doubts: NotedDoubt[] | undefined): void {
    if (doubts === undefined || isTest) return
    const subject = { type: 'campaign' as const, id: formatId('campaign', campaign.campaign.id) }
    for (const doubt of doubts) record(environment.id, { ...describeDoubt(doubt), subject, userId: user.id })
  }

  return {
    ...evaluator,
    begin: (start) => watch(start, evaluator.begin(start)),
    continueRun: (suspended, reason) => watch(suspended.start, evaluator.continueRun(suspended, reason)),
    judge: (suspended, arrivals) => watch(suspended.start, evaluator.judge(suspended, arrivals)),
  }
}
