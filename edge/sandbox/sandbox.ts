// Evaluates tasks in processes of their own, in two lanes: one for quick tenants, one for those that took long lately
// (docs/decisions/0041-sandbox.md).

import { TemplateError } from '../campaign/expression/template.ts'
import { ApiError, BusyError } from '../lib/api-error.ts'
import type { Log } from '../lib/log.ts'
import { startProcess, threadUrl } from '../lib/thread.ts'
import { DEADLINE_MS } from './child.ts'
import { createLane, type Lane } from './lane.ts'
import { createSlowTenants } from './slow-tenants.ts'
import type { SentAnswer, SentError, TaskName, Tasks } from './tasks.ts'

/** Work of one tenant that may wait; more is put off by its callers. */
const MAX_BACKLOG_MS = 2000
/** Tasks that may wait in all: their data are in memory. */
const MAX_TASKS = 20_000
/** After processes were ended by others, such as a system without memory. */
const RETRY_MS = 5000
const PRIORITY = { quick: 0, slow: 10 }

const PROGRAM = threadUrl(import.meta.url, 'sandbox-process')
/** A heap that evaluations within their budgets never need. */
const FLAGS = ['--max-old-space-size=96', '--max-semi-space-size=4', '--no-warnings']

export interface Sandbox {
  /**
   * Evaluates a task of a tenant (an environment, or `tenantOfOrganisation`). `now`: the time of its clock (epoch ms), where it asks for one.
   * @throws BusyError when too much of its work waits; TemplateError for what a customer's template did, also when it
   * ended its processes
   */
  run<Name extends TaskName>(
    tenantId: number,
    does: Name,
    input: Tasks[Name]['input'],
    now?: number,
  ): Promise<Tasks[Name]['output']>
  close(): void
}

export interface SandboxDeps {
  log: Log
  /** Receives the time of each task (ms), and each end of a process, for the metrics. */
  onTask?: (does: TaskName, tookMs: number) => void
  onEnd?: () => void
}

export function createSandbox({ log, onTask, onEnd }: SandboxDeps): Sandbox {
  const createOne = (name: 'quick' | 'slow', retryIn?: Lane) =>
    createLane({
      ...(retryIn && { retryIn }),
      start: () => startProcess(PROGRAM, FLAGS),
      priority: PRIORITY[name],
      endsIdle: name === 'slow',
      onEnd(reason) {
        log.warn('sandbox ended', { kind: name, reason })
        onEnd?.()
      },
    })
  const slowLane = createOne('slow')
  // What ended the process of quick tenants is tried again beside them.
  const lanes = { quick: createOne('quick', slowLane), slow: slowLane }
  const slowTenants = createSlowTenants()

  /** A tenant that is quick again waits until its tasks in the slow lane are done. */
  function chooseLane(tenantId: number): Lane {
    return slowTenants.has(tenantId) || lanes.slow.backlogMs(tenantId) > 0 ? lanes.slow : lanes.quick
  }

  return {
    async run(tenantId, does, input, now = 0) {
      const lane = chooseLane(tenantId)
      const backlogMs = lane.backlogMs(tenantId)
      if (backlogMs > MAX_BACKLOG_MS || lane.size() >= MAX_TASKS) {
        throw new BusyError(Math.max(1000, backlogMs))
      }
      const answer = await new Promise<SentAnswer>((resolve, reject) => {
        lane.add({
          tenantId,
          task: { does, input, now, refused: [], isTraced: false },
          ends: 0,
          isAlone: false,
          settle(answer, ends) {
            slowTenants.record(tenantId, ends > 0 ? DEADLINE_MS : answer.tookMs)
            resolve(answer)
          },
          giveUp(reason, isOurs) {
            if (isOurs) slowTenants.record(tenantId, DEADLINE_MS)
            reject(isOurs ? new TemplateError(`The process that evaluated it ${reason}.`) : new BusyError(RETRY_MS))
          },
        })
      })
      onTask?.(does, answer.tookMs)
      if (answer.is === 'failed') throw toError(answer.error)
      return answer.output as Tasks[typeof does]['output']
    },
    close() {
      lanes.quick.close()
      lanes.slow.close()
    },
  }
}

function toError({ name, message, stack, api }: SentError): Error {
  if (api !== undefined) return new ApiError(api.code, api.extra)
  if (name === 'TemplateError') return new TemplateError(message)
  const error = new Error(message)
  error.stack = stack
  return error
}
