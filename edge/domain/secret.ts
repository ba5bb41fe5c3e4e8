// The secrets of an environment (specification sections 2.1 and 3.2, contract section 2).

export const SECRET_KINDS = ['sdkSecretKey', 'authSecretKey', 'frontApiKey', 'webhookSigningSecret'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

/** One value of a secret. At most two of a kind live at a time: the current one and, in an overlap, the old one. */
export interface Secret {
  id: number
  environmentId: number
  kind: SecretKind
  /** Lower-case hex SHA-256 of the value; how `sdkSecretKey` and Front API Key are found. */
  hash: string
  /** The value itself: plain for the Front API Key, sealed for authSecretKey and webhookSigningSecret, null for sdkSecretKey. */
  plain: string | null
  sealed: string | null
  createdAt: number
  /** Set when a newer value exists: when this one stops working (end of the overlap, or the moment of retirement). */
  retiresAt: number | null
  lastUsedAt: number | null
}

/** One as the store has it. */
export interface KeptSecret extends Secret {
  /** Set when all that it vouched for had ended and its text was forgotten: from then on it is dead, wherever the clock is set. */
  settledAt: number | null
}

export function isLive({ retiresAt, settledAt }: Pick<KeptSecret, 'retiresAt' | 'settledAt'>, now: number): boolean {
  return settledAt === null && (retiresAt === null || now < retiresAt)
}

export interface Secrets {
  create(secret: Secret): Promise<void>
  /** Live or not: callers judge. */
  findByHash(kind: SecretKind, hash: string): Promise<KeptSecret | undefined>
  /** All values of a kind that are still kept, newest first. */
  list(environmentId: number, kind: SecretKind): Promise<KeptSecret[]>
  /** From `retiresAt` on the value is refused, also by plans that are already under way (checked in their transaction). */
  retire(id: number, retiresAt: number): Promise<void>
  /** Notes when it was used; an earlier instant than the known one changes nothing. */
  touch(id: number, usedAt: number): Promise<void>
}
