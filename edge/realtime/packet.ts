// A Socket.IO event of the main namespace as one text, so that it is encoded once for all sockets (choices section 3).

import type { ServerToClient } from '../../contract/frames.ts'

/** What Socket.IO's own encoder makes of the event; `packet.test.ts` compares the two. */
export function encodePacket<E extends keyof ServerToClient>(
  name: E,
  payload: Parameters<ServerToClient[E]>[0],
): string {
  return wrapPacket(name, JSON.stringify(payload))
}

/** The same from a payload that is JSON already. */
export function wrapPacket(name: keyof ServerToClient, json: string): string {
  return `2["${name}",${json}]`
}
