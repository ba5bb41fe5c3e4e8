// The messages between tabs. Tabs of other versions receive them too: names here never change.

import type { InboxHead, RegisterItem } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import type { Joined } from '../ask-leader.ts'

/** No message is trusted: `seq` and epoch decide, and the service is asked. */
export type TabMessage =
  /** From the leader: a frame, or its position. While it is hidden for long, a visible tab may take its place. */
  | { kind: 'frame'; frame: InboxFrame; isLongHidden: boolean; isReached: boolean }
  /** What came after this? Also: is there a leader? */
  | { kind: 'ask'; since: number }
  /** Delivery events were noted, or answered for (without a head: refused). */
  | { kind: 'queued'; items: RegisterItem[] }
  | { kind: 'settled'; items: RegisterItem[]; head: InboxHead | undefined }
  /** A page that begins: what does the leader know? And its answer; without `known`: nothing that is sure. */
  | { kind: 'join'; proof: string }
  | Joined
