// Lists the crash points that at least one walker must reach: each kind of action, before and after.

const KINDS = ['commit.track', 'commit.deliver', 'waits.claim', 'digests.close', 'enrichers.call']

export const NAMED_POINTS: readonly string[] = KINDS.flatMap((kind) => [`before ${kind}`, `after ${kind}`])
