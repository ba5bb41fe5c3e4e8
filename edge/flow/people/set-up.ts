// Sets up the first organisation with its owner, once, while no organisation has a member.

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Account } from '../../domain/people/person.ts'
import { ApiError } from '../../lib/api-error.ts'
import { NC } from '../../lib/command-line.ts'
import { isEqualInConstantTime } from '../../lib/hmac.ts'
import { formatId } from '../../lib/id.ts'
import type { IssuedSession, PersonSessions } from './person-sessions.ts'

const RETENTION_DAYS = 90

export interface SetUpInput {
  email: string
  name: string
  password: string
  organisationName: string
  code?: string | undefined
}

export type SetUp = ReturnType<typeof createSetUp>

export function createSetUp({
  setUps,
  hashPassword,
  issueSession,
  code,
  ids,
  clock,
}: Pick<Core, 'setUps' | 'ids' | 'clock'> & {
  hashPassword(password: string): Promise<string>
  issueSession: PersonSessions['issue']
  /** The code that callers from other machines need. */
  code: string
}) {
  let isDone = false

  async function isOpen(): Promise<boolean> {
    // It never opens again, so the store is not read any more.
    isDone ||= await setUps.hasMembers()
    return !isDone
  }

  /** The region is chosen later, with the other steps of onboarding. */
  function plan({ email, ...input }: SetUpInput, passwordHash: string, correlationId: string) {
    const createdAt = clock.now()
    const organisationId = ids.organisation.next()
    const name = input.organisationName
    const by: ChangedBy = { actor: 'dashboard', who: email, correlationId }
    const target = { at: createdAt, ...by, environmentId: null, organisationId }
    const audit: AuditEntry[] = [
      { ...target, action: 'org.create', subject: formatId('organisation', organisationId), detail: { name } },
      { ...target, action: 'member.add', subject: email, detail: { role: 'owner' } },
    ]
    const owner: Account = { id: ids.person.next(), email, name: input.name, passwordHash, createdAt }
    const times = { region: null, onboardedAt: null, retentionDays: RETENTION_DAYS, createdAt }
    return { organisation: { id: organisationId, name, ...times }, owner, audit }
  }

  return {
    isOpen,

    /** @throws ApiError `request/conflict` with `reason` `set-up-done` once there is a member. */
    async requireOpen(): Promise<void> {
      if (!(await isOpen())) throw alreadyDone()
    },

    /**
     * Creates organisation and owner, and signs the owner in. `isLocal`: the caller is on this machine and needs no code.
     * @throws ApiError `authorization/not-allowed`, and as `requireOpen`.
     */
    async setUp(
      input: SetUpInput,
      { isLocal, userAgent, correlationId }: { isLocal: boolean; userAgent: string; correlationId: string },
    ): Promise<IssuedSession> {
      if (!isLocal && !isEqualInConstantTime(input.code ?? '', code)) throw codeNeeded()
      const { organisation, owner, audit } = plan(input, await hashPassword(input.password), correlationId)
      if (!(await setUps.setUp(organisation, owner, audit))) throw alreadyDone()
      const { id, passwordHash } = owner
      return issueSession(id, userAgent, { by: 'password', passwordHash, factor: null, challengeHash: null })
    },
  }
}

function alreadyDone(): ApiError {
  return new ApiError('request/conflict', {
    message: 'There is a member already. Sign in, or ask an owner for an invitation.',
    reason: 'set-up-done',
  })
}

function codeNeeded(): ApiError {
  return new ApiError('authorization/not-allowed', {
    message: `Send the set-up code: \`${NC} member set-up\` prints it on the server.`,
    reason: 'set-up-code',
  })
}
