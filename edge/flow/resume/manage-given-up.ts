// Lists what was given up in an environment, runs it again, and drops it.

import type { ErrorCode } from '../../../contract/errors.ts'
import type { GivenUpAnswer } from '../../../contract/resources/given-up.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { GivenUp } from '../../domain/given-up.ts'
import { type ClaimKind, formatMark, type Mark, parseMark } from '../../domain/in-hand.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

/** The newest are listed. */
const MOST_LISTED = 100

export interface ManageGivenUp {
  /** Newest first, of one environment, or of all (null). */
  list(environmentId: number | null): Promise<GivenUpAnswer[]>
  /** @throws ApiError when nothing of that id was given up in the environment */
  runAgain(environmentId: number, id: string, by: ChangedBy): Promise<void>
  /** @throws ApiError when nothing of that id was given up in the environment */
  drop(environmentId: number, id: string, by: ChangedBy): Promise<void>
}

export function createManageGivenUp(
  deps: Pick<Core, 'givenUps' | 'clock'> & {
    /** Absent beside a running server, which polls for what is due itself. */
    pollJobs?(): void
    scheduleTimers?(dueAt: number): void
    scheduleMails?(dueAt: number): void
  },
): ManageGivenUp {
  const { givenUps, clock } = deps
  const auditOf = (environmentId: number, mark: Mark, verb: string, by: ChangedBy): AuditEntry => {
    const action = `${mark.kind}.${verb}`
    return { at: clock.now(), ...by, action, environmentId, subject: formatMark(mark), detail: {} }
  }
  return {
    list: async (environmentId) => (await givenUps.list(environmentId, MOST_LISTED)).map(toAnswer),
    async runAgain(environmentId, id, by) {
      const mark = getMark(id)
      const now = clock.now()
      const audit = auditOf(environmentId, mark, 'again', by)
      if (!(await givenUps.runAgain(environmentId, mark, now, audit))) throw notFound(mark)
      if (mark.kind === 'run') deps.scheduleTimers?.(now)
      else if (mark.kind === 'mail') deps.scheduleMails?.(now)
      else deps.pollJobs?.()
    },
    async drop(environmentId, id, by) {
      const mark = getMark(id)
      const audit = auditOf(environmentId, mark, 'drop', by)
      if (!(await givenUps.drop(environmentId, mark, audit))) throw notFound(mark)
    },
  }
}

function getMark(id: string): Mark {
  const mark = parseMark(id)
  if (mark === undefined) {
    const message = 'This is no id of a run, a job or a mail. `given-up list` shows what was given up.'
    throw new ApiError('request/not-found', { message })
  }
  return mark
}

const NOT_FOUND: Record<ClaimKind, ErrorCode> = {
  run: 'run/not-found',
  job: 'request/not-found',
  mail: 'message/not-found',
}
/** One answer for what was not given up and what is not there: both are absent from the list. */
const notFound = ({ kind }: Mark) =>
  new ApiError(NOT_FOUND[kind], {
    message: `No ${kind} of this id was given up in this environment. \`given-up list\` shows what was.`,
  })

function toAnswer({
  kind,
  id,
  environmentId,
  givenUpAt,
  reason,
  what,
  campaignId,
  campaignKey,
  campaignName,
  userId,
  userName,
}: GivenUp): GivenUpAnswer {
  return {
    id: formatMark({ kind, id }),
    kind,
    environmentId: formatId('environment', environmentId),
    givenUpAt: toIso(givenUpAt),
    reason,
    what,
    campaignId: campaignId === null ? null : formatId('campaign', campaignId),
    campaignKey,
    campaignName,
    userId,
    userName,
  }
}
