// What a commit did to one inbox, on its way to the user's sockets on any node: made once, encoded once (contract section 5).

import type { InboxFrame } from '../../../contract/frames.ts'
import type { InboxPush, NewMessage } from '../plan.ts'
import { frameOfPush } from './inbox-change.ts'

/** Whose inbox, and from where to where the frame leads. */
export type PushSpan = Pick<InboxPush, 'userNo' | 'from' | 'seq' | 'reset'>

export interface PushedFrame extends PushSpan {
  frame(): InboxFrame
  /** The frame as JSON: what travels between nodes and what sockets are sent. */
  text(): string
}

/** `added` holds the messages that the push's `add`s name. Nothing is made before somebody asks for it. */
export function toPushedFrame(push: InboxPush, added: NewMessage[]): PushedFrame {
  let frame: InboxFrame | undefined
  let text: string | undefined
  const makeFrame = () => {
    frame ??= frameOfPush(push, added)
    return frame
  }
  // Every field by name: this is made for every message, and rest and spread cost 2 µs of it (measured).
  return {
    userNo: push.userNo,
    from: push.from,
    seq: push.seq,
    reset: push.reset,
    frame: makeFrame,
    text: () => {
      text ??= JSON.stringify(makeFrame())
      return text
    },
  }
}

/** The same on another node. Parsed only when a socket needs a part of it. */
export function fromText(span: PushSpan, text: string): PushedFrame {
  return { ...span, frame: () => JSON.parse(text) as InboxFrame, text: () => text }
}
