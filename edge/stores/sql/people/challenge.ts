// Stores sign-ins in progress. A used challenge is deleted.

import {
  CHALLENGE_ATTEMPTS,
  type Challenge,
  type ChallengeDetail,
  type ChallengeKind,
  type Challenges,
} from '../../../domain/people/challenge.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'

interface Row {
  kind: ChallengeKind
  person_id: number | null
  organisation_id: number | null
  password_hash: string | null
  expires_at: number
  detail: string | null
}
const COLUMNS = 'kind, person_id, organisation_id, password_hash, expires_at, detail'

export const challengeWrites = {
  async createChallenge({ sql }: WriteContext, challenge: Challenge, tokenHash: string): Promise<void> {
    const { kind, personId, organisationId, passwordHash, expiresAt, detail } = challenge
    await sql.run(`INSERT INTO sign_in_challenge (${COLUMNS}, token_hash, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, 0)`, [
      kind,
      personId,
      organisationId,
      passwordHash,
      expiresAt,
      detail === undefined ? null : JSON.stringify(detail),
      tokenHash,
    ])
  },
  async attemptChallenge(
    { sql }: WriteContext,
    tokenHash: string,
    kind: ChallengeKind,
    now: number,
  ): Promise<Challenge | undefined> {
    const row = await sql.one<Row>(
      `UPDATE sign_in_challenge SET attempts = attempts + 1
        WHERE token_hash = ? AND kind = ? AND expires_at > ? AND attempts < ? RETURNING ${COLUMNS}`,
      [tokenHash, kind, now, CHALLENGE_ATTEMPTS],
    )
    return row && toChallenge(row)
  },
  async useChallenge(
    { sql }: WriteContext,
    tokenHash: string,
    kind: ChallengeKind,
    now: number,
  ): Promise<Challenge | undefined> {
    const row = await sql.one<Row>(
      `DELETE FROM sign_in_challenge WHERE token_hash = ? AND kind = ? AND expires_at > ? RETURNING ${COLUMNS}`,
      [tokenHash, kind, now],
    )
    return row && toChallenge(row)
  },
}

export function createChallenges(sql: Sql, writes: Writes<typeof challengeWrites>): Challenges {
  return {
    create: writes.createChallenge,
    attempt: writes.attemptChallenge,
    use: writes.useChallenge,
    async find(tokenHash, kind, now) {
      const text = `SELECT ${COLUMNS} FROM sign_in_challenge WHERE token_hash = ? AND kind = ? AND expires_at > ?`
      const row = await sql.one<Row>(text, [tokenHash, kind, now])
      return row && toChallenge(row)
    },
  }
}

function toChallenge(row: Row): Challenge {
  return {
    kind: row.kind,
    personId: row.person_id,
    organisationId: row.organisation_id,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    ...(row.detail !== null && { detail: JSON.parse(row.detail) as ChallengeDetail }),
  }
}
