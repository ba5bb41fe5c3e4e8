// What the gateway counts; the metrics module gives the counters.

/** How a client that was behind was brought up to date: by changes, by a reset, or it had missed nothing. */
export type HealOutcome = 'current' | 'changes' | 'reset'

/** `slow`: too much waited; `flood`: too many frames; `protocol`: an unknown event or a malformed one. */
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
