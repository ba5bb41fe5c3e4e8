// The widget session: what `POST /v1/users/auth` grants, for one user and environment (contract section 4).

/** `credential` names what vouched for it: hash of the authSecretKey, `idp:<hash>` or `key:<hash>` (contract section 2). */
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
  /** False when it had already ended. */
  end(id: number, now: number): Promise<boolean>
  /** Ends all live sessions of the user; answers their ids. */
  endAllOfUser(userNo: number, now: number): Promise<number[]>
  /** Ends all live sessions that a credential or Front API Key vouched for; answers their ids. */
  endAllOfCredential(
    environmentId: number,
    by: { credential?: string; frontKeyId?: number },
    now: number,
  ): Promise<number[]>
  /** Ids of sessions that ended before their time and whose tokens could still be shown to us. */
  listEnded(now: number): Promise<number[]>
  purgeExpired(now: number): Promise<void>
}
