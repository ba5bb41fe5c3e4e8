// Declares the metrics of the gateway; `http/site/metrics.ts` exposes them.

/** How a client caught up: it had missed nothing, it got the changes, or it must read the pages again. */
export type HealOutcome = 'current' | 'changes' | 'reset'

/** `slow`: too much unsent data; `flood`: too many frames; `protocol`: an unknown or malformed event. */
export type CutReason = 'slow' | 'flood' | 'protocol'

export interface GatewayMetrics {
  /** Number of connected sockets. */
  onSockets(count: number): void
  onFrame(): void
  /** A client caught up. */
  onHeal(outcome: HealOutcome): void
  /** The connection of a client was destroyed. */
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
