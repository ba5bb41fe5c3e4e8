// Declares the read of the windows that throttles and digests have open for a user.

export interface GateWindows {
  /** Those of one campaign. A throttle's may be over. */
  listOf(environmentId: number, userNo: number, campaignId: number): Promise<OpenWindows>
}

export interface OpenWindows {
  throttles: { stepId: string; endsAt: number; taken: number }[]
  /** `key`: of the digest; events of another key are gathered separately. */
  digests: { stepId: string; version: number; key: string; openedAt: number; closesAt: number; events: number }[]
}
