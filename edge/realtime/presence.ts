// Who is connected here: our own maps in place of rooms (choices section 3: 1.25–1.8 times faster).

import type { Member } from './member.ts'

export interface Presence {
  add(member: Member): void
  remove(member: Member): void
  /** After `session:renew`: the member is found by its new session alone. */
  changeSession(member: Member, session: Member['session']): void
  ofUser(userNo: number): ReadonlySet<Member> | undefined
  ofSession(sessionId: number): ReadonlySet<Member> | undefined
  userNos(): number[]
  all(): Iterable<Member>
  size(): number
}

export function createPresence(): Presence {
  const members = new Set<Member>()
  const byUser = new Map<number, Set<Member>>()
  const bySession = new Map<number, Set<Member>>()

  return {
    add(member) {
      members.add(member)
      put(byUser, member.session.userNo, member)
      put(bySession, member.session.id, member)
    },
    remove(member) {
      members.delete(member)
      take(byUser, member.session.userNo, member)
      take(bySession, member.session.id, member)
    },
    changeSession(member, session) {
      take(bySession, member.session.id, member)
      member.session = session
      put(bySession, session.id, member)
    },
    ofUser: (userNo) => byUser.get(userNo),
    ofSession: (sessionId) => bySession.get(sessionId),
    userNos: () => [...byUser.keys()],
    all: () => members,
    size: () => members.size,
  }
}

function put(map: Map<number, Set<Member>>, key: number, member: Member): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([member]))
  else set.add(member)
}

function take(map: Map<number, Set<Member>>, key: number, member: Member): void {
  const set = map.get(key)
  set?.delete(member)
  if (set?.size === 0) map.delete(key)
}
