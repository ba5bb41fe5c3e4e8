// The figures that the gateway counts; `http/site/metrics.ts` exposes them.

/** How a client was brought up to date: it had missed nothing, by changes, or by a reset. */
export type HealOutcome = 'current' | 'changes' | 'reset'

/** `slow`: too much waited; `flood`: too many frames; `protocol`: an unknown or malformed event. */
export type CutReason = 'slow' | 'flood' | 'protocol'

export interface GatewayMetrics {
  /** Sockets that are connected now. */
  onSockets(count: number): void
  onFrame(): void
  onHeal(outcome: HealOutcome): void
  onCut(reason: CutReason): void
  /** A handshake that was refused. */
  onRefused(): void
}

export const NO_METRICS: GatewayMetrics = {
  onSockets() {},
  onFrame() {},
  onHeal() {},
  onCut() {},
  onRefused() {},
}
