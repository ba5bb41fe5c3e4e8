// Defines the widget session that `POST /v1/users/auth` grants, for one user and environment.

/** `credential` identifies what was verified at sign-in: hash of the authSecretKey, `idp:<hash>` or `key:<hash>`. */
export interface WidgetSession {
  id: number
  environmentId: number
  userNo: number
  userId: string
  credential: string
  frontKeyId: number
  createdAt: number
  expiresAt: number
}

export interface Sessions {
  create(session: WidgetSession): Promise<void>
  /** Whether this store granted the session to its user. */
  isStored(session: Pick<WidgetSession, 'environmentId' | 'id' | 'userNo'>): Promise<boolean>
  /** False when it had already ended. */
  end(environmentId: number, id: number, now: number): Promise<boolean>
  /** Ends all live sessions of the user. @returns their ids */
  endAllOfUser(userNo: number, now: number): Promise<number[]>
  /** Ends all live sessions that a credential or Front API Key granted. @returns their ids */
  endAllOfCredential(
    environmentId: number,
    by: { credential?: string; frontKeyId?: number },
    now: number,
  ): Promise<number[]>
  /** Lists sessions that ended before their expiry and whose tokens have not expired. */
  listEnded(now: number): Promise<number[]>
  purgeExpired(now: number): Promise<void>
}
