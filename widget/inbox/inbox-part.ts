// The part that a site's script loads after the badge: the inbox and its socket in one file, as neither comes without the other.

export { openRealtime } from '../transport/realtime.ts'
export { createInboxCore } from './inbox-core.ts'
