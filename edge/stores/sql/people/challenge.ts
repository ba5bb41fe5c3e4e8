// Stores sign-ins in progress. A used challenge is deleted.

import {
  CHALLENGE_ATTEMPTS,
  type Challenge,
  type ChallengeKind,
  type Challenges,
} from '../../../domain/people/challenge.ts'
import { CHALLENGE_FIELDS, SIGN_IN_CHALLENGE } from '../../tables/people.ts'
import { insertOne, type RawRow, view } from '../../tables/table.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'

const VIEW = view(SIGN_IN_CHALLENGE, '', CHALLENGE_FIELDS)
const INSERT = insertOne(SIGN_IN_CHALLENGE)

export const challengeWrites = {
  async createChallenge({ sql }: WriteContext, challenge: Challenge, tokenHash: string): Promise<void> {
    await INSERT(sql, { ...challenge, detail: challenge.detail ?? null, tokenHash, attempts: 0 })
  },
  async attemptChallenge(
    { sql }: WriteContext,
    tokenHash: string,
    kind: ChallengeKind,
    now: number,
  ): Promise<Challenge | undefined> {
    const row = await sql.one<RawRow>(
      `UPDATE sign_in_challenge SET attempts = attempts + 1
        WHERE token_hash = ? AND kind = ? AND expires_at > ? AND attempts < ? RETURNING ${VIEW.columns}`,
      [tokenHash, kind, now, CHALLENGE_ATTEMPTS],
    )
    return row && readChallenge(row)
  },
  async useChallenge(
    { sql }: WriteContext,
    tokenHash: string,
    kind: ChallengeKind,
    now: number,
  ): Promise<Challenge | undefined> {
    const row = await sql.one<RawRow>(
      `DELETE FROM sign_in_challenge WHERE token_hash = ? AND kind = ? AND expires_at > ? RETURNING ${VIEW.columns}`,
      [tokenHash, kind, now],
    )
    return row && readChallenge(row)
  },
}

export function createChallenges(sql: Sql, writes: Writes<typeof challengeWrites>): Challenges {
  return {
    create: writes.createChallenge,
    attempt: writes.attemptChallenge,
    use: writes.useChallenge,
    async find(tokenHash, kind, now) {
      const text = `SELECT ${VIEW.columns} FROM sign_in_challenge WHERE token_hash = ? AND kind = ? AND expires_at > ?`
      const row = await sql.one<RawRow>(text, [tokenHash, kind, now])
      return row && readChallenge(row)
    },
  }
}

function readChallenge(row: RawRow): Challenge {
  const { detail, ...challenge } = VIEW.read(row)
  return { ...challenge, ...(detail !== null && { detail }) }
}
