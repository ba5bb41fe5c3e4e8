// Begins, lists, shows and stops the jobs that send or run again all of a filter.

import { AGAIN_ITEMS } from '../../../contract/again.ts'
import type { AgainJobAnswer, AgainJobRequest, BegunAgainAnswer } from '../../../contract/resources/again-job.ts'
import { AGAIN_JOBS_KEPT, type AgainFilter, type AgainJob } from '../../domain/again-job.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId, type IdSource, parseId } from '../../lib/id.ts'
import { findDeliveryFilter } from '../history/read-history.ts'
import type { AgainCaller } from './commit-again.ts'
import { listItems, type ReadsItems } from './list-items.ts'
import { refuse } from './load-former.ts'

export const AGAIN = 'again'

export interface ManageAgain {
  /** Counts the items, and unless it is a dry run begins the job. @throws `request/conflict` */
  begin(caller: AgainCaller, request: AgainJobRequest): Promise<BegunAgainAnswer>
  /** Newest first. */
  list(environmentId: number): Promise<AgainJobAnswer[]>
  /** @throws `request/not-found` */
  get(environmentId: number, jobId: string): Promise<AgainJobAnswer>
  /** @throws `request/not-found`, `request/conflict` for one that has ended */
  stop(caller: AgainCaller, jobId: string): Promise<AgainJobAnswer>
}

type Taken = ReadsItems &
  Pick<Core, 'againJobs' | 'campaigns' | 'clock'> & {
    ids: { job: IdSource }
    /** Absent beside a running server, which polls for what is due itself. */
    pollJobs?(): void
  }

export function createManageAgain(deps: Taken): ManageAgain {
  const { againJobs, campaigns, clock, ids } = deps

  async function getJob(environmentId: number, jobId: string): Promise<AgainJob> {
    const id = parseId('job', jobId)
    const job = id === undefined ? undefined : await againJobs.find(environmentId, id)
    if (job === undefined) throw new ApiError('request/not-found', { message: 'There is no such job.' })
    return job
  }

  const auditOf = (
    { by, environment }: AgainCaller,
    action: string,
    subject: string,
    detail: AuditEntry['detail'],
  ): AuditEntry => ({ at: clock.now(), ...by, action, environmentId: environment.id, subject, detail })

  /** What comes later is not taken: also not what the job itself makes. @returns Undefined for what matches nothing. */
  async function toFilter(environmentId: number, request: AgainJobRequest, now: number) {
    const until = (to: number | undefined) => Math.min(to ?? now, now)
    if (request.kind === 'events') {
      const { filter } = request
      return { events: { ...filter, to: until(filter.to) } } as AgainFilter
    }
    const found = await findDeliveryFilter(campaigns, environmentId, request.filter, now)
    return found && { deliveries: { ...found, to: until(found.to) } }
  }

  async function count(environmentId: number, job: Pick<AgainJob, 'kind' | 'filter'>): Promise<number> {
    let total = 0
    for (let before: number | null = null; ; ) {
      const { items, next } = await listItems(deps, environmentId, job, before, COUNTED_TOGETHER)
      total += items.length
      if (total > AGAIN_ITEMS) refuse('too-many', `At most ${AGAIN_ITEMS} run again at a time: choose a shorter time.`)
      if (next === null) return total
      before = next
    }
  }

  return {
    async begin(caller, request) {
      const { environment, by, correlationId } = caller
      const now = clock.now()
      const { kind, version, from, pace } = request
      const filter = await toFilter(environment.id, request, now)
      const total = filter === undefined ? 0 : await count(environment.id, { kind, filter })
      if (request.dryRun || filter === undefined || total === 0) return { count: total, job: null }
      const id = ids.job.next()
      const { actor, who } = by
      const again = {
        ...{ environmentId: environment.id, id, kind, filter, userId: request.filter.userId ?? null },
        ...{ version, from, pace, total, actor, who, correlationId, startedAt: now },
      }
      const job = { id, environmentId: environment.id, kind: AGAIN, payload: '{}', runAt: now, createdAt: now }
      const jobId = formatId('job', id)
      const audit = auditOf(caller, 'again.begin', jobId, { kind, items: total, pace, version })
      if (!(await againJobs.begin(again, job, audit))) {
        refuse('under-way', 'Another one runs in this environment: wait until it has ended, or stop it.')
      }
      deps.pollJobs?.()
      return { count: total, job: toAnswer(await getJob(environment.id, jobId)) }
    },
    list: async (environmentId) => (await againJobs.list(environmentId, AGAIN_JOBS_KEPT)).map(toAnswer),
    get: async (environmentId, jobId) => toAnswer(await getJob(environmentId, jobId)),
    async stop(caller, jobId) {
      const environmentId = caller.environment.id
      const job = await getJob(environmentId, jobId)
      const { done, total } = job
      const audit = auditOf(caller, 'again.stop', jobId, { kind: job.kind, done, items: total })
      if (!(await againJobs.stop(environmentId, job.id, clock.now(), audit))) {
        refuse('has-ended', `This job is ${job.state}.`)
      }
      return toAnswer(await getJob(environmentId, jobId))
    },
  }
}

const COUNTED_TOGETHER = 500

function toAnswer(job: AgainJob): AgainJobAnswer {
  const { kind, state, version, from, pace, total, done, made, refused, who } = job
  return {
    ...{ jobId: formatId('job', job.id), kind, state, version, from, pace, total, done, made, refused, by: who },
    startedAt: toIso(job.startedAt),
    endedAt: toIso(job.endedAt ?? job.stoppedAt),
  }
}
